"""Counting the reviews of the audit log into the figures of its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any, TypeVar

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

Name = TypeVar("Name", bound=str)


class Tally:
    """All counters; with a project, only its reviews count."""

    def __init__(self, project: str | None = None) -> None:
        self._project = project
        # By day and outcome, by day and figure, by the name of a field of an entry and its value.
        self._outcomes: dict[str, Counter[str]] = {}
        self._sums: dict[str, Counter[str]] = {}
        self._seen: dict[str, Counter[Any]] = {
            name: Counter() for name in ("project", "mode", "trigger", "reason", "asked", "failed", "found", "duration")
        }
        self.damaged = 0

    def add(self, day: str, lines: Iterable[bytes]) -> None:
        """Count some lines out of the file of a day; what is no review is damaged, but an empty line is nothing."""
        for line in lines:
            entry = read_line(line, day)
            if entry is None:
                self.damaged += bool(line.strip())
                continue
            self._seen["project"][entry.project] += 1
            if self._project in (None, entry.project):
                self._count(entry, day)

    def _count(self, entry: AuditEntry, day: str) -> None:
        seen, cost = self._seen, entry.cost
        self._outcomes.setdefault(day, Counter())[entry.outcome] += 1
        seen["mode"][entry.mode] += 1
        seen["trigger"][entry.trigger] += 1
        seen["asked"].update({*entry.reviewers_active})
        seen["failed"].update({*entry.reviewers_failed})
        for role, found in entry.findings.items():
            seen["found"].update({(role, weight): count for weight, count in found.items()})
        if not entry.is_cached and entry.reviewers_active:
            seen["duration"][entry.duration_ms] += 1
        if entry.outcome == NOT_REVIEWED:
            seen["reason"][entry.reason or "no reason told"] += 1
        sums = self._sums.setdefault(day, Counter())
        sums.update(findings=entry.findings_count, conflicts=entry.conflicts, dropped=entry.dropped)
        sums.update(hits=entry.is_cached, untold=cost is None)
        if cost is not None:
            sums.update(input_tokens=cost.input_tokens, output_tokens=cost.output_tokens)
            # In whole millionths of a dollar, so that a sum is the same in any order.
            sums.update(unknown_price=cost.usd is None, usd=round((cost.usd or 0.0) * MICROS))

    @property
    def projects(self) -> dict[str, int]:
        """How many reviews each project has, whichever was asked for."""
        return _most_first(self._seen["project"])

    def result(self, since: str | None = None, until: str | None = None) -> Stats:
        """The figures of all that was added."""
        seen, days = self._seen, tuple(self._day(day) for day in sorted(self._sums))
        sums = sum(self._sums.values(), Counter[str]())
        outcomes = sum(self._outcomes.values(), Counter[str]())
        decided, reviews = sum(outcomes[one] for one in DECIDED), outcomes.total()
        return Stats(
            since=since,
            until=until,
            project=self._project,
            reviews=reviews,
            days=days,
            outcomes=_most_first(outcomes),
            modes=_most_first(seen["mode"]),
            triggers=_most_first(seen["trigger"]),
            projects=self.projects if self._project is None else {self._project: reviews} if reviews else {},
            reasons=_most_first(seen["reason"]),
            decided=decided,
            approval_rate=rate(sum(outcomes[one] for one in ACCEPTED), decided),
            findings=sums["findings"],
            reviewers=self._reviewers(),
            conflicts=sums["conflicts"],
            dropped=sums["dropped"],
            cost=together(one.cost for one in days),
            duration=_duration(sorted(seen["duration"].elements())),
            cache_hits=sums["hits"],
            cache_hit_rate=rate(sums["hits"], reviews - outcomes[NOT_REVIEWED]),
            damaged_lines=self.damaged,
        )

    def _day(self, day: str) -> DayOfReviews:
        outcomes, sums = self._outcomes[day], self._sums[day]
        cost = {name: sums[name] for name in Spent.model_fields} | {"usd": sums["usd"] / MICROS}
        return DayOfReviews(
            day=day,
            reviews=outcomes.total(),
            findings=sums["findings"],
            outcomes=_most_first(outcomes),
            cost=Spent.model_validate(cost),
        )

    def _reviewers(self) -> tuple[ReviewerStats, ...]:
        """Those that were asked or found anything, in their usual order."""
        asked, failed, found = (self._seen[name] for name in ("asked", "failed", "found"))
        made = (
            ReviewerStats(
                role=role,
                asked=asked[role],
                failed=failed[role],
                findings={weight: found[role, weight] for weight in Weight},
            )
            for role in Role
        )
        return tuple(one for one in made if one.asked or one.failed or one.total)


def _duration(sorted_ms: list[int]) -> Duration:
    """The smallest durations within which half of all reviews were done, and nine of ten."""
    count = len(sorted_ms)
    median, p90 = (sorted_ms[ceil(count * part / 100) - 1] if count else None for part in (50, 90))
    return Duration(reviews=count, median_ms=median, p90_ms=p90)


def _most_first(counts: Mapping[Name, int]) -> dict[Name, int]:
    """The most frequent first; among equals by name, so that the same log always looks the same."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
