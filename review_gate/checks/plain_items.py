"""Items of lists in plain text that Markdown does not know, such as those of AsciiDoc."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.checks.plain_text import begins_anew, other_mark_of, text_of_line
from review_gate.checks.text_blocks import Frame, Leaf, Lines


def items_in(lines: Lines, leaf: Leaf) -> Iterator[Frame]:
    """The items within a paragraph, as frames: a mark with the text behind it, on its line and on those below."""
    item: Frame | None = None
    for number in range(lines.number(leaf.start), lines.number(leaf.end - 1) + 1):
        start, end = max(lines.starts[number], leaf.start), min(lines.ends[number], leaf.end)
        line = _without_break(lines.text[start:end])
        end = start + len(line)
        if item and begins_anew(line):
            yield item
            item = None
        if mark := other_mark_of(line):
            item = Frame(end - len(text_of_line(line)), end)
            item.hold((start + mark.end(), end))
        elif item:
            item.end = end
            item.hold((start, end))
    if item:
        yield item


def _without_break(line: str) -> str:
    """A line without the blanks and the backslash that break it behind its text."""
    words = line.rstrip(" \t")
    shorter = words.removesuffix("\\").rstrip(" \t")
    # What is left of a backslash alone is no item.
    return shorter if other_mark_of(shorter) or not other_mark_of(words) else words
