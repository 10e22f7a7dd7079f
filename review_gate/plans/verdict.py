"""The four outputs of a plan review, and the question of one that goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from review_gate.plans.opinion import Opinion, Remark
from review_gate.plans.outcome import PersonQuestion, PlanOutcome
from review_gate.plans.schema import Phase
from review_gate.safe_text import safe_line

INSTANCE = "Approve this instance"
ABORT = "Abort review"


def verdict_text(outcome: PlanOutcome) -> str:
    """The output of a review that has ended."""
    if outcome.review.phase is Phase.APPROVED:
        return _approved(outcome)
    if outcome.review.phase is Phase.REJECTED and outcome.question is not None:
        return _rejected(outcome, outcome.question)
    return _incomplete(outcome)


def failed(reason: str) -> str:
    """It could not begin."""
    return _text(["ERROR", f"Reason: {safe_line(reason)}"])


def question(asked: PersonQuestion) -> str:
    """What a person is asked: about a match in the words of its check, by an expert in those of the expert."""
    return _text([*_head(asked), *_explained(asked), *([f"It could not be mended: {asked.why}"] if asked.why else [])])


def _approved(outcome: PlanOutcome) -> str:
    """Every check passes and every expert who was asked approves, or a person has approved what is left."""
    state = outcome.review.state
    return _text(
        [
            Phase.APPROVED.name,
            f"Reviewer: {safe_line(outcome.panel.names)}",
            f"Checks: {outcome.checks} passed",
            f"Edits: {state.edits}",
            *(f"  - L{edit.line}: {edit.fix} ({edit.check})" for edit in state.history),
            *(line for opinion in outcome.opinions for line in _assessment(opinion)),
            *_left(outcome),
        ]
    )


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


def _rejected(outcome: PlanOutcome, asked: PersonQuestion) -> str:
    """A check that must not come back has come back."""
    violation = asked.violation
    return _text(
        [
            Phase.REJECTED.name,
            f"Reviewer: {outcome.panel.names}",
            f"Check: {violation.check}",
            f"Reason: Pattern '{violation.pattern}' reappeared after fix (reject_if_persists)",
            f"Edits before rejection: {outcome.review.state.edits}",
            *([f"L{violation.line}: {violation.reason}"] if violation.reason else []),
            *_explained(asked),
        ]
    )


def _incomplete(outcome: PlanOutcome) -> str:
    """It ended before every check passed and every expert approved."""
    return _text(
        [
            Phase.INCOMPLETE.name,
            f"Reviewer: {outcome.panel.names}",
            f"Reason: {outcome.review.reason}",
            f"Edits: {outcome.review.state.edits}",
            f"Unresolved: [{', '.join(outcome.unresolved)}]",
        ]
    )


def _head(asked: PersonQuestion) -> list[str]:
    violation = asked.violation
    if not violation.voice:
        reason = f" {violation.reason}" if violation.reason else ""
        return [
            f"[As {asked.voice}]: Pattern '{violation.pattern}' found.{reason}",
            f"L{violation.line}: {violation.matched}",
        ]
    return [
        f"[As {asked.voice}]: {violation.reason}",
        *([f"L{violation.line}: {violation.matched}"] if violation.matched else []),
        *([f"Instead: {violation.advice}"] if violation.advice else []),
    ]


def _explained(asked: PersonQuestion) -> list[str]:
    return [f"{asked.voice}: {asked.explanation}"] if asked.explanation else []


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{safe_line(line)}\n" for line in lines)
