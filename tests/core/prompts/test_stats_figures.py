"""The figures of a history: what is counted, of what, and what is not."""

from __future__ import annotations

import random

import pytest
from auditing import DAY, entry

from review_gate.prompts.history.audit import AuditEntry, line_of
from review_gate.prompts.history.stats import Spent, Stats
from review_gate.prompts.history.tally import Tally


def stats_of(*entries: AuditEntry, project: str | None = None) -> Stats:
    tally = Tally(project)
    for one in entries:
        tally.add(one.day, [line_of(one)])
    return tally.result()


def outcomes(**counts: int) -> list[AuditEntry]:
    return [entry(outcome=name) for name, count in counts.items() for _ in range(count)]


def test_the_approval_rate_is_of_what_was_decided() -> None:
    stats = stats_of(*outcomes(approved=2, edited=1, rejected=1, unchanged=5, not_reviewed=3, undecided=2, checked=1))
    assert (stats.decided, stats.approval_rate, stats.reviews) == (4, 0.75, 15)
    assert list(stats.outcomes.items())[:3] == [("unchanged", 5), ("not_reviewed", 3), ("approved", 2)]


def test_days_come_in_order_each_with_its_own_figures() -> None:
    stats = stats_of(
        entry("2026-02-25"), entry("2026-02-23", outcome="rejected"), entry("2026-02-25", outcome="edited")
    )
    assert [(day.day, day.reviews, day.findings, day.accepted, day.rejected) for day in stats.days] == [
        ("2026-02-23", 1, 2, 0, 1),
        ("2026-02-25", 2, 4, 2, 0),
    ]


def test_findings_are_counted_by_reviewer_and_severity() -> None:
    stats = stats_of(entry(), entry(findings={"security": {"blocker": 2, "major": 1}}, findings_count=3))
    found = {one.role.value: {k.value: v for k, v in one.findings.items() if v} for one in stats.reviewers}
    assert found == {"domain_sme": {}, "security": {"blocker": 2, "major": 2}, "clarity": {"nit": 1}, "testing": {}}
    assert stats.findings == 5
    assert {weight.value: count for weight, count in stats.severities.items()} == {
        "blocker": 2,
        "major": 2,
        "minor": 0,
        "nit": 1,
    }


def test_a_reviewer_that_failed_is_counted_with_how_often_it_was_asked() -> None:
    stats = stats_of(entry(), entry(reviewers_failed=("testing",)), entry(reviewers_active=("security",)))
    asked = {one.role.value: (one.failed, one.asked) for one in stats.reviewers}
    assert asked == {"domain_sme": (0, 2), "security": (0, 3), "clarity": (0, 2), "testing": (1, 2)}


def test_cost_is_added_up_and_what_is_not_known_is_said() -> None:
    unknown = {"input_tokens": 5, "output_tokens": 6, "usd": None}
    stats = stats_of(entry(), entry(), entry(cost=unknown), entry(cost=None))
    assert stats.cost == Spent(input_tokens=16_485, output_tokens=4_206, usd=0.08, unknown_price=1, untold=1)


def test_a_sum_of_many_small_prices_is_the_same_in_any_order() -> None:
    prices = [0.000001 * number for number in range(1_000)] + [9_999.0]
    entries = [entry(cost={"input_tokens": 0, "output_tokens": 0, "usd": price}) for price in prices]
    shuffled = random.Random(1).sample(entries, len(entries))
    assert stats_of(*entries).cost.usd == stats_of(*shuffled).cost.usd == 9_999.4995


@pytest.mark.parametrize(
    ("durations", "median", "p90"),
    [
        ((7,), 7, 7),
        ((1, 2, 3, 4), 2, 4),
        (tuple(range(1, 101)), 50, 90),
        ((0, 86_400_000), 0, 86_400_000),
    ],
    ids=["one", "few", "a hundred", "the ends"],
)
def test_the_median_and_the_ninth_of_ten(durations: tuple[int, ...], median: int, p90: int) -> None:
    duration = stats_of(*(entry(duration_ms=one) for one in durations)).duration
    assert (duration.median_ms, duration.p90_ms, duration.reviews) == (median, p90, len(durations))


def test_what_came_from_the_cache_or_asked_nobody_says_nothing_about_time() -> None:
    stats = stats_of(
        entry(duration_ms=6_000),
        entry(duration_ms=1, is_cached=True),
        entry(duration_ms=2, reviewers_active=(), outcome="not_reviewed"),
    )
    assert (stats.duration.median_ms, stats.duration.reviews) == (6_000, 1)


def test_the_hit_rate_is_of_what_was_reviewed_at_all() -> None:
    stats = stats_of(entry(is_cached=True), entry(), entry(outcome="not_reviewed", reason="timeout"))
    assert (stats.cache_hits, stats.cache_hit_rate, stats.reasons) == (1, 0.5, {"timeout": 1})


def test_one_project_alone() -> None:
    tally = Tally("shop")
    tally.add(DAY, [line_of(entry(project=name)) for name in ("shop", "infra", "shop ")])
    stats = tally.result()
    assert (stats.reviews, stats.projects, stats.project) == (1, {"shop": 1}, "shop")
    assert tally.projects == {"infra": 1, "shop": 1, "shop ": 1}
