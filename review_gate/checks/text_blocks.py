"""The lines of a text, and the paragraphs and bullets of Markdown that a fix can take away."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from review_gate.checks.markdown import START, events, kind_of

Span = tuple[int, int]
BYTE_ORDER_MARK = "\ufeff"
LINE_END = re.compile(r"\r\n|\r|\n")
ITEM, PARAGRAPH, HEADING, TABLE = "Item", "Paragraph", "Heading", "Table"
FENCED = ("FencedCode", "MetadataBlock")
LINED = (*FENCED, "CodeBlock", "HtmlBlock")

_FENCE = re.compile(r"[ \t>]*(?:`{3}|~{3}|---|\.\.\.)")


class Lines:
    """Where the lines of a text begin and end; a byte order mark belongs to none of them."""

    def __init__(self, text: str) -> None:
        first = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        ends = [(match.start(), match.end()) for match in LINE_END.finditer(text)]
        self.text = text
        self.starts = [first, *(after for _, after in ends)]
        self.ends = [*(before for before, _ in ends), len(text)]

    def __len__(self) -> int:
        return len(self.starts)

    def number(self, place: int) -> int:
        """The line that a character stands on, from 0."""
        return max(0, bisect_right(self.starts, place) - 1)

    def after(self, number: int) -> int:
        """Where the next line begins."""
        return self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)

    def content(self, number: int) -> str:
        """The text of a line."""
        return self.text[self.starts[number] : self.ends[number]]

    def is_blank(self, number: int) -> bool:
        """Whether a line holds nothing but blanks and marks of quotations."""
        return not self.content(number).strip(" \t\f\v>")

    def end_near(self, place: int) -> str:
        """The kind of line end that is used around a place: that of its line, else of the line before."""
        number = self.number(place)
        if number + 1 == len(self.starts):
            number -= 1
        return self.text[self.ends[number] : self.starts[number + 1]] if number >= 0 else "\n"

    def run(self, place: int, low: int, high: int) -> Span:
        """The lines around a place, between two numbers, that no blank line parts."""
        first = last = self.number(place)
        while first > low and not self.is_blank(first - 1):
            first -= 1
        while last < high and not self.is_blank(last + 1):
            last += 1
        return self.starts[first], self.ends[last]


class Block(NamedTuple):
    """A block of Markdown without the blanks at its ends, and the number of the one around it, -1 for none."""

    kind: str
    start: int
    end: int
    around: int


class Blocks:
    """The paragraphs, headings, items, tables and pieces of code of a Markdown text, in order."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._blocks: list[Block] = []
        around = -1
        for event, tag, start, end in events(lines.text, lines.starts[0]):
            kind = kind_of(tag)
            if event == START and kind in (ITEM, PARAGRAPH, HEADING, TABLE, *LINED):
                text = lines.text[start:end]
                first, last = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
                while around >= 0 and self._blocks[around].end <= first:
                    around = self._blocks[around].around
                self._blocks.append(Block(kind, first, last, around))
                around = len(self._blocks) - 1
        self._starts = [block.start for block in self._blocks]

    def at(self, place: int) -> Block | None:
        """The paragraph, the complete bullet, the heading, table or code that holds a place."""
        number = bisect_right(self._starts, place) - 1
        while number >= 0 and self._blocks[number].end <= place:
            number = self._blocks[number].around
        found = None
        while number >= 0:
            block = self._blocks[number]
            if block.kind == TABLE or found is None:
                found = block
            elif found.kind == PARAGRAPH and block.kind == ITEM:
                # Only its first paragraph stands for a whole bullet.
                is_first = self._lines.number(block.start) == self._lines.number(found.start)
                return block if is_first else found
            number = block.around
        return found

    def paragraph(self, place: int) -> Span:
        """What goes with a place: its block, in code and where no block is the lines between blank ones."""
        block, lines = self.at(place), self._lines
        if block is None:
            return lines.run(place, 0, len(lines) - 1)
        if block.kind not in LINED:
            return block.start, block.end
        first, last, number = lines.number(block.start), lines.number(block.end - 1), lines.number(place)
        is_closed = block.kind in FENCED and _FENCE.match(lines.content(last)) is not None
        low, high = first + (block.kind in FENCED), last - is_closed
        # A fence is no part of what it holds.
        return lines.run(place, low, high) if low <= number <= high else (lines.starts[number], lines.ends[number])
