"""Removals that leave the structure of a Markdown text as it is: another way for one that does not, else none."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from review_gate.checks.outline import Removals, leaves_of
from review_gate.checks.text_blocks import Span

# How often a text is read again to see what its removals do, and how many characters in all.
MOST_READINGS, LEAST_READINGS = 16, 5
MOST_CHARACTERS = 40_000_000
# The last readings look for no other way, only for what has to stay.
LAST_READINGS = 3


class Choice:
    """The spans that can be deleted to the same end, and the one that is; none when all of them do harm."""

    __slots__ = ("_place", "_ways")

    def __init__(self, ways: Sequence[Span]) -> None:
        self._ways = ways
        self._place = 0

    @property
    def span(self) -> Span | None:
        """What is deleted."""
        return self._ways[self._place] if self._place < len(self._ways) else None

    def give_up(self) -> None:
        """Delete nothing."""
        self._place = len(self._ways)

    def go_on(self, low: int, high: int) -> None:
        """Take the next span that lies between two places."""
        self._place += 1
        while (span := self.span) and not low <= span[0] <= span[1] <= high:
            self._place += 1


def keep_structure(text: str, first: int, choices: Sequence[Choice], taken: Iterable[Span]) -> None:
    """Choose spans that change nothing but what they delete, in order and apart, also from those `taken`."""
    leaves = leaves_of(text, first)
    limit = max(LEAST_READINGS, min(MOST_READINGS, MOST_CHARACTERS // max(1, len(text))))
    borders = sorted(taken)
    for number in range(limit):
        left = [choice for choice in choices if choice.span]
        removals = Removals(text, [choice.span for choice in left if choice.span])
        expected = removals.outline(leaves)
        actual = removals.outline(leaves_of(removals.result(), first), is_after=True)
        is_late = number >= limit - LAST_READINGS
        blamed = removals.blamed(expected, actual, is_strict=is_late or number > limit // 2)
        if not blamed:
            return
        for index in sorted(blamed):
            if is_late:
                left[index].give_up()
            else:
                _go_on(left, index, borders, len(text))
    for choice in choices:
        choice.give_up()


def _go_on(choices: Sequence[Choice], index: int, taken: Sequence[Span], end: int) -> None:
    """Let a choice go on without touching its neighbours."""
    choice = choices[index]
    span = choice.span or (0, 0)
    place = bisect_left(taken, span)
    below = [other.span for other in choices[max(0, index - 1) : index] if other.span]
    above = [other.span for other in choices[index + 1 : index + 2] if other.span]
    low = max((one[1] for one in [*below, *taken[max(0, place - 1) : place]]), default=0)
    high = min((one[0] for one in [*above, *taken[place : place + 1]]), default=end)
    choice.go_on(low, high)
