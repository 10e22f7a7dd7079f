"""What goes together with a sentence or paragraph that is taken away: its blanks, its line, its bullet's mark."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from review_gate.checks.boundaries import Layout, united
from review_gate.checks.text_blocks import Frame, Span

# A backslash at its end breaks a line of Markdown, or was meant to.
_LINE_REST = re.compile(r"[ \t]*\\?[ \t]*\Z")
_NUMBER = re.compile(r"[ \t]*\d{1,9}[.)](?=\s)")
_UP_TO_TEXT = re.compile(r"[ \t]*\\?[\s>]*")


class Removal(NamedTuple):
    """What goes, and the spans that can be deleted for it, the best first."""

    piece: Span
    ways: list[Span]


def removals(layout: Layout, pieces: list[Span]) -> list[Span]:
    """The spans to delete so that the pieces are gone and no blank, blank line or bullet without text is left."""
    return [removal.ways[0] for removal in planned_removals(layout, pieces)]


def planned_removals(layout: Layout, pieces: list[Span]) -> list[Removal]:
    """The same, each with other spans for where the best would change what stands around it."""
    covered = _Covered(layout, pieces)
    frames = [(frame.start, frame.end) for frame in layout.all_frames() if covered.take(frame)]
    # Where the mark of a bullet, or of emphasis, has its text.
    marked = {frame.content[0] for frame in layout.all_frames() if frame.content is not None}
    closed = {frame.content[1] for frame in layout.all_frames() if frame.content is not None}
    in_lines = _joined(layout, united([*pieces, *frames]), lambda *pair: _share_a_line(layout, marked, *pair))
    joined = _joined(layout, in_lines, lambda *pair: _are_whole_lines(layout, *pair))
    sides = [(span, span[0] in marked, span[1] in closed) for span in joined]
    return [Removal(span, _ways(layout, span, is_marked=first, is_closed=last)) for span, first, last in sides]


def _ways(layout: Layout, span: Span, *, is_marked: bool, is_closed: bool) -> list[Span]:
    """All spans that can be deleted for a piece: the usual one first, then those that leave more of what is around."""
    ways = [_removal(layout, span, is_marked=is_marked, is_closed=is_closed)]
    ways += _number_kept(layout, *span)
    if _fills_its_lines(layout, *span):
        ways += _blanks_kept(layout, *span)
    elif is_marked and (found := _UP_TO_TEXT.match(layout.text, span[1])) and found.end() < len(layout.text):
        ways.append((span[0], found.end()))
    return list(dict.fromkeys(way for way in ways if way is ways[0] or not _joins(layout.text, *way)))


def _number_kept(layout: Layout, start: int, end: int) -> list[Span]:
    """The next item of a numbered list takes the number of the one that goes, which can be the list's first."""
    text = layout.text
    mark, gap = _NUMBER.match(text, start), _UP_TO_TEXT.match(text, end)
    following = _NUMBER.match(text, gap.end()) if gap else None
    if mark is None or following is None or mark[0][-1] != following[0][-1]:
        return []
    return [(mark.end(), following.end())]


def _blanks_kept(layout: Layout, start: int, end: int) -> Iterator[Span]:
    """Lines that go without the blank ones below them, without those above, without both, or leaving an empty line."""
    lines = layout.lines
    first, last = lines.number(start), _last_line(layout, (start, end))
    if lines.after(last) == lines.ends[last]:
        # Nothing is below, and the text must not get a line end.
        return
    yield lines.starts[_blank_above(layout, first)], lines.after(last)
    below = _blank_below(layout, last)
    if below < len(lines) - 1 or lines.starts[-1] == lines.ends[-1]:
        # Blanks without a line end behind them stay, or the text would end in one.
        yield lines.starts[first], lines.after(below)
    yield lines.starts[first], lines.after(last)
    before = layout.text[lines.starts[first] : start]
    yield lines.starts[first] + len(before.rstrip(" \t")), lines.ends[last]


def _joins(text: str, start: int, end: int) -> bool:
    """Whether two line ends would become one."""
    return text[start - 1 : start] == "\r" and text[end : end + 1] == "\n" and start < end


def _joined(layout: Layout, spans: list[Span], are_one: Callable[[Span, Span], bool]) -> list[Span]:
    """The spans, with those neighbours in one that have nothing between them and belong together."""
    joined: list[Span] = []
    # From behind, because what ends the text depends on what follows it.
    for span in reversed(spans):
        if joined and layout.is_empty(span[1], joined[-1][0]) and are_one(span, joined[-1]):
            joined[-1] = span[0], joined[-1][1]
        else:
            joined.append(span)
    return joined[::-1]


def _share_a_line(layout: Layout, marked: Container[int], left: Span, right: Span) -> bool:
    """Whether one begins where the other ends, or would take its place behind a mark."""
    if left[0] in marked and _fills_its_lines(layout, *right):
        return True
    return _last_line(layout, left) == layout.lines.number(right[0])


def _are_whole_lines(layout: Layout, left: Span, right: Span) -> bool:
    """Whether nothing between them is needed: no mark of a line that stays, no blank line before one that stays."""
    if not (_fills_its_lines(layout, *left) and _fills_its_lines(layout, *right)):
        return False
    is_next = _last_line(layout, left) + 1 == layout.lines.number(right[0])
    return is_next or layout.is_empty(right[1], len(layout.text))


