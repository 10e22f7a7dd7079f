"""What reports for programs say of an alarm and the check behind it; alarms about suppressions have none."""

from __future__ import annotations

from review_gate.checks.alarm import Alarm
from review_gate.checks.suppress import ABOUT, CATEGORY
from review_gate.safe_text import safe


def category_of(alarm: Alarm) -> str:
    """What the check is about."""
    return alarm.hit.rule.category if alarm.hit else CATEGORY


def origin_of(alarm: Alarm) -> str:
    """File and line where the check was written."""
    return alarm.hit.rule.origin if alarm.hit else ""


def reason_of(alarm: Alarm) -> str:
    """Why the check is there."""
    return alarm.hit.rule.reason if alarm.hit else ABOUT[alarm.rule][1] if alarm.rule in ABOUT else ""


def sound(text: str) -> str:
    """A text with every lone surrogate, which stands for a byte that is not UTF-8, written as an escape.

    All else stays as it is: a program needs the exact name of a file.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(safe(letter) if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    return text
