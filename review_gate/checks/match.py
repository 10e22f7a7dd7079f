"""The lines of a text, and the place of a match among them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from review_gate.checks.rule import Hit, Rule

# Where a line begins in the text, and the line without its end.
Line = tuple[int, str]

BYTE_ORDER_MARK = "\ufeff"


def lines_of(text: str) -> Iterator[Line]:
    """The lines with the place where each begins; a byte order mark belongs to none."""
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    for line in text[start:].replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        yield start, line
        start += len(line)
        start += 2 if text.startswith("\r\n", start) else 1


def hit_at(
    rule: Rule, text: str, lines: list[Line], span: tuple[int, int], *, is_raw: bool, is_hidden: bool = False
) -> Hit:
    """The hit at a place; a check for raw text tells the characters of a line end apart."""
    start, end = span
    # A match that ends with the line takes both characters of its end.
    end += text[end - 1 : end + 1] == "\r\n" and not is_raw
    number, last = (bisect_right(lines, place, key=_begin) for place in (start, end - 1))
    column = start - lines[number - 1][0] + 1
    return Hit(
        rule, line=number, column=column, start=start, end=end, text=text[start:end], end_line=last, is_hidden=is_hidden
    )


def _begin(line: Line) -> int:
    return line[0]