def _last_line(layout: Layout, span: Span) -> int:
    return layout.lines.number(max(span[0], span[1] - 1))


class _Covered:
    """What is gone, in order, as stretches of pieces with nothing between them: they tell which frames go."""

    def __init__(self, layout: Layout, pieces: list[Span]) -> None:
        self.layout = layout
        self.spans: list[Span] = []
        for span in sorted(pieces):
            self._add(len(self.spans), span)

    def take(self, frame: Frame) -> bool:
        """Let a frame go with its content, once all of that goes."""
        if frame.content is None:
            return False
        start, end = frame.content
        place = bisect_right(self.spans, start, key=_first) - 1
        if place < 0 or self.spans[place][1] < end:
            return False
        first, last = self.spans.pop(place)
        self._add(place, (min(first, frame.start), max(last, frame.end)))
        return True

    def _add(self, place: int, span: Span) -> None:
        """Put a span in its place and join it with its neighbours."""
        while place < len(self.spans) and self._touch(span, self.spans[place]):
            span = span[0], max(span[1], self.spans.pop(place)[1])
        while place and self._touch(self.spans[place - 1], span):
            place -= 1
            first, last = self.spans.pop(place)
            span = first, max(last, span[1])
        self.spans.insert(place, span)

    def _touch(self, left: Span, right: Span) -> bool:
        return right[0] <= left[1] or self.layout.is_empty(left[1], right[0])


def _first(span: Span) -> int:
    return span[0]


def _removal(layout: Layout, span: Span, *, is_marked: bool, is_closed: bool) -> Span:
    """One piece with the blanks that would be left over around it."""
    text, lines, (start, end) = layout.text, layout.lines, span
    first, last = lines.number(start), _last_line(layout, span)
    if _fills_its_lines(layout, start, end):
        return _whole_lines(layout, first, last)
    if not _ends_its_line(layout, start, end):
        if is_closed and not is_marked:
            # Emphasis is not closed behind a blank.
            return _end_of_text_before(layout, start), end
        rest = text[end : lines.ends[last]]
        return start, end + len(rest) - len(rest.lstrip(" \t"))
    if is_marked and (following := _text_below(layout, start, end)) is not None:
        return start, following
    before = text[lines.starts[first] : start]
    return start - (len(before) - len(before.rstrip(" \t"))), _empty_below(layout, last) if is_marked else end


def _end_of_text_before(layout: Layout, start: int) -> int:
    """Where the text before a piece of the same paragraph ends, on its line or on the one above."""
    lines = layout.lines
    first = lines.number(start)
    before = layout.text[lines.starts[first] : start]
    if before.strip(" \t>") or not first:
        return lines.starts[first] + len(before.rstrip(" \t"))
    above = lines.content(first - 1).rstrip(" \t").removesuffix("\\")
    return lines.starts[first - 1] + len(above.rstrip(" \t"))


def _empty_below(layout: Layout, last: int) -> int:
    """The end of the blank lines below a mark, where they would end its bullet; what ends the text stays."""
    below = _blank_below(layout, last)
    return layout.lines.ends[last if below == len(layout.lines) - 1 else below]


def _text_below(layout: Layout, start: int, end: int) -> int | None:
    """The text below that can stand where a piece has stood: more of its paragraph, or the next one in its bullet."""
    found = _UP_TO_TEXT.match(layout.text, end)
    place = found.end() if found else end
    leaf = layout.prose_at(place)
    if leaf is None or (leaf.start > start and _quoted(layout, place) != _quoted(layout, start)):
        return None
    return place


def _quoted(layout: Layout, place: int) -> int:
    """How many marks of quotations stand before a place on its line."""
    return layout.text.count(">", layout.lines.starts[layout.lines.number(place)], place)


def _fills_its_lines(layout: Layout, start: int, end: int) -> bool:
    begins = layout.lines.starts[layout.lines.number(start)]
    return _ends_its_line(layout, start, end) and layout.is_empty(begins, start)


def _ends_its_line(layout: Layout, start: int, end: int) -> bool:
    last = _last_line(layout, (start, end))
    return _LINE_REST.match(layout.text, end, layout.lines.ends[last]) is not None


def _whole_lines(layout: Layout, first: int, last: int) -> Span:
    """Lines with one of the two runs of blank lines around them; a text without a final line end stays so."""
    lines = layout.lines
    above, below = _blank_above(layout, first), _blank_below(layout, last)
    if below == len(lines) - 1:
        first, last = (above, last) if above < first else (first, last)
    elif above < first and last in layout.fence_bottoms:
        first = above
    elif above < first or first == 0 or first in layout.fence_tops:
        last = below
    start, end = lines.starts[first], lines.after(last)
    if end == len(layout.text) and lines.ends[-1] != lines.starts[-1] and first:
        start = lines.ends[first - 1]
    if first and _joins(layout.text, start, end):
        start, end = lines.ends[first - 1], lines.ends[last]
    return start, end


def _blank_above(layout: Layout, number: int) -> int:
    while number and _is_blank(layout, number - 1):
        number -= 1
    return number


def _blank_below(layout: Layout, number: int) -> int:
    while number + 1 < len(layout.lines) and _is_blank(layout, number + 1):
        number += 1
    return number


def _is_blank(layout: Layout, number: int) -> bool:
    return layout.is_empty(*layout.lines.span(number))
