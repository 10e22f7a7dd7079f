"""Where sentences and paragraphs begin and end, for fixes that take a whole one away."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from review_gate.checks.languages import MARKDOWN, TEXT
from review_gate.checks.plain_items import items_in
from review_gate.checks.plain_text import goes_on, text_of_line
from review_gate.checks.sentences import FOREIGN_STOPS, TAG_BEHIND, WIDE_STOPS, sentences
from review_gate.checks.text_blocks import CELL, EMPHASIS, HEAD, PROSE, Blocks, Frame, Leaf, Lines, Span

MARKUP_DEPTH = 3

# Blanks, marks of quotations and breaks of lines.
_NOTHING = re.compile(r"(?:[\s>]|\\(?=[\r\n]))*+\Z")
# The blanks by which sentences within emphasis can be told, and the stops that need none.
_AFTER_STOP = re.compile(rf"""(?<=[.?!"'\u201d\u2019)\]*_~{FOREIGN_STOPS}])\s|[{WIDE_STOPS}]""")

_STOP_BEFORE = re.compile(rf"""[.?!{FOREIGN_STOPS}]["'\u201d\u2019)\]*_~]*\Z""")


class Layout:
    """A text with its lines, blocks and sentences, each found out once."""

    def __init__(self, text: str, language: str = MARKDOWN) -> None:
        self.text = text
        self.lines = Lines(text)
        self._is_plain = language == TEXT
        blocks = Blocks(self.lines, language)
        self.leaves = blocks.leaves
        self.frames = blocks.frames
        self.fence_tops, self.fence_bottoms = blocks.fence_tops, blocks.fence_bottoms
        self._starts = [leaf.start for leaf in self.leaves]
        self._sentences: dict[int, list[Span]] = {}
        self._parts: list[Frame] = []
        self._items: list[Frame] = []
        self._framed: list[Span] | None = None

    def sentence(self, start: int, end: int) -> Span | None:
        """The sentences that a match touches, as one span."""
        touched = self._touched(start, end)
        if not touched:
            return self._own_line(start, end)
        if any(self._holds_columns(self.leaves[index], start, end) for index in touched):
            return None
        first, last = touched[0], touched[-1]
        if end <= self.leaves[first].start:
            # The mark of a bullet or heading belongs to all of its text.
            return self.leaves[first].start, self.leaves[last].end
        span = self._sentence_at(first, start)[0], self._sentence_at(last, max(start, end - 1))[1]
        return self._visible(span, start, end) if self._is_plain else span

    def _visible(self, span: Span, start: int, end: int) -> Span:
        """What of a sentence of plain text is on the lines of a match or on those that visibly belong to them."""
        lines = self.lines
        first, last = lines.number(start), lines.number(max(start, end - 1))
        while lines.starts[first] > span[0] and goes_on(lines.content(first - 1), lines.content(first)):
            first -= 1
        while lines.ends[last] < span[1] and goes_on(lines.content(last), lines.content(last + 1)):
            last += 1
        return max(span[0], lines.ends[first] - len(text_of_line(lines.content(first)))), min(span[1], lines.ends[last])

    def paragraph(self, start: int, end: int) -> Span | None:
        """The paragraphs that a match touches, as one span."""
        touched = self._touched(start, end)
        if not touched:
            return self._own_line(start, end)
        spans = [self.leaves[index].paragraph for index in touched]
        return min(first for first, _ in spans), max(last for _, last in spans)

    def all_frames(self) -> list[Frame]:
        """Every pair of marks that means nothing around an empty place, the inner ones first."""
        return self._parts + self._items + self.frames

    def is_empty(self, start: int, end: int) -> bool:
        """Whether a stretch holds only blanks, line breaks and marks of quotations; in code such a mark is text."""
        if _NOTHING.match(self.text, start, end) is None:
            return False
        return self.text.find(">", start, end) < 0 or all(
            self.leaves[index].kind == PROSE for index in self._overlapping(start, end)
        )

    def prose_at(self, place: int) -> Leaf | None:
        """The paragraph that a character stands in."""
        found = (self.leaves[index] for index in self._overlapping(place, place + 1))
        return next((leaf for leaf in found if leaf.kind == PROSE), None)

    def _touched(self, start: int, end: int) -> range:
        """The leaves that a match overlaps, else those on its lines: a bullet's mark belongs to its text."""
        direct = self._overlapping(start, end)
        if direct:
            return direct
        first, last = self.lines.number(start), self.lines.number(max(start, end - 1))
        return self._overlapping(self.lines.starts[first], self.lines.ends[last])

    def _overlapping(self, start: int, end: int) -> range:
        first = max(0, bisect_right(self._starts, start) - 1)
        if first < len(self.leaves) and self.leaves[first].end <= start:
            first += 1
        return range(first, max(first, bisect_left(self._starts, end)))

    def _own_line(self, start: int, end: int) -> Span | None:
        """The line of a match that is in no block; not one that holds a block together, such as a fence."""
        if self._is_framed(start, end):
            return None
        first, last = self.lines.number(start), self.lines.number(max(start, end - 1))
        return self.lines.starts[first], self.lines.ends[last]

    def _is_framed(self, start: int, end: int) -> bool:
        if self._framed is None:
            self._framed = united((frame.start, frame.end) for frame in self.frames)
        place = bisect_left(self._framed, (end, 0)) - 1
        return place >= 0 and self._framed[place][1] > start

    def _holds_columns(self, leaf: Leaf, start: int, end: int) -> bool:
        """Whether a table would fall apart: a head, a match over a mark, a cell that only its text makes one."""
        if leaf.kind != CELL:
            return leaf.kind == HEAD
        first, last = self.lines.span(self.lines.number(leaf.start))
        if self._has_pipe(start, leaf.start) or self._has_pipe(leaf.end, end):
            return True
        if self._has_pipe(leaf.end, last):
            return not self._has_pipe(first, leaf.start)
        # A mark alone would be no row.
        return self.text[first : leaf.start].strip(" \t>") == "|"

    def _has_pipe(self, start: int, end: int) -> bool:
        return self.text.find("|", start, end) >= 0

    def _sentence_at(self, index: int, place: int) -> Span:
        leaf = self.leaves[index]
        if leaf.kind not in (PROSE, CELL):
            return leaf.start, leaf.end
        if index not in self._sentences:
            self._sentences[index] = self._split(leaf)
        spans = self._sentences[index]
        # A match that begins between two sentences belongs to the second.
        return spans[min(bisect_right(spans, place, key=_end), len(spans) - 1)]

    def _split(self, leaf: Leaf) -> list[Span]:
        inline = sorted(leaf.inline, key=_outer_first)
        spans = []
        for start, end in self._regions(leaf):
            places = slice(bisect_left(inline, start, key=_start), bisect_left(inline, end, key=_start))
            spans += self._split_region(start, end, [part for part in inline[places] if part[1] <= end], 0)
        return spans

    def _regions(self, leaf: Leaf) -> list[Span]:
        """The stretches of a paragraph that are cut into sentences apart from each other."""
        items = list(items_in(self.lines, leaf)) if self._is_plain and leaf.kind == PROSE else []
        self._items += items
        starts, ends = [leaf.start, *(item.end for item in items)], [*(item.start for item in items), leaf.end]
        between = [self._text_between(*span) for span in zip(starts, ends, strict=True)]
        return sorted(span for span in [*between, *(item.content for item in items)] if span and span[0] < span[1])

    def _text_between(self, start: int, end: int) -> Span:
        """A stretch between items without the marks of quotations that lead to it."""
        piece = self.text[start:end].rstrip()
        return start + len(piece) - len(piece.lstrip(" \t\r\n>")), start + len(piece)

    def _split_region(self, start: int, end: int, inline: list[tuple[int, int, str]], depth: int) -> list[Span]:
        spans = []
        readable = _readable(self.text[start:end], [(a - start, b - start, name) for a, b, name in inline])
        for span in sentences(readable, cuts_in_doubt=False):
            whole = (span[0] + start, span[1] + start)
            spans += self._split_emphasis(whole, inline, depth)
        return spans

    def _split_emphasis(self, whole: Span, inline: list[tuple[int, int, str]], depth: int) -> list[Span]:
        """The sentences within marks of emphasis, where these stand around whole sentences."""
        place = bisect_left(inline, whole[0], key=_start)
        part = inline[place] if place < len(inline) else None
        if depth == MARKUP_DEPTH or part is None or part[:2] != whole or part[2] not in EMPHASIS:
            return [whole]
        marks = 2 if self.text[whole[0]] == self.text[whole[0] + 1] else 1
        inner = whole[0] + marks, whole[1] - marks
        within = inline[place + 1 : bisect_left(inline, inner[1], key=_start)]
        spans = self._split_region(*inner, within, depth + 1) if inner[0] < inner[1] else []
        if len(spans) < 2:
            return [whole]
        frame = Frame(*whole)
        frame.hold(inner)
        self._parts.append(frame)
        return spans


def united(spans: Iterable[Span]) -> list[Span]:
    """The same characters in spans that do not overlap, in order."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _start(part: tuple[int, int, str]) -> int:
    return part[0]


def _end(span: Span) -> int:
    return span[1]


def _outer_first(part: tuple[int, int, str]) -> tuple[int, int]:
    return part[0], -part[1]


def _readable(text: str, inline: list[tuple[int, int, str]]) -> str:
    """A paragraph, character for character, in which only prose can be read, and no end within emphasis."""
    pieces, done = [], 0
    for start, end, name in inline:
        if start >= done:
            is_behind = _STOP_BEFORE.search(text, max(0, start - 4), start) is not None
            pieces += [text[done:start], _readable_part(text[start:end], name, is_behind=is_behind)]
            done = end
    return "".join([*pieces, text[done:]])


def _readable_part(part: str, name: str, *, is_behind: bool) -> str:
    """One part with marks: code and links are a word, and a tag or note right behind a stop belongs to its sentence."""
    if name in EMPHASIS:
        return _AFTER_STOP.sub("x", part)
    if name == "Html":
        opens, closes = part.find(">") + 1, part.rfind("<")
        within = _AFTER_STOP.sub("x", part[opens:closes])
        is_closed_behind = _STOP_BEFORE.search(within) is not None
        return "X" * opens + within + (TAG_BEHIND if is_closed_behind else "X") * (len(part) - closes)
    is_mark = is_behind and (name == "InlineHtml" or part.startswith("[^"))
    return (TAG_BEHIND if is_mark else "X") * len(part)
