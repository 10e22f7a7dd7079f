"""Steps of the tests about suppressions: alarms in a text, and what its directives make of them."""

from __future__ import annotations

from alarming import alarms

from review_gate.checks.alarm import Alarm
from review_gate.checks.rule import Rule
from review_gate.checks.suppress import apply_suppressions, suppressions_in

KNOWN = ("no-eval", "no-exec", "no_print")
DIRECTIVE = "review-gate: ignore[no-eval] it is safe"


def apply(
    text: str,
    *rules: Rule,
    language: str = "python",
    ran: tuple[str, ...] | None = None,
    lines: range = range(1, 1000),
) -> tuple[list[Alarm], list[Alarm]]:
    """What stays and what is suppressed of the alarms for a text."""
    return apply_suppressions(
        alarms(text, *rules),
        suppressions_in(text, language),
        file="src/app.py",
        known_ids=KNOWN,
        ran_ids=ran,
        looked_at=lines.__contains__,
    )


def said(text: str, *rules: Rule, language: str = "python") -> list[tuple[int, str, str]]:
    """Line, rule and message of what stays."""
    return [(one.line, one.rule, one.message) for one in apply(text, *rules, language=language)[0]]
