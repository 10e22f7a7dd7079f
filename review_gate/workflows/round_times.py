"""The clock of rounds: deadlines are times of day, so that a machine that slept finds them over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now_text(moment: datetime) -> str:
    """A moment as it is written down."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later(moment: datetime, seconds: float) -> str:
    """So many seconds after a moment."""
    return now_text(moment + timedelta(seconds=seconds))


def seconds_until(text: str) -> float:
    """How long it is until a moment that was written down; below 0 when it is over."""
    return (datetime.fromisoformat(text) - datetime.now(UTC)).total_seconds()
