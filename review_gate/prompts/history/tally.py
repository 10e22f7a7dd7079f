"""Counting the lines of the audit log, a million of them in little memory, into the figures of its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from review_gate.prompts.history.log_line import LoggedCost, LogLine, read_line
from review_gate.prompts.history.stats import (
    ACCEPTED,
    DECIDED,
    MICROS,
    NOT_REVIEWED,
    DayOfReviews,
    Duration,
    ReviewerStats,
    Spent,
    Stats,
    rate,
    together,
)
from review_gate.prompts.schema import Role, Weight

# Names come from outside, and a log of nothing but new ones must not fill the memory.
MOST_NAMES = 10_000
OTHERS = "(others)"
EXACT_MS = 10_000
# Beyond the exact ones durations are told to the tenth of a second, beyond a quarter of an hour to ten seconds.
STEPS = ((1_000_000, 100), (0, 10_000))


class DayTally:
    """The counters of one day."""

    def __init__(self) -> None:
        self.reviews = self.findings = 0
        self.outcomes: Counter[str] = Counter()
        self.input_tokens = self.output_tokens = self.micros = self.unknown_price = self.untold = 0

    def spend(self, cost: LoggedCost | None) -> None:
        """Add what one review took."""
        if cost is None:
            self.untold += 1
            return
        self.input_tokens += cost["input_tokens"]
        self.output_tokens += cost["output_tokens"]
        if cost["usd"] is None:
            self.unknown_price += 1
        else:
            self.micros += round(cost["usd"] * MICROS)

    def result(self, day: str) -> DayOfReviews:
        """The day as it is shown."""
        cost = Spent(
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            usd=self.micros / MICROS,
            unknown_price=self.unknown_price,
            untold=self.untold,
        )
        return DayOfReviews(
            day=day, reviews=self.reviews, findings=self.findings, outcomes=_most_first(self.outcomes), cost=cost
        )


class Tally:
    """All counters; with a project, only its reviews count."""

    def __init__(self, project: str | None = None) -> None:
        self._project = project
        self._days: dict[str, DayTally] = {}
        self._ways: Counter[tuple[str, str]] = Counter()
        self._projects: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._asked: Counter[tuple[str, ...]] = Counter()
        self._failed: Counter[tuple[str, ...]] = Counter()
        self._found: Counter[tuple[str, str]] = Counter()
        self._durations: Counter[int] = Counter()
        self._conflicts = self._dropped = self._hits = self.damaged = 0

    def add(self, day: str, lines: Iterable[bytes]) -> None:
        """Count some lines out of the file of a day; what is no review is damaged, but an empty line is nothing."""
        for line in lines:
            entry = read_line(line, day)
            if entry is None:
                self.damaged += 1 if line.strip() else 0
                continue
            _count_name(self._projects, entry["project"])
            if self._project is None or entry["project"] == self._project:
                self._count(entry, self._days.get(day) or self._days.setdefault(day, DayTally()))

    def _count(self, entry: LogLine, day: DayTally) -> None:
        day.reviews += 1
        day.findings += entry["findings_count"]
        day.outcomes[entry["outcome"]] += 1
        day.spend(entry["cost"])
        self._ways[entry["mode"], entry["trigger"]] += 1
        self._conflicts += entry["conflicts"]
        active = entry["reviewers_active"]
        self._asked[active] += 1
        if entry.get("is_cached"):
            self._hits += 1
        elif active:
            self._durations[_rounded(entry["duration_ms"])] += 1
        self._count_rare(entry)

    def _count_rare(self, entry: LogLine) -> None:
        """What most reviews do not have, or not much of."""
        for role, found in entry.get("findings", {}).items():
            for weight, count in found.items():
                self._found[role, weight] += count
        if failed := entry.get("reviewers_failed"):
            self._failed[failed] += 1
        self._dropped += entry.get("dropped", 0)
        if entry["outcome"] == NOT_REVIEWED:
            _count_name(self._reasons, entry.get("reason") or "no reason told")

    @property
    def projects(self) -> dict[str, int]:
        """How many reviews each project has, whichever was asked for."""
        return _most_first(self._projects)

    def result(self, since: str | None = None, until: str | None = None) -> Stats:
        """The figures of all that was added."""
        days = tuple(self._days[day].result(day) for day in sorted(self._days))
        outcomes = sum((one.outcomes for one in self._days.values()), Counter[str]())
        decided = sum(outcomes[outcome] for outcome in DECIDED)
        reviews = outcomes.total()
        return Stats(
            since=since,
            until=until,
            project=self._project,
            reviews=reviews,
            days=days,
            outcomes=_most_first(outcomes),
            modes=_most_first(_by(self._ways, 0)),
            triggers=_most_first(_by(self._ways, 1)),
            projects=self.projects if self._project is None else {self._project: reviews} if reviews else {},
            reasons=_most_first(self._reasons),
            decided=decided,
            approval_rate=rate(sum(outcomes[outcome] for outcome in ACCEPTED), decided),
            findings=sum(one.findings for one in days),
            reviewers=self._reviewers(),
            conflicts=self._conflicts,
            dropped=self._dropped,
            cost=together(one.cost for one in days),
            duration=_duration(self._durations),
            cache_hits=self._hits,
            cache_hit_rate=rate(self._hits, reviews - outcomes[NOT_REVIEWED]),
            damaged_lines=self.damaged,
        )

    def _reviewers(self) -> tuple[ReviewerStats, ...]:
        """Those that were asked or found anything, in their usual order."""
        asked, failed = _each(self._asked), _each(self._failed)
        made = (
            ReviewerStats(
                role=role,
                asked=asked[role.value],
                failed=failed[role.value],
                findings={weight: self._found[role.value, weight.value] for weight in Weight},
            )
            for role in Role
        )
        return tuple(one for one in made if one.asked or one.failed or one.total)


def _count_name(names: Counter[str], name: str) -> None:
    names[name if name in names or len(names) < MOST_NAMES else OTHERS] += 1


def _rounded(milliseconds: int) -> int:
    """A duration as it is kept: of so many kinds at most that they fit into any memory."""
    if milliseconds < EXACT_MS:
        return milliseconds
    step = next(step for limit, step in STEPS if milliseconds < limit or not limit)
    return milliseconds // step * step


def _by(ways: Mapping[tuple[str, str], int], place: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for way, count in ways.items():
        counts[way[place]] += count
    return counts


def _each(groups: Mapping[tuple[str, ...], int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for names, count in groups.items():
        for name in {*names}:
            counts[name] += count
    return counts


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    """The most frequent first; among equals by name, so that the same log always looks the same."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _duration(durations: Mapping[int, int]) -> Duration:
    total = sum(durations.values())
    return Duration(reviews=total, median_ms=_quantile(durations, total, 50), p90_ms=_quantile(durations, total, 90))


def _quantile(durations: Mapping[int, int], total: int, percent: int) -> int | None:
    """The smallest duration within which that part of all reviews was done."""
    seen = 0
    for duration in sorted(durations):
        seen += durations[duration]
        if seen * 100 >= total * percent:
            return duration
    return None
