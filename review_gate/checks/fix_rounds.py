"""Fixes round after round until nothing is left to do; checks whose fixes never come to an end are left alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from review_gate.checks.fix import Block, Change, Fixed, Left, Rounds, fixed
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rule import Hit
from review_gate.checks.text_blocks import Lines
from review_gate.checks.watch import Watch

ROUNDS = 10

COMES_BACK = "its fix brings the pattern back"


Find = Callable[[str, Rounds], Sequence[Hit]]


def fix_until_stable(
    text: str, find: Find, rounds: int = ROUNDS, language: str = MARKDOWN, within: Watch | None = None
) -> Fixed:
    """The text when no fix has anything left to do; `find` looks for matches after some rounds.

    Checks that still change something in the last round are left out, and all begins anew without them.
    """
    done = Fixed(text)
    for _ in range(rounds):
        again, is_whole = _attempt(done, find, rounds, language, within or Watch())
        done = replace(again, changes=(*done.changes, *again.changes))
        # What was left out in a text that is another one by now has its chance.
        if is_whole or not again.changes:
            return done
    return Fixed(text, (), tuple(Left(hit, COMES_BACK) for hit in find(text, ())))


def _attempt(begun: Fixed, find: Find, rounds: int, language: str, within: Watch) -> tuple[Fixed, bool]:
    """A text after fixes that came to an end, and whether no check had to be left out for that."""
    banned: set[str] = set()
    while True:
        run = _Run(begun, find, language, banned, within)
        if not (endless := run.play(rounds)):
            left = tuple(sorted(run.left, key=lambda left: left.hit.start))
            return Fixed(run.text, tuple(run.changes), left, run.rounds), not banned
        banned |= endless


class _Run:
    """One way from the text as it was to one without fixes to do."""

    def __init__(self, begun: Fixed, find: Find, language: str, banned: set[str], within: Watch) -> None:
        self.text = begun.text
        self.left: list[Left] = []
        self.changes: list[Change] = []
        self._find = find
        self._language = language
        self._banned = banned
        self._within = within
        self.rounds = begun.rounds
        # What the last round wrote: start, end and check.
        self._written: list[tuple[int, int, str]] = []

    def play(self, rounds: int) -> set[str]:
        """Go on until nothing changes; else the checks that would go on."""
        seen = {self.text: 0}
        rules: list[set[str]] = []
        for number in range(rounds + 1):
            step = self._step()
            if not step.changes:
                return set()
            if again := {change.rule for change in step.changes if self._is_again(change)}:
                return again
            rules.append({rule for change in step.changes for rule in change.rules})
            with self._within:
                self._take(step)
            if self.text in seen:
                return set().union(*rules[seen[self.text] :])
            seen[self.text] = number + 1
        return rules[-1]

    def _step(self) -> Fixed:
        hits = self._find(self.text, self.rounds)
        self.left = [Left(hit, COMES_BACK) for hit in hits if hit.rule.id in self._banned]
        with self._within:
            step = fixed(self.text, [hit for hit in hits if hit.rule.id not in self._banned], self._language)
        self.left += step.left
        return step

    def _is_again(self, change: Change) -> bool:
        """Whether a check changes what it wrote in the round before, and not to make it shorter."""
        number = bisect_right(self._written, change.end, key=lambda piece: piece[0]) - 1
        while number >= 0 and self._written[number][1] >= change.start:
            if self._written[number][2] == change.rule:
                return len(change.after) >= len(change.before)
            number -= 1
        return False

    def _take(self, step: Fixed) -> None:
        lines = [line_before(change.line - 1, self.rounds)[0] + 1 for change in step.changes]
        self.changes += [replace(change, line=line) for change, line in zip(step.changes, lines, strict=True)]
        self.rounds += (_blocks(self.text, step),)
        growth, self._written = 0, []
        for change in step.changes:
            start = change.start + growth
            self._written.append((start, start + len(change.after), change.rule))
            growth += len(change.after) - len(change.before)
        # Bytes that were no character can have become one, now that they are neighbours.
        self.text = step.text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def _blocks(text: str, step: Fixed) -> tuple[Block, ...]:
    """The lines that changes touch, before and after them."""
    before, after = Lines(text), Lines(step.text)
    found: list[Block] = []
    growth = 0
    for change in step.changes:
        start, end = change.start + growth, change.start + growth + len(change.after)
        old, old_end, new, new_end = *map(before.number, (change.start, change.end)), *map(after.number, (start, end))
        # What ends with a line does not touch the next one.
        is_more = change.end != before.starts[old_end] or end != after.starts[new_end]
        block = Block(old, old_end + is_more, new, new_end + is_more)
        if found and (block.old < found[-1].old_end or block.new < found[-1].new_end):
            block = Block(found[-1].old, block.old_end, found[-1].new, block.new_end)
            found.pop()
        found.append(block)
        growth += len(change.after) - len(change.before)
    return tuple(found)


def line_before(line: int, rounds: Rounds) -> range:
    """The lines of the text as it was, from 0, that one of the text after some rounds comes from."""
    lines = range(line, line + 1)
    for blocks in reversed(rounds):
        first, last = _origin(lines.start, blocks), _origin(lines.stop - 1, blocks)
        lines = range(first.start, last.stop)
    return lines


def _origin(line: int, blocks: Sequence[Block]) -> range:
    number = bisect_right(blocks, line, key=lambda block: block.new) - 1
    if number < 0:
        return range(line, line + 1)
    block = blocks[number]
    if line < block.new_end:
        return range(block.old, block.old_end)
    shift = block.new_end - block.old_end
    return range(line - shift, line - shift + 1)


def moved_ranges(ranges: Sequence[range], rounds: Rounds) -> list[range]:
    """Where lines, from 1, are after some rounds; lines that these have changed count too."""
    moved = list(ranges)
    for blocks in rounds:
        moved = _moved(moved, blocks)
    return moved


def _moved(ranges: Sequence[range], blocks: Sequence[Block]) -> list[range]:
    found: list[range] = []
    kept_from, shift = 0, 0
    for block in (*blocks, None):
        for one in ranges:
            start, stop = max(one.start, kept_from + 1), min(one.stop, block.old + 1) if block else one.stop
            if start < stop:
                found.append(range(start + shift, stop + shift))
        if block:
            found.append(range(block.new + 1, block.new_end + 1))
            kept_from, shift = block.old_end, block.new_end - block.old_end
    return found
