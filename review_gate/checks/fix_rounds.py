"""Fixes round after round until nothing is left to do; a fix that brings its own pattern back is not applied at all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from review_gate.checks.fix import Change, Fixed, Left, fixed
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rule import Hit
from review_gate.checks.text_blocks import LINE_END, Lines
from review_gate.checks.watch import Watch

Find = Callable[[str], Sequence[Hit]]
ROUNDS = 10
# How often everything may start again without the fixes that were found to go in circles.
ATTEMPTS = 20

COMES_BACK = "its fix brings the pattern back"
NO_END = "its fixes do not come to an end"


def fix_until_stable(
    text: str, find: Find, rounds: int = ROUNDS, language: str = MARKDOWN, within: Watch | None = None
) -> Fixed:
    """The text when no fix has anything left to do; the same call on the result changes nothing more.

    Each round is worked out `within` a limit; `find` has its own.
    """
    within = within or Watch()
    done = _attempts(text, find, rounds, language, within)
    changes = list(done.changes)
    while done.changes and any(left.reason in (COMES_BACK, NO_END) for left in done.left):
        # What was held back at a place that is gone by now has its chance.
        again = _attempts(done.text, find, rounds, language, within)
        if not again.changes:
            return Fixed(again.text, tuple(changes), again.left)
        changes += again.changes
        done = again
        rounds -= 1
        if not rounds:
            return Fixed(text, (), tuple(Left(hit, NO_END) for hit in find(text)))
    return Fixed(done.text, tuple(changes), done.left)


def _attempts(text: str, find: Find, rounds: int, language: str, within: Watch) -> Fixed:
    banned: dict[str, str] = {}
    for _ in range(ATTEMPTS):
        run = _Run(text, find, language, banned, within)
        circling = run.play(rounds)
        if not circling:
            return run.result()
        banned |= circling
    return Fixed(text, (), tuple(Left(hit, banned.get(hit.rule.id, NO_END)) for hit in find(text)))


class _Run:
    """One way from the text as it was to one without fixes to do, and where on it each check wrote something."""

    def __init__(self, text: str, find: Find, language: str, banned: dict[str, str], within: Watch) -> None:
        self.text = text
        self.within = within
        self.find = find
        self.language = language
        self.banned = banned
        self.left: list[Left] = []
        self.changes: list[Change] = []
        self.origins = list(range(1, len(LINE_END.findall(text)) + 2))
        self.written: list[_Written] = []

    def result(self) -> Fixed:
        """What was reached."""
        return Fixed(self.text, tuple(self.changes), tuple(sorted(self.left, key=lambda left: left.hit.start)))

    def play(self, rounds: int) -> dict[str, str]:
        """Go on until nothing changes; else the checks whose fixes go in circles, each with the reason."""
        for _ in range(rounds):
            step = self._step()
            if not step.changes:
                return {}
            circling = self._circling(step.changes)
            if circling:
                return circling
            with self.within:
                self._take(step)
        last = self._step()
        return {rule: NO_END for change in last.changes for rule in change.rules}

    def _step(self) -> Fixed:
        hits = self.find(self.text)
        self.left = [Left(hit, self.banned[hit.rule.id]) for hit in hits if hit.rule.id in self.banned]
        with self.within:
            step = fixed(self.text, [hit for hit in hits if hit.rule.id not in self.banned], self.language)
        self.left += step.left
        return step

    def _circling(self, changes: Sequence[Change]) -> dict[str, str]:
        """The checks that would again change what they wrote, and those whose fixes lie between."""
        found: dict[str, str] = {}
        for change in changes:
            history = [rule for piece in self._touched(change) for rule in piece.rules]
            # What gets shorter comes to an end by itself: four blanks become two and then one.
            if change.rule in history and len(change.after) >= len(change.before):
                found |= dict.fromkeys([*history[history.index(change.rule) :], change.rule], COMES_BACK)
        return found

    def _touched(self, change: Change) -> list[_Written]:
        place = bisect_left(self.written, change.start, key=_end)
        touched = []
        while place < len(self.written) and self.written[place].start <= change.end:
            if self.written[place].meets(change):
                touched.append(self.written[place])
            place += 1
        return touched

    def _take(self, step: Fixed) -> None:
        last = len(self.origins)
        self.changes += [replace(change, line=self.origins[min(change.line, last) - 1]) for change in step.changes]
        self.origins = _moved_lines(self.origins, Lines(self.text), step)
        self._remember(step.changes)
        # Bytes that were no character can have become one, now that they are neighbours.
        self.text = step.text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")

    def _remember(self, changes: Sequence[Change]) -> None:
        """Where the text of each check is after these changes."""
        growth = [0, *accumulate(len(change.after) - len(change.before) for change in changes)]
        fresh = []
        for change, shift in zip(changes, growth, strict=False):
            history = [rule for piece in self._touched(change) for rule in piece.rules if rule not in change.rules]
            start = change.start + shift
            fresh.append(_Written(start, start + len(change.after), tuple(dict.fromkeys([*history, *change.rules]))))
        ends = [change.end for change in changes]
        for piece in self.written:
            for start, end in piece.remains(changes, bisect_left(ends, piece.start)):
                shift = growth[bisect_right(ends, start)]
                fresh.append(_Written(start + shift, end + shift, piece.rules))
        self.written = sorted(fresh, key=lambda piece: (piece.start, piece.end))


class _Written:
    """A stretch of the text that fixes wrote, with their checks in order."""

    __slots__ = ("end", "rules", "start")

    def __init__(self, start: int, end: int, rules: tuple[str, ...]) -> None:
        self.start = start
        self.end = end
        self.rules = rules

    def meets(self, change: Change) -> bool:
        """Whether a change takes some of it; for one where a text was deleted, whether it reaches that place."""
        if self.start == self.end:
            return change.start <= self.start <= change.end
        return self.start < change.end and change.start < self.end

    def remains(self, changes: Sequence[Change], place: int) -> Iterator[tuple[int, int]]:
        """The parts of it that no change takes, from the first change that can reach it on."""
        at = self.start
        is_taken = False
        while place < len(changes) and changes[place].start <= self.end:
            change = changes[place]
            if self.meets(change):
                is_taken = True
                if change.start > at:
                    yield at, change.start
                at = max(at, change.end)
            place += 1
        if at < self.end or not is_taken:
            yield at, self.end


def _end(piece: _Written) -> int:
    return piece.end


def _moved_lines(origins: list[int], lines: Lines, step: Fixed) -> list[int]:
    """The first number of every line, after changes that took lines away and put others in."""
    moved: list[int] = []
    changes = step.changes
    done, shift = 0, 0
    for start in Lines(step.text).starts:
        while done < len(changes) and changes[done].start + shift + len(changes[done].after) <= start:
            shift += len(changes[done].after) - len(changes[done].before)
            done += 1
        # What a change wrote belongs to the line that it begins on.
        place = start - shift if done == len(changes) else min(start - shift, changes[done].start)
        moved.append(origins[lines.number(place)])
    return moved
