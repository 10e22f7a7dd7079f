"""The machine of a plan review: a state and what happened give the next state, and what is to be done about it.

The shell only does what it is told by effects, in their order, and reports what came of the last one as an event.
"""

from __future__ import annotations

from typing import NamedTuple

from review_gate.plans.schema import MOST_EDITS, MOST_RETRIES, Answer, Edit, Phase, PlanState, Violation

ABORTED = "user aborted"
TOO_MANY_EDITS = f"edits >= {MOST_EDITS}"


class Review(NamedTuple):
    """A review as it stands; `plans` are the digests of the versions of the plan that it went through."""

    phase: Phase = Phase.CHECKING
    state: PlanState = PlanState()
    violation: Violation | None = None
    reason: str = ""
    plans: tuple[str, ...] = ()


class Checked(NamedTuple):
    """The plan was checked; `plan` is its digest, `violation` the first check that it does not pass."""

    plan: str
    violation: Violation | None


class Mended(NamedTuple):
    """An edit was made, by a fix or by the words of a person; these are no try of the fix."""

    plan: str
    edit: Edit
    is_by_person: bool = False


class NotMended(NamedTuple):
    """A fix could not be made, and why."""

    why: str


class Answered(NamedTuple):
    """A person answered the question."""

    answer: Answer


Event = Checked | Mended | NotMended | Answered


class Check(NamedTuple):
    """Check the plan without the checks that were approved; answer with `Checked`."""

    approved: tuple[str, ...]


class Mend(NamedTuple):
    """Apply the fix of the check; answer with `Mended` or `NotMended`."""

    violation: Violation


class Replace(NamedTuple):
    """Put a text in the place of the match; answer with `Mended` or `NotMended`."""

    violation: Violation
    text: str


class Ask(NamedTuple):
    """Ask a person; answer with `Answered`."""

    violation: Violation
    why: str = ""


class Save(NamedTuple):
    """Write the state before anything else is done."""

    state: PlanState


class End(NamedTuple):
    """The review is over."""

    phase: Phase
    reason: str = ""


Effect = Check | Mend | Replace | Ask | Save | End


class Step(NamedTuple):
    """The review as it stands now, and what is to be done."""

    review: Review
    effects: tuple[Effect, ...]


class WrongEventError(ValueError):
    """Something happened that cannot happen in this phase."""


def begin(state: PlanState) -> Step:
    """The first step of a call, whatever was done before it."""
    return Step(Review(state=state), (Check(state.approved),))


def step(review: Review, event: Event) -> Step:
    """What follows from an event."""
    if review.phase is Phase.CHECKING and isinstance(event, Checked):
        return _checked(review, event)
    if review.phase is Phase.FIXING and isinstance(event, Mended):
        return _mended(review, event)
    if review.phase is Phase.FIXING and isinstance(event, NotMended):
        return _asking(review, event.why)
    if review.phase is Phase.ASKING and isinstance(event, Answered):
        return _answered(review, event.answer)
    raise WrongEventError(f"{type(event).__name__} while {review.phase.value}")


def _checked(review: Review, event: Checked) -> Step:
    seen = review._replace(violation=event.violation, plans=_with(review.plans, event.plan))
    violation, state = event.violation, review.state
    if violation is None:
        return _ended(seen, Phase.APPROVED)
    if violation.rejects and state.retried(violation.check) >= 1:
        return _ended(seen, Phase.REJECTED)
    if not violation.has_fix or state.retried(violation.check) >= MOST_RETRIES:
        return _asking(seen)
    if state.edits >= MOST_EDITS:
        # An earlier call has used them up.
        return _ended(seen, Phase.INCOMPLETE, TOO_MANY_EDITS)
    return Step(seen._replace(phase=Phase.FIXING), (Mend(violation),))


def _mended(review: Review, event: Mended) -> Step:
    """An edit was made: the shell has counted it in the state before it touched the plan."""
    state = counted(review.state, event.edit, is_by_person=event.is_by_person)
    mended = review._replace(state=state)
    if event.plan in review.plans:
        others = ", ".join(dict.fromkeys(edit.check for edit in state.history[-len(review.plans) :]))
        return _ended(mended, Phase.INCOMPLETE, f"fixes undo each other: {others}")
    if state.edits >= MOST_EDITS:
        return _ended(mended, Phase.INCOMPLETE, TOO_MANY_EDITS)
    return Step(mended._replace(phase=Phase.CHECKING), (Check(state.approved),))


def _asking(review: Review, why: str = "") -> Step:
    violation = _violation_of(review)
    return Step(review._replace(phase=Phase.ASKING), (Ask(violation, why),))


def _answered(review: Review, answer: Answer) -> Step:
    violation = _violation_of(review)
    if answer.kind == "abort":
        return _ended(review, Phase.INCOMPLETE, ABORTED)
    if answer.kind == "replace":
        return Step(review._replace(phase=Phase.FIXING), (Replace(violation, answer.text),))
    approved = tuple(dict.fromkeys((*review.state.approved, violation.check)))
    state = review.state.model_copy(update={"approved": approved})
    return Step(review._replace(phase=Phase.CHECKING, state=state), (Save(state), Check(approved)))


def counted(state: PlanState, edit: Edit, *, is_by_person: bool) -> PlanState:
    """The state with one more edit in it."""
    tries = state.retried(edit.check) + (not is_by_person)
    retries = {**state.retries, edit.check: tries} if tries else state.retries
    return state.model_copy(
        update={"edits": state.edits + 1, "retries": retries, "history": (*state.history, edit), "begun": None}
    )


def resumed(state: PlanState, plan: str) -> PlanState:
    """The state for a plan of that digest: an edit that was counted and never came into the plan is taken back."""
    begun = state.begun
    if begun is None or plan != begun.before or not state.history:
        return state.model_copy(update={"begun": None})
    tries = max(state.retried(begun.check) - (not begun.is_by_person), 0)
    retries = {**state.retries, begun.check: tries} if begun.check in state.retries else state.retries
    return state.model_copy(
        update={"edits": max(state.edits - 1, 0), "retries": retries, "history": state.history[:-1], "begun": None}
    )


def _ended(review: Review, phase: Phase, reason: str = "") -> Step:
    ended = review._replace(phase=phase, reason=reason)
    return Step(ended, (Save(ended.state), End(phase, reason)))


def _violation_of(review: Review) -> Violation:
    if review.violation is None:
        raise WrongEventError("there is nothing to ask about")
    return review.violation


def _with(plans: tuple[str, ...], plan: str) -> tuple[str, ...]:
    return plans if plan in plans else (*plans, plan)
