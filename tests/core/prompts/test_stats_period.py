"""Days as they are typed, and the stretches into which a history is put."""

from __future__ import annotations

from datetime import date

import pytest

from review_gate.errors import MisuseError
from review_gate.prompts.history.period import Period, period_of, timeline
from review_gate.prompts.history.stats import CommitDay

TODAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("since", "until", "period"),
    [
        (None, None, Period()),
        ("2026-02-01", None, Period("2026-02-01", None)),
        ("1d", None, Period("2026-03-01", None)),
        ("2d", "1d", Period("2026-02-28", "2026-03-01")),
        ("2024-02-29", "2024-02-29", Period("2024-02-29", "2024-02-29")),
    ],
    ids=["everything", "a date", "today", "the last two days", "one day"],
)
def test_a_period_is_read(since: str | None, until: str | None, period: Period) -> None:
    assert period_of(since, until, TODAY) == period


@pytest.mark.parametrize(
    "typed",
    ["", "yesterday", "2026-02-30", "26-02-01", "0d", "-1d", "30", "99999d"],
)
def test_what_is_no_day_is_refused(typed: str) -> None:
    with pytest.raises(MisuseError) as refused:
        period_of(typed, None, date(200, 1, 1))
    assert refused.value.what == f"--since {typed!r} is no date"


def test_a_refusal_says_what_to_type() -> None:
    with pytest.raises(MisuseError) as refused:
        period_of(None, "soon", TODAY)
    assert refused.value.next_step == "review-gate stats --until 30d"
    with pytest.raises(MisuseError) as refused:
        period_of("2026-02-02", "2026-02-01", TODAY)
    assert refused.value.what == "--since 2026-02-02 is after --until 2026-02-01"
    assert refused.value.next_step == "review-gate stats --since 2026-02-01 --until 2026-02-02"


def reviews(*days: str) -> list[CommitDay]:
    return [CommitDay(day=day) for day in days]


@pytest.mark.parametrize(
    ("days", "unit", "labels"),
    [
        (("2026-02-24",), "day", ["2026-02-24"]),
        (("2026-03-01", "2026-02-27"), "day", ["2026-02-27", "2026-02-28", "2026-03-01"]),
        (("2026-01-01", "2026-01-12"), "week", ["2025-12-29", "2026-01-05", "2026-01-12"]),
        (("2025-11-30", "2026-02-01"), "month", ["2025-11", "2025-12", "2026-01", "2026-02"]),
        (("2025-01-01", "2026-12-31"), "year", ["2025", "2026"]),
        (("0001-01-01", "2026-12-31"), "year", ["2023", "2024", "2025", "2026"]),
    ],
    ids=["one day", "days", "weeks", "months", "years", "too many years"],
)
def test_the_finest_stretches_that_are_not_too_many(days: tuple[str, ...], unit: str, labels: list[str]) -> None:
    found, held = timeline(reviews(*days), 4)
    assert (found, [*held]) == (unit, labels)


def test_each_day_is_in_its_stretch() -> None:
    _, held = timeline(reviews("2026-01-04", "2026-01-05", "2026-01-11", "2026-01-19"), 5)
    assert {label: [day.day for day in inside] for label, inside in held.items()} == {
        "2025-12-29": ["2026-01-04"],
        "2026-01-05": ["2026-01-05", "2026-01-11"],
        "2026-01-12": [],
        "2026-01-19": ["2026-01-19"],
    }
