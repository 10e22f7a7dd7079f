"""The match of a regex, made again in the very text that it was found in: a line, all lines, or the text as it is."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import regex

from review_gate.checks.literals import speaks_of_carriage_returns, speaks_of_line_ends
from review_gate.checks.rule import REGEX, Hit
from review_gate.checks.sought import regex_of
from review_gate.checks.text_blocks import Lines

# A text, and a stretch of it.
_Place = tuple[str, int, int]


class Rematch:
    """A text in which matches were found, as their patterns see it."""

    def __init__(self, lines: Lines) -> None:
        self._text = lines.text
        self._lines = lines
        self._recent = (0, "")

    def end(self, hit: Hit) -> int:
        """Where a match ends; between CR and LF only if its pattern tells the two apart."""
        is_between = self._text[hit.end - 1 : hit.end + 1] == "\r\n"
        return hit.end + 1 if is_between and not is_for_raw_text(hit) else hit.end

    def match(self, hit: Hit) -> regex.Match[str] | None:
        """The match of a regex with its groups; None where it does not match like that."""
        text, start, end = self._place(hit)
        found = regex_of(hit.rule.pattern).match(text, start)
        return found if found and found.end() == end else None

    def _place(self, hit: Hit) -> _Place:
        """What the pattern was compared with, and where the match is in there: elsewhere its groups could differ."""
        pattern, end = hit.rule.pattern, self.end(hit)
        if speaks_of_carriage_returns(pattern):
            first = self._lines.starts[0]
            return self._raw, hit.start - first, end - first
        if speaks_of_line_ends(pattern):
            return self._unified, self._unified_place(hit.start), self._unified_place(end)
        start, line = self._line_around(hit.start)
        return line, hit.start - start, end - start

    @cached_property
    def _raw(self) -> str:
        return self._text[self._lines.starts[0] :]

    @cached_property
    def _unified(self) -> str:
        """The text with LF as its only line end."""
        return self._raw.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def _pairs(self) -> list[int]:
        return [match.end() for match in regex.finditer("\r\n", self._text)]

    def _unified_place(self, place: int) -> int:
        return place - self._lines.starts[0] - bisect_right(self._pairs, place)

    def _line_around(self, place: int) -> tuple[int, str]:
        """The line of a character with its start, kept because the next match is often on the same one."""
        start, line = self._recent
        if not start <= place < start + len(line):
            number = self._lines.number(place)
            self._recent = self._lines.starts[number], self._lines.content(number)
        return self._recent


def is_for_raw_text(hit: Hit) -> bool:
    """Whether a match was found by a pattern that tells one kind of line end from another."""
    return hit.rule.match_rule == REGEX and speaks_of_carriage_returns(hit.rule.pattern)
