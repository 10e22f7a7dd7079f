"""The machine of a plan review: a state and what happened give the next state, and what is to be done about it.

The shell only does what it is told by effects, in their order, and reports what came of the last one as an event.
"""

from __future__ import annotations

from typing import NamedTuple

from review_gate.plans.schema import MOST_EDITS, MOST_RETRIES, Answer, Begun, Edit, Phase, PlanState, Violation

ABORTED = "user aborted"
CHANGING = "somebody else goes on writing the plan"
MOST_RESTARTS = 5
TOO_MANY_EDITS = f"edits >= {MOST_EDITS}"


class Review(NamedTuple):
    """A review as it stands; `plans` are the digests of the versions of the plan that it went through."""

    phase: Phase = Phase.CHECKING
    state: PlanState = PlanState()
    violation: Violation | None = None
    reason: str = ""
    plans: tuple[str, ...] = ()
    # How often somebody else wrote the plan meanwhile.
    restarts: int = 0


class Checked(NamedTuple):
    """The plan was checked; `plan` is its digest, `violation` the first check that it does not pass."""

    plan: str
    violation: Violation | None


class Worked(NamedTuple):
    """An edit was worked out, by a fix or from the words of a person, which are no try of the fix; none is made yet."""

    before: str
    after: str
    edit: Edit
    is_by_person: bool = False


class Written(NamedTuple):
    """The edit is in the plan."""


class PlanChanged(NamedTuple):
    """Somebody else wrote the plan, so the edit was not made: theirs stays."""


class NotMended(NamedTuple):
    """There is no edit that would do it, and why."""

    why: str


class Consulted(NamedTuple):
    """The experts have spoken: the first objection that nobody has approved, and who should have spoken and did not."""

    violation: Violation | None = None
    missing: str = ""


class Answered(NamedTuple):
    """A person answered the question."""

    answer: Answer


Event = Checked | Consulted | Worked | Written | PlanChanged | NotMended | Answered


class Check(NamedTuple):
    """Check the plan without the checks that were approved; answer with `Checked`."""

    approved: tuple[str, ...]


class Consult(NamedTuple):
    """Let the experts look at a plan that passes all checks; answer with `Consulted`."""


class Mend(NamedTuple):
    """Work out the fix of the check; answer with `Worked` or `NotMended`."""

    violation: Violation


class Replace(NamedTuple):
    """Work out the plan with a text in the place of the match; answer with `Worked` or `NotMended`."""

    violation: Violation
    text: str


class Write(NamedTuple):
    """Make the edit that was worked out; answer with `Written` or `PlanChanged`."""


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


Effect = Check | Consult | Mend | Replace | Write | Ask | Save | End


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
    if review.phase is Phase.REVIEWING and isinstance(event, Consulted):
        return _consulted(review, event)
    if review.phase is Phase.FIXING:
        return _fixing(review, event)
    if review.phase is Phase.ASKING and isinstance(event, Answered):
        return _answered(review, event.answer)
    raise _wrong(review, event)


def _fixing(review: Review, event: Event) -> Step:
    is_worked_out = review.state.begun is not None
    if isinstance(event, Worked) and not is_worked_out:
        return _worked(review, event)
    if isinstance(event, NotMended) and not is_worked_out:
        return _asking(review, event.why)
    if isinstance(event, Written) and is_worked_out:
        return _written(review)
    if isinstance(event, PlanChanged) and is_worked_out:
        return _again(review)
    raise _wrong(review, event)


def _wrong(review: Review, event: Event) -> WrongEventError:
    return WrongEventError(f"{type(event).__name__} while {review.phase.value}")


def _checked(review: Review, event: Checked) -> Step:
    seen = review._replace(violation=event.violation, plans=_with(review.plans, event.plan))
    violation, state = event.violation, review.state
    if violation is None:
        return Step(seen._replace(phase=Phase.REVIEWING), (Consult(),))
    if violation.rejects and state.retried(violation.check) >= 1:
        return _ended(seen, Phase.REJECTED)
    if not violation.has_fix or state.retried(violation.check) >= MOST_RETRIES:
        return _asking(seen)
    if state.edits >= MOST_EDITS:
        # An earlier call has used them up.
        return _ended(seen, Phase.INCOMPLETE, TOO_MANY_EDITS)
    return Step(seen._replace(phase=Phase.FIXING), (Mend(violation),))


def _consulted(review: Review, event: Consulted) -> Step:
    """An objection comes first: whoever is missing is asked again once it is settled."""
    if event.violation is not None:
        return _asking(review._replace(violation=event.violation))
    if event.missing:
        return _ended(review, Phase.INCOMPLETE, event.missing)
    return _ended(review, Phase.APPROVED)


def _worked(review: Review, event: Worked) -> Step:
    """The edit is counted and that is written before the plan is touched, as the seed says."""
    edit, state = event.edit, review.state
    tries = state.retried(edit.check) + (not event.is_by_person)
    retries = {**state.retries, edit.check: tries} if tries else state.retries
    begun = Begun(check=edit.check, before=event.before, after=event.after, is_by_person=event.is_by_person)
    counted = state.model_copy(
        update={"edits": state.edits + 1, "retries": retries, "history": (*state.history, edit), "begun": begun}
    )
    return Step(review._replace(state=counted), (Save(counted), Write()))


def _written(review: Review) -> Step:
    state = review.state.model_copy(update={"begun": None})
    written = review._replace(state=state)
    if review.state.begun is not None and review.state.begun.after in review.plans:
        others = ", ".join(dict.fromkeys(edit.check for edit in state.history[-len(review.plans) :]))
        return _ended(written, Phase.INCOMPLETE, f"fixes undo each other: {others}")
    if state.edits >= MOST_EDITS:
        return _ended(written, Phase.INCOMPLETE, TOO_MANY_EDITS)
    return Step(written._replace(phase=Phase.CHECKING), (Save(state), Check(state.approved)))


def _again(review: Review) -> Step:
    """Begin anew with what somebody else wrote; whoever edits without end keeps a review from its end."""
    state = _taken_back(review.state)
    again = review._replace(phase=Phase.CHECKING, state=state, restarts=review.restarts + 1)
    if again.restarts > MOST_RESTARTS:
        return _ended(again, Phase.INCOMPLETE, CHANGING)
    return Step(again, (Save(state), Check(state.approved)))


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


def resumed(state: PlanState, plan: str) -> PlanState:
    """The state for a plan of that digest: an edit that was counted and never came into the plan is taken back."""
    if state.begun is not None and plan == state.begun.before:
        return _taken_back(state)
    return state.model_copy(update={"begun": None})


def _taken_back(state: PlanState) -> PlanState:
    """The state without the edit that was counted last."""
    begun = state.begun
    if begun is None or not state.history:
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
