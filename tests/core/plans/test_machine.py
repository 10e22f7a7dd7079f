"""What the machine does beyond the lines of the seed, and what must hold whatever happens."""

from __future__ import annotations

import random
from typing import Any

import pytest

from review_gate.plans.machine import (
    MOST_RESTARTS,
    Answered,
    Ask,
    Check,
    Checked,
    Consult,
    Consulted,
    Effect,
    End,
    Mend,
    NotMended,
    PlanChanged,
    Replace,
    Review,
    Save,
    Step,
    Worked,
    Write,
    Written,
    WrongEventError,
    begin,
    resumed,
    step,
)
from review_gate.plans.schema import MOST_EDITS, Answer, Edit, Phase, PlanState, Violation

BEFORE, AFTER = "0" * 64, "1" * 64
EDIT = Edit(check="no_eval", fix="eval → JSON.parse", line=42)
WORKED = Worked(BEFORE, AFTER, EDIT)


def violation(**changes: Any) -> Violation:
    fields = {
        "check": "no_eval",
        "pattern": "eval(",
        "reason": "it runs whatever it is given",
        "line": 42,
        "matched": "eval(",
        "has_fix": True,
        "rejects": False,
    }
    return Violation.model_validate({**fields, **changes})


def state(**changes: Any) -> PlanState:
    return PlanState.model_validate(changes)


def checked(before: PlanState, found: Violation | None) -> tuple[Review, tuple[Effect, ...]]:
    return step(Review(state=before), Checked(BEFORE, found))


def mended(review: Review, worked: Worked = WORKED) -> Step:
    """The edit is worked out and written."""
    return step(step(review, worked).review, Written())


def test_an_edit_that_came_too_late_is_taken_back_and_the_other_text_is_checked() -> None:
    fixing, _ = checked(state(), violation())
    review, effects = step(step(fixing, WORKED).review, PlanChanged())
    assert (review.state.edits, review.state.history, review.state.begun) == (0, (), None)
    assert (review.phase, effects) == (Phase.CHECKING, (Save(review.state), Check(())))


def test_whoever_writes_without_end_keeps_the_plan_from_being_approved() -> None:
    review, effects = begin(state())
    for _ in range(MOST_RESTARTS + 1):
        review, _ = step(review, Checked(BEFORE, violation()))
        review, _ = step(review, WORKED)
        review, effects = step(review, PlanChanged())
    assert effects[-1] == End(Phase.INCOMPLETE, "somebody else goes on writing the plan")


def test_fixes_that_undo_each_other_end_the_review_and_are_named() -> None:
    review, _ = checked(state(), violation())
    review, _ = mended(review)
    review, _ = step(review, Checked(AFTER, violation(check="no_json")))
    review, effects = mended(review, Worked(AFTER, BEFORE, EDIT.model_copy(update={"check": "no_json"})))
    assert effects[-1] == End(Phase.INCOMPLETE, "fixes undo each other: no_eval, no_json")


REVIEWING: dict[str, tuple[Consulted, Phase, Effect]] = {
    "all approve": (Consulted(), Phase.APPROVED, End(Phase.APPROVED)),
    "one objects": (Consulted(violation(voice="X")), Phase.ASKING, Ask(violation(voice="X"))),
    "one is missing": (Consulted(None, "X is"), Phase.INCOMPLETE, End(Phase.INCOMPLETE, "X is")),
    "one objects and one is missing": (
        Consulted(violation(voice="X"), "Y is"),
        Phase.ASKING,
        Ask(violation(voice="X")),
    ),
}


@pytest.mark.parametrize(("event", "phase", "last"), REVIEWING.values(), ids=REVIEWING)
def test_reviewing(event: Consulted, phase: Phase, last: Effect) -> None:
    reviewing, _ = checked(state(), None)
    review, effects = step(reviewing, event)
    assert (review.phase, effects[-1]) == (phase, last)


def test_an_objection_that_a_person_approves_is_left_out_and_all_is_looked_at_again() -> None:
    reviewing, _ = checked(state(), None)
    asked, _ = step(reviewing, Consulted(violation(check="expert:x:1", voice="X")))
    review, effects = step(asked, Answered(Answer(kind="approve")))
    assert (review.state.approved, effects[-1]) == (("expert:x:1",), Check(("expert:x:1",)))


@pytest.mark.parametrize(
    ("review", "event"),
    [
        (Review(), WORKED),
        (Review(), Consulted()),
        (Review(phase=Phase.FIXING), Written()),
        (Review(phase=Phase.FIXING), PlanChanged()),
        (step(Review(phase=Phase.FIXING), WORKED).review, WORKED),
        (step(Review(phase=Phase.FIXING), WORKED).review, NotMended("")),
        (Review(), Answered(Answer(kind="approve"))),
        (Review(phase=Phase.FIXING), Checked(BEFORE, None)),
        (Review(phase=Phase.ASKING), Answered(Answer(kind="approve"))),
        (Review(phase=Phase.APPROVED), Checked(BEFORE, None)),
    ],
)
def test_what_cannot_happen_is_refused(review: Review, event: Any) -> None:
    with pytest.raises(WrongEventError):
        step(review, event)


@pytest.mark.parametrize("is_by_person", [False, True])
def test_an_edit_that_never_came_into_the_plan_is_taken_back(is_by_person: bool) -> None:
    before = state(edits=1, retries={"no_eval": 1}, history=[EDIT.model_dump()])
    written = step(Review(phase=Phase.FIXING, state=before), WORKED._replace(is_by_person=is_by_person)).review.state
    assert written.begun is not None
    assert resumed(written, BEFORE) == before
    assert resumed(written, AFTER) == written.model_copy(update={"begun": None})
    assert resumed(written, "2" * 64).edits == 2


@pytest.mark.parametrize("seed", range(200))
def test_whatever_happens_a_review_ends_within_its_limits(seed: int) -> None:
    """No order of findings, fixes that work or not, and answers takes more than the limits allow."""
    chance = random.Random(seed)
    review, effects = begin(PlanState())
    edits = questions = 0
    while not review.phase.is_end:
        wanted = effects[-1]
        if isinstance(wanted, Check):
            left = [name for name in "abc" if name not in wanted.approved]
            found = violation(check=chance.choice(left), has_fix=chance.random() < 0.8) if left else None
            event: Any = Checked(f"{edits}", found if chance.random() < 0.95 else None)
        elif isinstance(wanted, Consult):
            objects = chance.random() < 0.5 and len(review.state.approved) < 20
            raised = violation(check=f"expert:{questions}", has_fix=False, voice="X") if objects else None
            event = Consulted(raised, "X is missing" if chance.random() < 0.1 else "")
        elif isinstance(wanted, Ask):
            questions += 1
            event = Answered(Answer(kind=chance.choice(["approve", "approve", "replace"]), text="x"))
        elif isinstance(wanted, Write):
            event = Written() if chance.random() < 0.9 else PlanChanged()
        else:
            edits += 1
            by_person = isinstance(wanted, Replace)
            check = wanted.violation.check if isinstance(wanted, Mend | Replace) else ""
            made = EDIT.model_copy(update={"check": check})
            worked = Worked(BEFORE, f"{edits}", made, by_person)
            event = worked if chance.random() < 0.8 else NotMended("no")
        review, effects = step(review, event)
        assert review.state.edits == len(review.state.history) <= MOST_EDITS
        assert all(count <= 3 for count in review.state.retries.values())
        assert edits < 1_000
    assert isinstance(effects[-1], End)
