"""What was found already in a text before it changed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from review_gate.checks.applies import Page
from review_gate.checks.judge import needs_structure
from review_gate.checks.match import BYTE_ORDER_MARK
from review_gate.checks.readings import readings_of
from review_gate.reviewers.text import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from review_gate.checks.new_lines import NewLines
    from review_gate.checks.rule import Hit

    # First and last of some lines that stand together, from 1.
    Run = tuple[int, int]

# A text that is made of the same few lines could be compared with itself for ever.
MOST_COMPARISONS = 200_000


def version_before(page: Page, data: bytes) -> Page | None:
    """The text as it was, read as the new one is; None when it was binary, so that no check looked at it."""
    readings = readings_of(Page(page.path, data, place=page.place, is_change=True))
    alike = [reading for reading in readings if reading.codec == page.codec]
    return next(iter(alike or readings), None)


def lines_in(text: str) -> list[str]:
    """The lines of a text as hits count them."""
    return split_lines(text.removeprefix(BYTE_ORDER_MARK))


class Kept:
    """Which line of the old version each line is that a change leaves alone."""

    def __init__(self, runs: Sequence[Run], starts: Sequence[int | None]) -> None:
        self._firsts = [first for first, _ in runs]
        self._runs = runs
        self._starts = starts
        found = sorted(
            (start, start + last - first) for (first, last), start in zip(runs, starts, strict=True) if start
        )
        self._old_firsts = [first for first, _ in found]
        self._old_lasts = [last for _, last in found]

    def has(self, line: int) -> bool:
        """Whether a line is one that stayed."""
        index = bisect_right(self._firsts, line) - 1
        return index >= 0 and line <= self._runs[index][1]

    def old_line(self, line: int) -> int | None:
        """The number that a line had, None where nobody knows."""
        index = bisect_right(self._firsts, line) - 1
        if not self.has(line) or self._starts[index] is None:
            return None
        return line - self._firsts[index] + (self._starts[index] or 0)

    def is_kept(self, old_line: int) -> bool:
        """Whether a line of the old version is still there."""
        index = bisect_right(self._old_firsts, old_line) - 1
        return index >= 0 and old_line <= self._old_lasts[index]


def kept_lines(lines: Sequence[str], old: Sequence[str], runs: Sequence[Run]) -> Kept | None:
    """Where the runs of lines that a change leaves alone stood, None where that would take too long to find out.

    Each is found behind the one before it, if it is found.
    """
    wanted = {lines[first - 1] for first, _ in runs}
    places: dict[str, list[int]] = {}
    for place, line in enumerate(old):
        if line in wanted:
            places.setdefault(line, []).append(place)
    starts: list[int | None] = []
    free, left = 0, MOST_COMPARISONS
    for first, last in runs:
        run, start = lines[first - 1 : last], None
        candidates = places.get(run[0], [])
        for place in candidates[bisect_left(candidates, free) :]:
            left -= 1 + len(run) // 64
            if left < 0:
                return None
            if old[place + len(run) - 1 : place + len(run)] == run[-1:] and old[place : place + len(run)] == run:
                start, free = place + 1, place + len(run)
                break
        starts.append(start)
    return Kept(runs, starts)


def not_before(text: str, hits: Sequence[Hit], new: NewLines) -> list[Hit]:
    """The hits in lines that stayed which were none before; all of them where nobody can tell."""
    known = [(side, side.page) for side in new.sides if side.page is not None]
    if not known:
        # Without any old version, what stands in a line that stayed is old, unless the lines around decide.
        return [hit for hit in hits if needs_structure(hit)]
    lines, fresh = lines_in(text), list(hits)
    for side, page in known:
        old = lines_in(page.text)
        kept = kept_lines(lines, old, side.ranges.kept_runs(len(lines)))
        if kept is not None and side.found is not None:
            fresh = not_among(fresh, lines, side.found, old, kept)
    return fresh


def not_among(
    hits: Iterable[Hit], lines: Sequence[str], found_before: Iterable[Hit], old: Sequence[str], kept: Kept
) -> list[Hit]:
    """The hits that were none in an old version.

    A line that is new to it comes from another side of a merge. One that stayed, and of which nobody knows where it
    was, is told by what it says.
    """
    places = set()
    others: dict[tuple[str, int], int] = {}
    for hit in found_before:
        places.add((hit.rule.id, hit.line, hit.column))
        if not kept.is_kept(hit.line):
            name = _by_line(hit, old)
            others[name] = others.get(name, 0) + 1
    fresh = []
    for hit in hits:
        line = kept.old_line(hit.line)
        if not kept.has(hit.line):
            is_fresh = True
        elif line is not None:
            is_fresh = (hit.rule.id, line, hit.column) not in places
        else:
            name = _by_line(hit, lines)
            others[name] = others.get(name, 0) - 1
            is_fresh = others[name] < 0 and needs_structure(hit)
        if is_fresh:
            fresh.append(hit)
    return fresh


def _by_line(hit: Hit, lines: Sequence[str]) -> tuple[str, int]:
    """A check and what its line says, but for the blanks around it: as a number, for a line may be long."""
    return hit.rule.id, hash(lines[hit.line - 1].strip())
