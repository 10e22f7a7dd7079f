"""What a history of reviews comes to: the figures that `review-gate stats` shows, in any form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from review_gate.models import Frozen
from review_gate.prompts.schema import Role, Weight

MICROS = 1_000_000
ACCEPTED = ("approved", "edited")
REJECTED = "rejected"
DECIDED = (*ACCEPTED, REJECTED)
NOT_REVIEWED = "not_reviewed"


class Spent(Frozen):
    """What reviews took; of `unknown_price` of them the price is not known, of `untold` not even the tokens."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    unknown_price: int = 0
    untold: int = 0


class DayOfReviews(Frozen):
    """One day with reviews, in UTC."""

    day: str
    reviews: int
    findings: int
    outcomes: Mapping[str, int]
    cost: Spent

    @property
    def accepted(self) -> int:
        """How many refined prompts were taken."""
        return sum(self.outcomes.get(outcome, 0) for outcome in ACCEPTED)

    @property
    def rejected(self) -> int:
        """How many refined prompts were not wanted."""
        return self.outcomes.get(REJECTED, 0)


class ReviewerStats(Frozen):
    """One reviewer: how often it was asked and failed, and what it found."""

    role: Role
    asked: int
    failed: int
    findings: Mapping[Weight, int]

    @property
    def total(self) -> int:
        """All that it found."""
        return sum(self.findings.values())


class Duration(Frozen):
    """How long reviews took, of those that asked anybody; beyond 10 s to the nearest 0.1 s."""

    reviews: int
    median_ms: int | None
    p90_ms: int | None


class CommitDay(Frozen):
    """The reviews of commits that ended on one day, in UTC."""

    day: str
    passed: int = 0
    failed: int = 0
    incomplete: int = 0

    @property
    def reviews(self) -> int:
        """All of them."""
        return self.passed + self.failed + self.incomplete


class CommitHistory(Frozen):
    """What the ledger of the repository around knows; `damaged` entries cannot be read."""

    days: tuple[CommitDay, ...] = ()
    damaged: int = 0


class Stats(Frozen):
    """The whole history, or the part of it that was asked for."""

    version: Literal[1] = 1
    since: str | None
    until: str | None
    project: str | None
    reviews: int
    days: tuple[DayOfReviews, ...]
    # Most frequent first, all of them.
    outcomes: Mapping[str, int]
    modes: Mapping[str, int]
    triggers: Mapping[str, int]
    projects: Mapping[str, int]
    reasons: Mapping[str, int]
    decided: int
    approval_rate: float | None
    findings: int
    reviewers: tuple[ReviewerStats, ...]
    conflicts: int
    dropped: int
    cost: Spent
    duration: Duration
    cache_hits: int
    cache_hit_rate: float | None
    damaged_lines: int
    unreadable_files: tuple[str, ...] = ()
    # Left out, unless they are asked for.
    days_to_come: tuple[str, ...] = ()
    commits: CommitHistory | None = None

    @property
    def severities(self) -> dict[Weight, int]:
        """The findings of all reviewers, worst first."""
        return {weight: sum(one.findings.get(weight, 0) for one in self.reviewers) for weight in Weight}


def rate(part: int, whole: int) -> float | None:
    """The part of a whole, None of nothing."""
    return round(part / whole, 4) if whole else None


def together(costs: Iterable[Spent]) -> Spent:
    """The cost of several days."""
    listed = list(costs)
    return Spent(
        input_tokens=sum(one.input_tokens for one in listed),
        output_tokens=sum(one.output_tokens for one in listed),
        # In whole millionths, so that the sum is the same in any order.
        usd=sum(round(one.usd * MICROS) for one in listed) / MICROS,
        unknown_price=sum(one.unknown_price for one in listed),
        untold=sum(one.untold for one in listed),
    )
