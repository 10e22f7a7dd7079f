"""The part of a history that is asked for, and the stretches of time into which it is put to be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from review_gate.errors import MisuseError

DAYS = re.compile(r"([1-9]\d{0,4})d", re.ASCII)
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Period(NamedTuple):
    """From a day to a day, both included, in UTC; None is open."""

    since: str | None = None
    until: str | None = None


class Stretch(NamedTuple):
    """Some days one after the other, by the name of the first."""

    label: str
    days: tuple[str, ...]


class Timeline(NamedTuple):
    """The stretches of a history, oldest first; `unit` is what each is, such as a week."""

    unit: str
    stretches: tuple[Stretch, ...]


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


def timeline(days: Iterable[str], most: int) -> Timeline:
    """The finest of days, weeks, months and years that are not too many; of too many years the last with anything."""
    held = {date.fromisoformat(day): day for day in sorted(days)}
    for unit, (number, start) in UNITS.items():
        inside: dict[int, list[str]] = {}
        for day, text in held.items():
            inside.setdefault(number(day), []).append(text)
        numbers = range(min(inside, default=0), max(inside, default=-1) + 1)
        if len(numbers) <= most:
            return Timeline(unit, tuple(Stretch(_label(unit, start(at)), tuple(inside.get(at, ()))) for at in numbers))
    return Timeline(unit, tuple(Stretch(_label(unit, start(at)), tuple(inside[at])) for at in [*inside][-most:]))


def _label(unit: str, start: date) -> str:
    return start.isoformat()[: {"month": 7, "year": 4}.get(unit, 10)]


# The number of the one that a day is in, and the first day of that number.
UNITS: Mapping[str, tuple[Callable[[date], int], Callable[[int], date]]] = {
    "day": (date.toordinal, date.fromordinal),
    # The first day of all was a Monday.
    "week": (lambda day: (day.toordinal() - 1) // 7, lambda at: date.fromordinal(at * 7 + 1)),
    "month": (lambda day: day.year * 12 + day.month - 1, lambda at: date(at // 12, at % 12 + 1, 1)),
    "year": (lambda day: day.year, lambda at: date(at, 1, 1)),
}
