"""Counting the reviews of the audit log into the figures of its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from review_gate.prompts.history.audit import AuditEntry, read_line
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


@dataclass
class DayTally:
    """The counters of one day."""

    findings: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    # By the name of each field of `Spent`; dollars in whole millionths, so that a sum is the same in any order.
    spent: Counter[str] = field(default_factory=Counter)

    def count(self, entry: AuditEntry) -> None:
        """Add one review."""
        self.findings += entry.findings_count
        self.outcomes[entry.outcome] += 1
        cost = entry.cost
        if cost is None:
            self.spent["untold"] += 1
            return
        self.spent["input_tokens"] += cost.input_tokens
        self.spent["output_tokens"] += cost.output_tokens
        self.spent["unknown_price"] += cost.usd is None
        self.spent["usd"] += round((cost.usd or 0.0) * MICROS)

    def result(self, day: str) -> DayOfReviews:
        """The day as it is shown."""
        cost = Spent.model_validate({**self.spent, "usd": self.spent["usd"] / MICROS})
        outcomes = _most_first(self.outcomes)
        return DayOfReviews(
            day=day, reviews=self.outcomes.total(), findings=self.findings, outcomes=outcomes, cost=cost
        )


class Tally:
    """All counters; with a project, only its reviews count."""

    def __init__(self, project: str | None = None) -> None:
        self._project = project
        self._days: dict[str, DayTally] = {}
        self._modes: Counter[str] = Counter()
        self._triggers: Counter[str] = Counter()
        self._projects: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._asked: Counter[Role] = Counter()
        self._failed: Counter[Role] = Counter()
        self._found: Counter[tuple[Role, Weight]] = Counter()
        self._durations: Counter[int] = Counter()
        self._conflicts = self._dropped = self._hits = self.damaged = 0

    def add(self, day: str, lines: Iterable[bytes]) -> None:
        """Count some lines out of the file of a day; what is no review is damaged, but an empty line is nothing."""
        for line in lines:
            entry = read_line(line, day)
            if entry is None:
                self.damaged += bool(line.strip())
                continue
            self._projects[entry.project] += 1
            if self._project in (None, entry.project):
                self._count(entry, self._days.get(day) or self._days.setdefault(day, DayTally()))

    def _count(self, entry: AuditEntry, day: DayTally) -> None:
        day.count(entry)
        self._modes[entry.mode] += 1
        self._triggers[entry.trigger] += 1
        self._conflicts += entry.conflicts
        self._dropped += entry.dropped
        self._asked.update({*entry.reviewers_active})
        self._failed.update({*entry.reviewers_failed})
        for role, found in entry.findings.items():
            self._found.update({(role, weight): count for weight, count in found.items()})
        if entry.is_cached:
            self._hits += 1
        elif entry.reviewers_active:
            self._durations[entry.duration_ms] += 1
        if entry.outcome == NOT_REVIEWED:
            self._reasons[entry.reason or "no reason told"] += 1

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
        timed = self._durations.total()
        return Stats(
            since=since,
            until=until,
            project=self._project,
            reviews=reviews,
            days=days,
            outcomes=_most_first(outcomes),
            modes=_most_first(self._modes),
            triggers=_most_first(self._triggers),
            projects=self.projects if self._project is None else {self._project: reviews} if reviews else {},
            reasons=_most_first(self._reasons),
            decided=decided,
            approval_rate=rate(sum(outcomes[outcome] for outcome in ACCEPTED), decided),
            findings=sum(one.findings for one in days),
            reviewers=self._reviewers(),
            conflicts=self._conflicts,
            dropped=self._dropped,
            cost=together(one.cost for one in days),
            duration=Duration(reviews=timed, median_ms=self._quantile(50), p90_ms=self._quantile(90)),
            cache_hits=self._hits,
            cache_hit_rate=rate(self._hits, reviews - outcomes[NOT_REVIEWED]),
            damaged_lines=self.damaged,
        )

    def _reviewers(self) -> tuple[ReviewerStats, ...]:
        """Those that were asked or found anything, in their usual order."""
        made = (
            ReviewerStats(
                role=role,
                asked=self._asked[role],
                failed=self._failed[role],
                findings={weight: self._found[role, weight] for weight in Weight},
            )
            for role in Role
        )
        return tuple(one for one in made if one.asked or one.failed or one.total)

    def _quantile(self, percent: int) -> int | None:
        """The smallest duration within which that part of all reviews was done."""
        total, seen = self._durations.total(), 0
        for duration in sorted(self._durations):
            seen += self._durations[duration]
            if seen * 100 >= total * percent:
                return duration
        return None


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    """The most frequent first; among equals by name, so that the same log always looks the same."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
