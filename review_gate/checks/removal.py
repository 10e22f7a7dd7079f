"""What a fix takes away with a sentence or paragraph, and whether what is left of a Markdown text stays what it was."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from review_gate.checks.languages import MARKDOWN, TEXT
from review_gate.checks.markdown import END, START, events, kind_of
from review_gate.checks.plain_text import LIST_MARK, goes_on
from review_gate.checks.structure import structure_of
from review_gate.checks.text_blocks import HEADING, ITEM, PARAGRAPH, Blocks, Lines, Span

# How often a text is read again to see what its removals do, and how many characters in all.
MOST_READINGS = 32
MOST_CHARACTERS = 40_000_000
_MARKS = re.compile(rf"[ \t>]*{LIST_MARK.pattern}")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(?:`{3}|~{3}|-{3}[ \t]*$)")
_UP_TO_TEXT = re.compile(r"[\s>]*")
_CONTAINERS = ("BlockQuote", "List", "Item", "Table", "TableHead", "TableRow")
_LEAVES = ("Paragraph", "Heading", "TableCell", "FencedCode", "CodeBlock", "HtmlBlock", "MetadataBlock")


class Removals:
    """Finds what goes together in one text."""

    def __init__(self, lines: Lines, language: str) -> None:
        self._text = lines.text
        self._lines = lines
        self._language = language
        self._structure = structure_of(lines.text, language, cuts_in_doubt=False)

    @cached_property
    def _blocks(self) -> Blocks:
        return Blocks(self._lines)

    def sentence(self, start: int, end: int) -> Span:
        """The sentences that a match touches."""
        first, last = self._structure.sentence_at(start, end)
        if self._language == TEXT:
            first, last = self._visible(first, last, start, end)
        block = self._structure.block_at(start)
        text = self._mark_end(block[0]) if block else 0
        # The mark of an item stays with what is left of it.
        return text if block and first == block[0] and text <= start else first, last

    def _mark_end(self, place: int) -> int:
        """Where the text of a block begins: behind the box of a task, or the mark of an item in plain text."""
        found = LIST_MARK.match(self._text, place)
        return found.end() if found else place

    def _visible(self, first: int, last: int, start: int, end: int) -> Span:
        """What of a sentence of plain text is on the lines of a match or on those that visibly belong to them."""
        lines = self._lines
        top, bottom = lines.number(start), lines.number(max(start, end - 1))
        while lines.starts[top] > first and goes_on(lines.content(top - 1), lines.content(top)):
            top -= 1
        while lines.ends[bottom] < last and goes_on(lines.content(bottom), lines.content(bottom + 1)):
            bottom += 1
        return max(first, lines.starts[top]), min(last, lines.ends[bottom])

    def paragraph(self, start: int, end: int) -> Span:
        """The paragraphs or bullets that a match touches."""
        spans = [self._paragraph(start), self._paragraph(max(start, end - 1))]
        return spans[0][0], max(last for _, last in spans)

    def _paragraph(self, place: int) -> Span:
        if self._language == MARKDOWN:
            return self._blocks.paragraph(place)
        block = self._structure.block_at(place)
        return block or self._lines.run(place, 0, len(self._lines) - 1)

    def joined(self, spans: Sequence[Span]) -> list[Span]:
        """What goes, in order: neighbours in one, and a whole block where nothing is left of it."""
        return self._neighbours([self._whole(*span) for span in self._neighbours(spans)])

    def _whole(self, first: int, last: int) -> Span:
        """A span with the marks of the heading or bullet that it leaves empty."""
        block = self._structure.block_at(first)
        if block is None or first > self._mark_end(block[0]) or self._text[last : block[1]].strip():
            return first, last
        first = min(first, block[0])
        around = self._blocks.at(first) if self._language == MARKDOWN else None
        if around is None:
            return first, last
        is_alone = not self._text[block[1] : around.end].strip()
        is_gone = around.kind in (HEADING, PARAGRAPH) or (around.kind == ITEM and is_alone)
        return (min(first, around.start), max(last, around.end)) if is_gone else (first, last)

    def _neighbours(self, spans: Sequence[Span]) -> list[Span]:
        """The spans, in order; two with only blanks between them in one, if they share a block or fill their lines."""
        found: list[Span] = []
        for start, end in sorted(spans):
            if found and self._are_one(found[-1], (start, end)):
                found[-1] = found[-1][0], max(end, found[-1][1])
            else:
                found.append((start, end))
        return found

    def _are_one(self, left: Span, right: Span) -> bool:
        if right[0] <= left[1]:
            return True
        between = self._text[left[1] : right[0]]
        if between.strip(" \t\r\n>"):
            return False
        block = self._structure.block_at(left[0])
        is_in_block = block is not None and right[0] < block[1]
        if block and is_in_block and (not between.strip(" \t") or left[0] <= self._mark_end(block[0])):
            return True
        if not (self._is_lines(*left) and self._is_lines(*right)):
            return False
        top, last = self._lines.number(left[0]), self._lines.number(left[1] - 1)
        first, bottom = self._lines.number(right[0]), self._lines.number(right[1] - 1)
        return first == last + 1 or (self._is_border(top - 1) and self._is_border(bottom + 1))

    def _is_border(self, number: int) -> bool:
        return self._is_edge(number) or self._lines.is_blank(number)

    def _is_lines(self, start: int, end: int) -> bool:
        """Whether a span fills its lines."""
        lines = self._lines
        before = self._text[lines.starts[lines.number(start)] : start]
        after = self._text[end : lines.ends[lines.number(max(start, end - 1))]]
        return not before.strip(" \t>") and not after.strip(" \t")

    def with_blanks(self, start: int, end: int) -> Span:
        """What to delete for a span, so that no blanks and no blank lines are left over."""
        lines, text = self._lines, self._text
        first, last = lines.number(start), lines.number(max(start, end - 1))
        if self._is_lines(start, end):
            return self._whole_lines(first, last)
        rest = text[end : lines.ends[last]]
        if rest.strip(" \t"):
            return start, end + len(rest) - len(rest.lstrip(" \t"))
        before = text[lines.starts[first] : start]
        block = self._structure.block_at(start)
        if _MARKS.fullmatch(before) and block and (gap := _UP_TO_TEXT.match(text, end)) and gap.end() < block[1]:
            # What follows in a bullet moves up to its mark.
            return start, gap.end()
        return start - (len(before) - len(before.rstrip(" \t"))), end

    def _whole_lines(self, first: int, last: int) -> Span:
        """Lines with one of the two runs of blank lines around them; a text without a final line end stays so."""
        lines = self._lines
        above, below = first, last
        while above and lines.is_blank(above - 1):
            above -= 1
        while below + 1 < len(lines) and lines.is_blank(below + 1):
            below += 1
        if above < first and self._is_edge(below + 1):
            first = above
        elif above < first or self._is_edge(first - 1):
            last = below
        start, end = lines.starts[first], lines.after(last)
        is_last = end == len(self._text) and lines.ends[-1] != lines.starts[-1]
        joins = self._text[start - 1 : start] == "\r" and self._text[end : end + 1] == "\n"
        return (lines.ends[first - 1], lines.ends[last]) if first and (is_last or joins) else (start, end)

    def _is_edge(self, number: int) -> bool:
        """Whether a line is outside of the text, or opens or closes a block of code."""
        return not 0 <= number < len(self._lines) or _FENCE.match(self._lines.content(number)) is not None


class _Leaf(NamedTuple):
    """A piece of text in a Markdown text, the kinds and numbers of the blocks around it, and what of it is shown."""

    start: int
    end: int
    path: tuple[str, ...]
    around: tuple[int, ...]
    text: str

    def shared(self, other: _Leaf) -> int:
        """How many blocks are around both of two leaves."""
        return len(set(self.around) & set(other.around))


def outline(text: str) -> list[_Leaf]:
    """All leaves of a Markdown text that show something, all cells, and empty bullets."""
    reader = _Outline()
    for number, (event, tag, start, end) in enumerate(events(text, 1 if text.startswith("\ufeff") else 0)):
        reader.take(number, event, tag, start, end)
    reader.close()
    return reader.found


class _Outline:
    """Makes leaves from the events of the Markdown parser."""

    def __init__(self) -> None:
        self.found: list[_Leaf] = []
        # The blocks that are open: kind, number, and how many leaves there were before.
        self._path: list[tuple[str, int, int]] = []
        self._pieces: list[tuple[int, int, str]] = []

    def take(self, number: int, event: str, tag: object, start: int, end: int) -> None:
        """Go on by one event."""
        kind = kind_of(tag)
        if kind in _CONTAINERS or kind in _LEAVES:
            if self._pieces or (kind in _LEAVES and event == END):
                self.close()
            if event == START:
                self._path.append((str(tag) if kind == HEADING else kind, number, len(self.found)))
            else:
                if kind == ITEM and self._path[-1][2] == len(self.found):
                    self._add(start, start, "")
                self._path.pop()
        elif not event:
            self._pieces.append((start, end, "---" if kind == "Rule" else _shown(tag)))
            if kind == "Rule":
                self.close()

    def close(self) -> None:
        """End the leaf that is being read."""
        shown = " ".join("".join(piece for _, _, piece in self._pieces).split())
        if shown or (self._path and self._path[-1][0] == "TableCell"):
            start = self._pieces[0][0] if self._pieces else -1
            self._add(start, max((end for _, end, _ in self._pieces), default=-1), shown)
        self._pieces.clear()

    def _add(self, start: int, end: int, shown: str) -> None:
        # Whether a list is loose does not matter, nor that two with nothing between them are one.
        kinds = tuple(kind for kind, _, _ in self._path if kind != "Paragraph")
        around = tuple(number for kind, number, _ in self._path if kind not in ("Paragraph", "List"))
        self.found.append(_Leaf(start, end, kinds, around, shown))


def _shown(event: object) -> str:
    return str(next(iter(event.values()))) if isinstance(event, dict) else " "


def harmless(text: str, spans: Sequence[Span]) -> set[Span]:
    """Those of some spans, in order and apart, that can be deleted without a change to what stands around them."""
    before = outline(text)
    readings = min(MOST_READINGS, MOST_CHARACTERS // max(1, len(text)))

    def keeps(chosen: Sequence[Span]) -> bool:
        nonlocal readings
        readings -= 1
        return readings >= 0 and _keeps(text, before, outline(without(text, chosen)), chosen)

    def tried(chosen: Sequence[Span]) -> list[Span]:
        if keeps(chosen):
            return list(chosen)
        half = len(chosen) // 2
        return [*tried(chosen[:half]), *tried(chosen[half:])] if half else []

    found = tried(spans)
    # Each half may do no harm, and both together some; then one goes, and the next round sees what is left.
    return next((set(some) for some in (found, found[:1]) if keeps(some)), set())


def without(text: str, spans: Sequence[Span]) -> str:
    """A text without some spans, which are in order and apart."""
    kept = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
    return "".join(text[start:end] for start, end in kept)


def _keeps(text: str, before: Sequence[_Leaf], after: Sequence[_Leaf], spans: Sequence[Span]) -> bool:
    """Whether one outline is the other without what is in some spans of the text."""
    at = 0
    last: _Leaf | None = None
    for leaf in before:
        cuts = list(_cuts(leaf, spans))
        now = after[at] if at < len(after) and after[at].path == leaf.path else None
        is_gone = bool(cuts) and not without(text[leaf.start : leaf.end], cuts).strip(" \t\r\n>")
        is_empty_cell = now is not None and now.path[-1:] == ("TableCell",) and not now.text
        if is_gone and not is_empty_cell:
            continue
        if now is None or not (_is_part(now.text, leaf.text) if cuts else now.text == leaf.text):
            return False
        if (cuts and "TableHead" in leaf.path) or (last and last.shared(leaf) != after[at - 1].shared(now)):
            return False
        last, at = leaf, at + 1
    return at == len(after)


def _cuts(leaf: _Leaf, spans: Sequence[Span]) -> Iterator[Span]:
    """What of a leaf is in some spans, by places in the leaf."""
    number = max(0, bisect_left(spans, (leaf.start, 0)) - 1)
    while number < len(spans) and spans[number][0] < leaf.end:
        start, end = max(spans[number][0], leaf.start), min(spans[number][1], leaf.end)
        if start < end:
            yield start - leaf.start, end - leaf.start
        number += 1


def _is_part(text: str, whole: str) -> bool:
    """Whether a text is another one with some characters left out."""
    letters = iter(whole)
    return all(letter in letters for letter in text)
