"""The machine held against the design line by line: each row is one line of CHECKING, FIXING or ASKING."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from review_gate.plans.machine import (
    Answered,
    Ask,
    Check,
    Checked,
    Consult,
    Consulted,
    Effect,
    End,
    Event,
    Mend,
    NotMended,
    Replace,
    Review,
    Save,
    Worked,
    Write,
    Written,
    begin,
    step,
)
from review_gate.plans.schema import Answer, Edit, Phase, PlanState, Violation

EDIT = Edit(check="c", fix="a → b", line=3)
WORKED = Worked("before", "after", EDIT)
ABORT, APPROVE = Answered(Answer(kind="abort")), Answered(Answer(kind="approve"))
WORDS = Answered(Answer(kind="replace", text="words"))
C = Violation(check="c", pattern="p", reason="r", line=3, matched="p", has_fix=True, rejects=False)
NO_FIX = C.model_copy(update={"has_fix": False})
REJECTS = C.model_copy(update={"rejects": True})


class Line(NamedTuple):
    """What is remembered, what happens, and what must follow: the phase, the last effects, and parts of the state."""

    before: dict[str, Any]
    events: tuple[Event, ...]
    phase: Phase
    effects: tuple[Effect, ...]
    state: dict[str, Any]


def checked(violation: Violation | None) -> Checked:
    return Checked("before", violation)


def counted(**changes: Any) -> dict[str, Any]:
    return {"edits": 1, "retries": {"c": 1}, "history": [EDIT.model_dump()], **changes}


def saved(**changes: Any) -> Save:
    return Save(PlanState.model_validate(changes))


CHECKING = {
    "checks in state.approved are skipped": Line(
        {"approved": ["a"]}, (), Phase.CHECKING, (Check(("a",)),), {"approved": ("a",)}
    ),
    "reject_if_persists and retries >= 1: REJECTED": Line(
        {"retries": {"c": 1}}, (checked(REJECTS),), Phase.REJECTED, (End(Phase.REJECTED),), {}
    ),
    "reject_if_persists and no retry: not rejected": Line({}, (checked(REJECTS),), Phase.FIXING, (Mend(REJECTS),), {}),
    "reject_if_persists comes before retries >= 3": Line(
        {"retries": {"c": 3}}, (checked(REJECTS),), Phase.REJECTED, (End(Phase.REJECTED),), {}
    ),
    "retries >= 3: ASKING": Line({"retries": {"c": 3}}, (checked(C),), Phase.ASKING, (Ask(C),), {}),
    "retries 2: not yet": Line({"retries": {"c": 2}}, (checked(C),), Phase.FIXING, (Mend(C),), {}),
    "a fix: FIXING": Line({}, (checked(C),), Phase.FIXING, (Mend(C),), {}),
    "no fix: ASKING": Line({}, (checked(NO_FIX),), Phase.ASKING, (Ask(NO_FIX),), {}),
    "no check fails: the experts, and with none that objects APPROVED": Line(
        {}, (checked(None), Consulted()), Phase.APPROVED, (End(Phase.APPROVED),), {}
    ),
    "all experts must approve": Line({}, (checked(None), Consulted(NO_FIX)), Phase.ASKING, (Ask(NO_FIX),), {}),
    "no check fails: all experts are asked": Line({}, (checked(None),), Phase.REVIEWING, (Consult(),), {}),
}
FIXING = {
    "edits += 1, retries += 1, history, and state.yaml before the plan": Line(
        {},
        (checked(C), WORKED),
        Phase.FIXING,
        (saved(**counted(begun={"check": "c", "before": "before", "after": "after"})), Write()),
        {"edits": 1, "retries": {"c": 1}, "history": (EDIT,)},
    ),
    "retries are counted on": Line(
        {"retries": {"c": 1, "d": 2}, "edits": 3},
        (checked(C), WORKED),
        Phase.FIXING,
        (Write(),),
        {"retries": {"c": 2, "d": 2}, "edits": 4},
    ),
    "then CHECKING": Line(
        {}, (checked(C), WORKED, Written()), Phase.CHECKING, (saved(**counted()), Check(())), {"begun": None}
    ),
    "edits >= 10: INCOMPLETE": Line(
        {"edits": 9},
        (checked(C), WORKED, Written()),
        Phase.INCOMPLETE,
        (End(Phase.INCOMPLETE, "edits >= 10"),),
        {"edits": 10},
    ),
    "edits 9: not yet": Line({"edits": 8}, (checked(C), WORKED, Written()), Phase.CHECKING, (Check(()),), {"edits": 9}),
    "a fix that cannot be made is asked about": Line(
        {}, (checked(C), NotMended("why")), Phase.ASKING, (Ask(C, "why"),), {"edits": 0, "retries": {}}
    ),
}
ASKING = {
    "approve: the check is approved, state.yaml is written, CHECKING": Line(
        {},
        (checked(NO_FIX), APPROVE),
        Phase.CHECKING,
        (saved(approved=["c"]), Check(("c",))),
        {"approved": ("c",), "edits": 0},
    ),
    "abort: INCOMPLETE": Line(
        {},
        (checked(NO_FIX), ABORT),
        Phase.INCOMPLETE,
        (saved(), End(Phase.INCOMPLETE, "user aborted")),
        {"approved": ()},
    ),
    "free text: put in the place of the match": Line(
        {}, (checked(NO_FIX), WORDS), Phase.FIXING, (Replace(NO_FIX, "words"),), {"approved": ()}
    ),
    "free text: an edit like any other, then state.yaml and CHECKING": Line(
        {},
        (checked(NO_FIX), WORDS, WORKED._replace(is_by_person=True), Written()),
        Phase.CHECKING,
        (saved(edits=1, history=[EDIT.model_dump()]), Check(())),
        {"edits": 1, "retries": {}},
    ),
}
LINES = CHECKING | FIXING | ASKING


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_the_machine_does_what_the_line_says(line: Line) -> None:
    review, effects = begin(PlanState.model_validate(line.before))
    for event in line.events:
        review, effects = step(review, event)
    assert review.phase is line.phase
    assert effects[-len(line.effects) :] == line.effects
    assert {name: getattr(review.state, name) for name in line.state} == line.state


@pytest.mark.parametrize("phase", [Phase.APPROVED, Phase.REJECTED, Phase.INCOMPLETE])
def test_what_is_saved_comes_before_the_end(phase: Phase) -> None:
    ends = [line for line in LINES.values() if line.phase is phase]
    for line in ends:
        review, effects = begin(PlanState.model_validate(line.before))
        for event in line.events:
            review, effects = step(review, event)
        assert isinstance(effects[-2], Save)
        assert review == Review(phase, review.state, review.violation, review.reason, review.plans)
