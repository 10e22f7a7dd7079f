"""The four outputs of a plan review and the question of one that goes on, as text and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from review_gate.plans.experts import Opinion, Remark
from review_gate.plans.machine import Review
from review_gate.plans.marker import WAITS, Ended, Ending, LastReview, Standing
from review_gate.plans.outcome import PersonQuestion, PlanOutcome
from review_gate.plans.schema import Phase
from review_gate.safe_text import safe, safe_line

INSTANCE = "Approve this instance"
ABORT = "Abort review"
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


def result_of(outcome: PlanOutcome) -> PlanResult:
    """What is told of a review that has ended or waits for an answer."""
    review = outcome.review
    document: dict[str, object] = {
        "verdict": review.phase.value,
        "reviewers": [persona.name for persona in outcome.panel.personas],
        "not_asked": list(outcome.not_asked),
        "experts": [_opinion(one) for one in outcome.opinions],
        "checks": outcome.checks,
        "edits": [edit.model_dump() for edit in review.state.history],
        "approved": list(review.state.approved),
        "reason": review.reason,
        "unresolved": list(outcome.unresolved),
    }
    if review.phase is Phase.ASKING and outcome.question is not None:
        document["question"] = _question(outcome.question)
        text = question_text(outcome.question)
    else:
        text = verdict_text(outcome)
    return PlanResult(ENDINGS[review.phase], _reason(review), text, document)


def failure(reason: str) -> PlanResult:
    """What is told of a review that could not begin or go on."""
    return PlanResult("error", reason, _text(["ERROR", f"Reason: {reason}"]), {"verdict": "error", "reason": reason})


def told(ending: Ending, text: str, plan: str) -> str:
    """The text of a result; a question with what to type, for a plan that was called so."""
    return safe(text) + (ANSWER_WITH.format(_called(plan)) if ending == "asking" else "")


def status_text(standing: Standing, ended: Ended | None, plan: str) -> str:
    """How a plan stands, and the question of its last review while it waits for an answer."""
    question = told(ended.verdict, ended.text, plan) if ended is not None and standing.reason == WAITS else ""
    return f"{standing.status}: {safe_line(standing.reason)}\n{question}"


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
    """Message for a review that was started in the background."""
    next_step = LOOK_WITH.format(_called(plan))
    document: dict[str, object] = {"verdict": "began", "plan": path, "next": next_step}
    return f"began: the review of {safe(path)} goes on in the background\nnext:  {next_step}\n", document


def _called(plan: str) -> str:
    """A plan as it was called, for a shell; a name with a dash is no option there."""
    return safe(shlex.quote(f"./{plan}" if plan.startswith("-") else plan))


def _reason(review: Review) -> str:
    if review.phase is Phase.REJECTED and review.violation is not None:
        return f"{review.violation.check} reappeared after its fix"
    return review.reason


def _question(asked: PersonQuestion) -> dict[str, object]:
    violation = asked.violation
    return {
        "voice": asked.voice,
        "check": violation.check,
        "pattern": violation.pattern,
        "reason": violation.reason,
        "explanation": asked.explanation,
        "line": violation.line,
        "matched": violation.matched,
        "instead": violation.advice,
        "not_mended_because": asked.why,
        "options": [
            {"answer": "approve", "label": INSTANCE, "description": APPROVES},
            {"answer": "abort", "label": ABORT, "description": ABORTS},
            {"answer": "replace=TEXT", "label": "Other", "description": "Put a text in the place of the match"},
        ],
    }


def _opinion(opinion: Opinion) -> dict[str, object]:
    shown = opinion.model_dump(mode="json", exclude={"is_out_of_reach", "remarks", "is_known"})
    remarks = [remark.model_dump(mode="json", exclude={"start", "end"}) for remark in opinion.remarks]
    return {**shown, "is_from_cache": opinion.is_known, "findings": remarks}


def verdict_text(outcome: PlanOutcome) -> str:
    """The output of a review that has ended."""
    review, state, asked = outcome.review, outcome.review.state, outcome.question
    reviewer = f"Reviewer: {outcome.panel.names}"
    if review.phase is Phase.APPROVED:
        # Every check passes and every expert who was asked approves, or a person has approved what is left.
        edits = [f"  - L{edit.line}: {edit.fix} ({edit.check})" for edit in state.history]
        experts = [line for opinion in outcome.opinions for line in _assessment(opinion)]
        checks = [f"Checks: {outcome.checks} passed", f"Edits: {state.edits}"]
        return _text([Phase.APPROVED.name, reviewer, *checks, *edits, *experts, *_left(outcome)])
    if review.phase is Phase.REJECTED and asked is not None:
        violation = asked.violation
        return _text(
            [
                Phase.REJECTED.name,
                reviewer,
                f"Check: {violation.check}",
                f"Reason: Pattern '{violation.pattern}' reappeared after fix (reject_if_persists)",
                f"Edits before rejection: {state.edits}",
                *([f"L{violation.line}: {violation.reason}"] if violation.reason else []),
                *_explained(asked),
            ]
        )
    ending = [f"Reason: {review.reason}", f"Edits: {state.edits}", f"Unresolved: [{', '.join(outcome.unresolved)}]"]
    return _text([Phase.INCOMPLETE.name, reviewer, *ending])


def question_text(asked: PersonQuestion) -> str:
    """What a person is asked: about a match in the words of its check, by an expert in those of the expert."""
    violation = asked.violation
    place = [f"L{violation.line}: {violation.matched}"] if violation.matched or not violation.voice else []
    if violation.voice:
        head = f"[As {asked.voice}]: {violation.reason}"
        place += [f"Instead: {violation.advice}"] if violation.advice else []
    else:
        head = f"[As {asked.voice}]: Pattern '{violation.pattern}' found. {violation.reason}".rstrip()
    return _text([head, *place, *_explained(asked), *([f"It could not be mended: {asked.why}"] if asked.why else [])])


def _assessment(opinion: Opinion) -> Iterator[str]:
    """What an expert verified, and what it remarked that need not be settled, or that a person has settled."""
    if opinion.is_unasked:
        return
    yield f"{opinion.expert}: {opinion.verified or 'nothing was found that would go wrong'}"
    yield from (f"  - L{remark.line}: {_remark(remark)}" for remark in opinion.remarks)


def _remark(remark: Remark) -> str:
    approved = ", approved by a person" if remark.severity.is_blocking else ""
    return f"{remark.message} ({remark.severity.value}{approved})"


def _left(outcome: PlanOutcome) -> list[str]:
    if not outcome.not_asked:
        return []
    alone = "; the checks alone approved" if len(outcome.not_asked) == len(outcome.panel.experts) else ""
    return [f"Not asked: {', '.join(outcome.not_asked)}{alone}."]


def _explained(asked: PersonQuestion) -> list[str]:
    return [f"{asked.voice}: {asked.explanation}"] if asked.explanation else []


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{safe_line(line)}\n" for line in lines)
