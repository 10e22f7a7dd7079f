"""The part of a history that is asked for, and the stretches of time into which it is put to be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple, TypeVar

from review_gate.errors import MisuseError
from review_gate.prompts.history.stats import CommitDay, DayOfReviews

Day = TypeVar("Day", DayOfReviews, CommitDay)

DAYS = re.compile(r"([1-9]\d{0,4})d", re.ASCII)
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Period(NamedTuple):
    """From a day to a day, both included, in UTC; None is open."""

    since: str | None = None
    until: str | None = None


def period_of(since: str | None, until: str | None, today: date) -> Period:
    """The period that was typed: dates, or so many days up to today."""
    period = Period(_day("--since", since, today), _day("--until", until, today))
    if period.since and period.until and period.since > period.until:
        raise MisuseError(
            f"--since {period.since} is after --until {period.until}",
            why="no day is in between",
            next_step=f"review-gate stats --since {period.until} --until {period.since}",
        )
    return period


def _day(option: str, typed: str | None, today: date) -> str | None:
    if typed is None:
        return None
    try:
        if count := DAYS.fullmatch(typed):
            # Today is one of them.
            return (today - timedelta(days=int(count[1]) - 1)).isoformat()
        if DATE.fullmatch(typed):
            return date.fromisoformat(typed).isoformat()
    except (ValueError, OverflowError):
        pass
    raise MisuseError(
        f"{option} {typed!r} is no date",
        why="a day is YYYY-MM-DD, and 30d means the last 30 days, today included",
        next_step=f"review-gate stats {option} 30d",
    )


def timeline(days: Iterable[Day], most: int) -> tuple[str, dict[str, list[Day]]]:
    """The finest of days, weeks, months and years that are not too many, and the days of each by its first day."""
    held = {date.fromisoformat(day.day): day for day in days}
    for unit, (number, _) in UNITS.items():
        inside: dict[int, list[Day]] = {}
        for day in sorted(held):
            inside.setdefault(number(day), []).append(held[day])
        numbers = range(min(inside, default=0), max(inside, default=-1) + 1)[-most if unit == "year" else 0 :]
        if len(numbers) <= most:
            break
    start = UNITS[unit][1]
    return unit, {start(at).isoformat()[: LABELS[unit]]: inside.get(at, []) for at in numbers}


LABELS = {"day": 10, "week": 10, "month": 7, "year": 4}
# The number of the one that a day is in, and the first day of that number.
UNITS: Mapping[str, tuple[Callable[[date], int], Callable[[int], date]]] = {
    "day": (date.toordinal, date.fromordinal),
    # The first day of all was a Monday.
    "week": (lambda day: (day.toordinal() - 1) // 7, lambda at: date.fromordinal(at * 7 + 1)),
    "month": (lambda day: day.year * 12 + day.month - 1, lambda at: date(at // 12, at % 12 + 1, 1)),
    "year": (lambda day: day.year, lambda at: date(at, 1, 1)),
}
