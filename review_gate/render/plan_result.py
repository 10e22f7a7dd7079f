"""How a review of a plan ended or what it asks, as text and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from review_gate.plans import verdict
from review_gate.plans.last_review import WAITS, Ended, Ending, LastReview
from review_gate.plans.machine import Review
from review_gate.plans.marker import Standing
from review_gate.plans.panel import Panel
from review_gate.plans.schema import Phase, Violation
from review_gate.safe_text import safe

APPROVES = "Mark this check as approved for this plan"
ABORTS = "Stop review with INCOMPLETE status"
ANSWER_WITH = "next:  review-gate expert-review {} --answer approve (or abort, or replace=TEXT)\n"
LOOK_WITH = "review-gate expert-review {} --status"
ENDINGS: dict[Phase, Ending] = {
    Phase.APPROVED: "approved",
    Phase.REJECTED: "rejected",
    Phase.INCOMPLETE: "incomplete",
    Phase.ASKING: "asking",
}


class PlanResult(NamedTuple):
    """The end of a review; a question is told without what to type, which depends on how the plan is called."""

    ending: Ending
    reason: str
    text: str
    document: dict[str, object]


def result_of(
    review: Review, panel: Panel, *, checks: int, not_asked: Sequence[str], unresolved: Sequence[str], why_asked: str
) -> PlanResult:
    """What is told of a review that has ended or waits for an answer."""
    document: dict[str, object] = {
        "verdict": review.phase.value,
        "reviewers": [persona.name for persona in panel.personas],
        "not_asked": list(not_asked),
        "checks": checks,
        "edits": [edit.model_dump() for edit in review.state.history],
        "approved": list(review.state.approved),
        "reason": review.reason,
        "unresolved": list(unresolved),
    }
    if review.phase is Phase.ASKING and review.violation is not None:
        document["question"] = _question(review.violation, why_asked)
        text = verdict.question(panel.names, review.violation, why_asked)
    else:
        text = _verdict_text(review, panel.names, checks, not_asked, unresolved)
    return PlanResult(ENDINGS[review.phase], _reason(review), text, document)


def failure(reason: str) -> PlanResult:
    """What is told of a review that could not begin or go on."""
    return PlanResult("error", reason, verdict.failed(reason), {"verdict": "error", "reason": reason})


def told(ending: Ending, text: str, plan: str) -> str:
    """The text of a result; a question with what to type, for a plan that was called so."""
    return safe(text) + (ANSWER_WITH.format(shlex.quote(plan)) if ending == "asking" else "")


def status_text(standing: Standing, ended: Ended | None, plan: str) -> str:
    """How a plan stands, and the question of its last review while it waits for an answer."""
    question = told(ended.verdict, ended.text, plan) if ended is not None and standing.reason == WAITS else ""
    return f"{standing.status}: {standing.reason}\n{question}"


def status_document(standing: Standing, last: LastReview | None, plan: str) -> dict[str, object]:
    """The same for programs, with the last review where it says anything of the text of that digest."""
    document: dict[str, object] = {"status": standing.status, "reason": standing.reason, "review": None}
    if last is not None and last.is_about(plan):
        ended = last.ended_with(plan)
        document["review"] = {
            "state": last.state,
            "began": last.record.began if last.record else None,
            "ended": ended.at if ended else None,
            "result": ended.document if ended else None,
        }
    return document


def begun(path: str, plan: str) -> tuple[str, dict[str, object]]:
    """What is told of a review that goes on in the background, of the plan at a path that was called so."""
    next_step = LOOK_WITH.format(shlex.quote(plan))
    document: dict[str, object] = {"verdict": "began", "plan": path, "next": next_step}
    return f"began: the review of {safe(path)} goes on in the background\nnext:  {next_step}\n", document


def _reason(review: Review) -> str:
    if review.phase is Phase.REJECTED and review.violation is not None:
        return f"{review.violation.check} reappeared after its fix"
    return review.reason


def _question(violation: Violation, why: str) -> dict[str, object]:
    return {
        "check": violation.check,
        "pattern": violation.pattern,
        "reason": violation.reason,
        "line": violation.line,
        "matched": violation.matched,
        "not_mended_because": why,
        "options": [
            {"answer": "approve", "label": verdict.INSTANCE, "description": APPROVES},
            {"answer": "abort", "label": verdict.ABORT, "description": ABORTS},
            {"answer": "replace=TEXT", "label": "Other", "description": "Put a text in the place of the match"},
        ],
    }


def _verdict_text(
    review: Review, reviewer: str, checks: int, not_asked: Sequence[str], unresolved: Sequence[str]
) -> str:
    if review.phase is Phase.APPROVED:
        left = f"Not asked: {', '.join(not_asked)}; the checks alone approved." if not_asked else ""
        return verdict.approved(reviewer, checks, review.state, left)
    if review.phase is Phase.REJECTED and review.violation is not None:
        return verdict.rejected(reviewer, review.violation, review.state)
    return verdict.incomplete(reviewer, review.reason, review.state, unresolved)
