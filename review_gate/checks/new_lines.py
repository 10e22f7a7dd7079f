"""Which matches in a changed text count: those that the change brought about."""

from __future__ import annotations

from _bisect import bisect_left, bisect_right

from review_gate.checks.applies import applies
from review_gate.checks.match import lines_of
from review_gate.checks.rule import BY_SENTENCE, WHOLE_FILE
from review_gate.reviewers.text import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from review_gate.checks.applies import Page
    from review_gate.checks.rule import Hit, Rule

    # The numbers of the lines that a change adds, as ranges; an empty one is a place behind which lines are gone.
    Added = Sequence[range]

# A sentence with more lines than this before or behind a match is one that nobody reads.
LONGEST_SENTENCE = 20


class NewLines:
    """The lines of a text that a change adds; this one is of a text in which all of them count."""

    def is_new(self, line: int) -> bool:
        """Whether a line is new."""
        return True

    def may_hold(self, hit: Hit) -> bool:
        """Whether a match may count, for all that is known before its sentence is."""
        return True

    def hold(self, hit: Hit) -> bool:
        """Whether a match counts."""
        return True


class _SomeLines(NewLines):
    """The same where only some lines are new, by the numbers that git gives them."""

    def __init__(self, page: Page, text: str, added: Added) -> None:
        self._page = page
        self._text = text
        self._ranges = [one for one in added if one]
        self._starts = [one.start for one in self._ranges]
        self._gaps = [one.start for one in added if not one]
        self._numbers = _numbers_of_git(page, text)

    def is_new(self, line: int) -> bool:
        number = self._number(line)
        index = bisect_right(self._starts, number) - 1
        return index >= 0 and number in self._ranges[index]

    def may_hold(self, hit: Hit) -> bool:
        if self._holds_whatever_changed(hit.rule):
            return True
        reach = LONGEST_SENTENCE if hit.rule.match_rule in BY_SENTENCE else 0
        return self._touch(hit.line - reach, hit.end_line + reach)

    def hold(self, hit: Hit) -> bool:
        return self._holds_whatever_changed(hit.rule) or self._touch(*self._lines_of(hit))

    def _holds_whatever_changed(self, rule: Rule) -> bool:
        """Whether a check is for whole files, or did not look at the file before it moved."""
        page = self._page
        is_first_look = bool(page.moved_from) and not applies(rule, page.where_it_was())
        return WHOLE_FILE in rule.places or is_first_look

    def _lines_of(self, hit: Hit) -> tuple[int, int]:
        """First and last line of a match, or of the sentence that decided about it."""
        start, end = hit.sentence or (hit.start, hit.end)
        before, behind = self._text[start : hit.start], self._text[hit.end : end]
        return hit.line - len(split_lines(before)) + 1, hit.end_line + len(split_lines(behind)) - 1

    def _touch(self, first: int, last: int) -> bool:
        """Whether one of some lines is new, or lines are gone between two of them."""
        low, high = self._number(max(first, 1)), self._number(last)
        index = bisect_right(self._starts, high) - 1
        is_added = index >= 0 and self._ranges[index].stop > low
        return is_added or bisect_left(self._gaps, low) < bisect_left(self._gaps, high)

    def _number(self, line: int) -> int:
        return self._numbers[min(line, len(self._numbers)) - 1] if self._numbers else line


def new_lines(page: Page, text: str, added: Mapping[str, Added]) -> NewLines:
    """The lines of a page that count: of a changed file those that are new, of any other all."""
    return _SomeLines(page, text, added.get(page.path, ())) if page.is_change and not page.is_new else NewLines()


def _numbers_of_git(page: Page, text: str) -> list[int]:
    """The numbers that git gives to our lines, none where they are the same: for git only the byte LF ends a line."""
    if page.wide:
        # Characters such as U+010A hold that byte too.
        return _counted(page.wide, [len(part.encode(page.codec)) for part in _between(text)])
    if text.count("\r") == text.count("\r\n"):
        return []
    return _counted(page.data, [len(part.encode("utf-8", "surrogateescape")) for part in _between(text)])


def _between(text: str) -> Iterator[str]:
    """What lies between the starts of our lines."""
    at = 0
    for start, _ in lines_of(text):
        yield text[at:start]
        at = start


def _counted(data: bytes, lengths: Sequence[int]) -> list[int]:
    """How many lines git has begun after each of some lengths of bytes."""
    numbers = []
    at, number = 0, 1
    for length in lengths:
        number += data.count(b"\n", at, at + length)
        at += length
        numbers.append(number)
    return numbers
