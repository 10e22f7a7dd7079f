"""How long a service asks to wait."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
LONGEST_HEADER = 64


def seconds_to_wait(header: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, by number or date; None where it makes no sense."""
    text = header.strip()[:LONGEST_HEADER]
    if SECONDS.fullmatch(text):
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - now).total_seconds(), 0.0)
