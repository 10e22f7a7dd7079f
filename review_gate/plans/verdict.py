"""The four outputs of a plan review, and the question of one that goes on."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.plans.schema import Phase, PlanState, Violation
from review_gate.safe_text import safe_line

INSTANCE = "Approve this instance"
ABORT = "Abort review"


def approved(reviewer: str, checks: int, state: PlanState, summary: str = "") -> str:
    """Every check passes, or was approved by a person."""
    lines = [
        Phase.APPROVED.name,
        f"Reviewer: {safe_line(reviewer)}",
        f"Checks: {checks} passed",
        f"Edits: {state.edits}",
        *(f"  - L{edit.line}: {safe_line(edit.fix)} ({safe_line(edit.check)})" for edit in state.history),
    ]
    return _text([*lines, *([safe_line(summary)] if summary else [])])


def rejected(reviewer: str, violation: Violation, state: PlanState) -> str:
    """A check that must not come back has come back."""
    return _text(
        [
            Phase.REJECTED.name,
            f"Reviewer: {safe_line(reviewer)}",
            f"Check: {safe_line(violation.check)}",
            f"Reason: Pattern '{safe_line(violation.pattern)}' reappeared after fix (reject_if_persists)",
            f"Edits before rejection: {state.edits}",
            *([f"L{violation.line}: {safe_line(violation.reason)}"] if violation.reason else []),
        ]
    )


def incomplete(reviewer: str, reason: str, state: PlanState, unresolved: Sequence[str]) -> str:
    """It ended before every check passed."""
    return _text(
        [
            Phase.INCOMPLETE.name,
            f"Reviewer: {safe_line(reviewer)}",
            f"Reason: {safe_line(reason)}",
            f"Edits: {state.edits}",
            f"Unresolved: [{', '.join(map(safe_line, unresolved))}]",
        ]
    )


def failed(reason: str) -> str:
    """It could not begin."""
    return _text(["ERROR", f"Reason: {safe_line(reason)}"])


def question(reviewer: str, violation: Violation, why: str = "") -> str:
    """What a person is asked about a match."""
    reason = f" {safe_line(violation.reason)}" if violation.reason else ""
    lines = [
        f"[As {safe_line(reviewer)}]: Pattern '{safe_line(violation.pattern)}' found.{reason}",
        f"L{violation.line}: {safe_line(violation.matched)}",
    ]
    return _text([*lines, *([f"It could not be mended: {safe_line(why)}"] if why else [])])


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"
