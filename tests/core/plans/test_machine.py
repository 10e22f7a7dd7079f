"""Each line of the seed's CHECKING, FIXING and ASKING, and what must hold whatever happens."""

from __future__ import annotations

import random
from typing import Any

import pytest

from review_gate.plans.machine import (
    Answered,
    Ask,
    Check,
    Checked,
    Effect,
    End,
    Mend,
    Mended,
    NotMended,
    Replace,
    Review,
    Save,
    WrongEventError,
    begin,
    counted,
    resumed,
    step,
)
from review_gate.plans.schema import MOST_EDITS, Answer, Begun, Edit, Phase, PlanState, Violation

BEFORE, AFTER = "0" * 64, "1" * 64
EDIT = Edit(check="no_eval", fix="eval → JSON.parse", line=42)


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


CHECKING: dict[str, tuple[PlanState, Violation | None, Phase, Effect]] = {
    "no check fails": (state(), None, Phase.APPROVED, End(Phase.APPROVED)),
    "it has a fix": (state(), violation(), Phase.FIXING, Mend(violation())),
    "it has none": (state(), violation(has_fix=False), Phase.ASKING, Ask(violation(has_fix=False))),
    "mended twice": (state(retries={"no_eval": 2}), violation(), Phase.FIXING, Mend(violation())),
    "mended three times": (state(retries={"no_eval": 3}), violation(), Phase.ASKING, Ask(violation())),
    "others were mended": (state(retries={"no_any": 3}), violation(), Phase.FIXING, Mend(violation())),
    "it came back and must not": (
        state(retries={"no_eval": 1}),
        violation(rejects=True),
        Phase.REJECTED,
        End(Phase.REJECTED),
    ),
    "it must not come back and is there for the first time": (
        state(),
        violation(rejects=True),
        Phase.FIXING,
        Mend(violation(rejects=True)),
    ),
    "an earlier call used up all edits": (
        state(edits=10),
        violation(),
        Phase.INCOMPLETE,
        End(Phase.INCOMPLETE, "edits >= 10"),
    ),
    "nothing to mend after ten edits": (state(edits=10), None, Phase.APPROVED, End(Phase.APPROVED)),
}


@pytest.mark.parametrize(("before", "found", "phase", "last"), CHECKING.values(), ids=CHECKING)
def test_checking(before: PlanState, found: Violation | None, phase: Phase, last: Effect) -> None:
    review, effects = checked(before, found)
    assert (review.phase, effects[-1]) == (phase, last)
    assert phase.is_end is (effects[:-1] == (Save(before),))


def test_checks_that_were_approved_are_left_out() -> None:
    assert begin(state(approved=["a", "b"])).effects == (Check(("a", "b")),)


def test_fixing_counts_and_checks_again() -> None:
    fixing, _ = checked(state(), violation())
    review, effects = step(fixing, Mended(AFTER, EDIT))
    assert (review.phase, effects) == (Phase.CHECKING, (Check(()),))
    assert review.state == state(edits=1, retries={"no_eval": 1}, history=[EDIT.model_dump()])


def test_the_tenth_edit_ends_the_review() -> None:
    fixing, _ = checked(state(edits=MOST_EDITS - 1), violation())
    review, effects = step(fixing, Mended(AFTER, EDIT))
    assert effects == (Save(review.state), End(Phase.INCOMPLETE, "edits >= 10"))
    assert review.state.edits == MOST_EDITS


def test_a_fix_that_cannot_be_made_is_a_question() -> None:
    fixing, _ = checked(state(), violation())
    review, effects = step(fixing, NotMended("it is the head of a table"))
    assert (review.phase, effects) == (Phase.ASKING, (Ask(violation(), "it is the head of a table"),))
    assert review.state == state()


def test_fixes_that_undo_each_other_end_the_review_and_are_named() -> None:
    review, _ = checked(state(), violation())
    review, _ = step(review, Mended(AFTER, EDIT))
    review, _ = step(review, Checked(AFTER, violation(check="no_json")))
    review, effects = step(review, Mended(BEFORE, EDIT.model_copy(update={"check": "no_json"})))
    assert effects[-1] == End(Phase.INCOMPLETE, "fixes undo each other: no_eval, no_json")


def asking() -> Review:
    return checked(state(), violation(has_fix=False))[0]


def test_who_approves_goes_on_without_the_check() -> None:
    review, effects = step(asking(), Answered(Answer(kind="approve")))
    assert review.state.approved == ("no_eval",)
    assert effects == (Save(review.state), Check(("no_eval",)))


def test_who_aborts_ends_the_review() -> None:
    review, effects = step(asking(), Answered(Answer(kind="abort")))
    assert effects == (Save(review.state), End(Phase.INCOMPLETE, "user aborted"))


def test_other_words_replace_the_match_and_are_no_try_of_a_fix() -> None:
    review, effects = step(asking(), Answered(Answer(kind="replace", text="parse(")))
    assert (review.phase, effects) == (Phase.FIXING, (Replace(violation(has_fix=False), "parse("),))
    review, effects = step(review, Mended(AFTER, EDIT, is_by_person=True))
    assert (review.state.edits, review.state.retries, effects) == (1, {}, (Check(()),))


@pytest.mark.parametrize(
    ("review", "event"),
    [
        (Review(), Mended(AFTER, EDIT)),
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
    begun = Begun(check="no_eval", before=BEFORE, after=AFTER, is_by_person=is_by_person)
    written = counted(before, EDIT, is_by_person=is_by_person).model_copy(update={"begun": begun})
    assert resumed(written, BEFORE) == before
    assert resumed(written, AFTER) == counted(before, EDIT, is_by_person=is_by_person)
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
        elif isinstance(wanted, Ask):
            questions += 1
            event = Answered(Answer(kind=chance.choice(["approve", "approve", "replace"]), text="x"))
        else:
            edits += 1
            by_person = isinstance(wanted, Replace)
            check = wanted.violation.check if isinstance(wanted, Mend | Replace) else ""
            made = EDIT.model_copy(update={"check": check})
            event = Mended(f"{edits}", made, by_person) if chance.random() < 0.8 else NotMended("no")
        review, effects = step(review, event)
        assert review.state.edits == len(review.state.history) <= MOST_EDITS
        assert all(count <= 3 for count in review.state.retries.values())
        assert edits < 1_000
    assert isinstance(effects[-1], End)
