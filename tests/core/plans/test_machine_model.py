"""The machine against the seed's own words, kept as plain numbers beside it, whatever order things happen in."""

from __future__ import annotations

from itertools import count
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from review_gate.plans.machine import (
    Answered,
    Ask,
    Check,
    Checked,
    Consult,
    Consulted,
    End,
    Mend,
    NotMended,
    PlanChanged,
    Replace,
    Worked,
    Write,
    Written,
    begin,
    resumed,
    step,
)
from review_gate.plans.schema import Answer, Edit, PlanState, Violation

# What leads on is likelier than what ends a review, or the limits would hardly ever be reached.
LIKELY, RARE = st.sampled_from([True, True, True, False]), st.sampled_from([False, False, False, False, True])
VIOLATIONS = st.builds(
    Violation,
    check=st.sampled_from("aaab"),
    pattern=st.just("p"),
    reason=st.just(""),
    line=st.integers(1, 5),
    matched=st.just("p"),
    has_fix=LIKELY,
    rejects=RARE,
)


class SeedReview(RuleBasedStateMachine):
    """The seed's counters as numbers, and the phase that follows from them by its sections."""

    def __init__(self) -> None:
        super().__init__()
        self.edits = 0
        self.retries: dict[str, int] = {}
        self.approved: list[str] = []
        self.phase = "checking"
        self.is_by_person = False
        self.restarts = 0
        self.found: Violation | None = None
        self.digests = count()
        self.now = begin(PlanState())

    @initialize(edits=st.integers(0, 10))
    def earlier_calls_made_some_edits(self, edits: int) -> None:
        self.edits = edits
        self.now = begin(PlanState(edits=edits, history=(Edit(check="z", fix="x", line=1),) * edits))

    @precondition(lambda self: self.phase == "checking")
    @rule(found=VIOLATIONS | VIOLATIONS | VIOLATIONS | st.none())
    def the_plan_is_checked(self, found: Violation | None) -> None:
        self.found = None if found is None or found.check in self.approved else found
        self.now = step(self.now.review, Checked(str(next(self.digests)), self.found))
        self.phase = self._after_checking(self.found)
        wanted = {"fixing": Mend, "asking": Ask, "reviewing": Consult}.get(self.phase, End)
        assert isinstance(self.now.effects[-1], wanted)

    @precondition(lambda self: self.phase == "reviewing")
    @rule(objects=LIKELY, is_missing=RARE)
    def the_experts_speak(self, objects: bool, is_missing: bool) -> None:
        check = f"expert:{next(self.digests)}"
        said = Violation(
            check=check, pattern="p", reason="", line=1, matched="p", has_fix=False, rejects=False, voice="X"
        )
        self.found = said if objects else None
        self.now = step(self.now.review, Consulted(self.found, "X is missing" if is_missing else ""))
        self.phase = "asking" if objects else "incomplete" if is_missing else "approved"

    def _after_checking(self, found: Violation | None) -> str:
        if found is None:
            return "reviewing"
        retried = self.retries.get(found.check, 0)
        if found.rejects and retried >= 1:
            return "rejected"
        if retried >= 3 or not found.has_fix:
            return "asking"
        return "incomplete" if self.edits >= 10 else "fixing"

    @precondition(lambda self: self.phase == "fixing")
    @rule(works=LIKELY)
    def the_fix_is_made(self, works: bool) -> None:
        assert self.found is not None
        if not works:
            self.now = step(self.now.review, NotMended("it cannot be"))
            self.phase = "asking"
            return
        edit = Edit(check=self.found.check, fix="x", line=1)
        after = str(next(self.digests))
        self.now = step(self.now.review, Worked("before", after, edit, self.is_by_person))
        # Counted before the plan is touched.
        self.edits += 1
        if not self.is_by_person:
            self.retries[edit.check] = self.retries.get(edit.check, 0) + 1
        assert isinstance(self.now.effects[-1], Write)
        self.phase = "writing"

    @precondition(lambda self: self.phase == "writing")
    @rule(is_changed=RARE)
    def the_plan_is_written(self, is_changed: bool) -> None:
        assert self.found is not None
        self.now = step(self.now.review, PlanChanged() if is_changed else Written())
        if is_changed:
            self.edits -= 1
            self.restarts += 1
            if not self.is_by_person:
                self.retries[self.found.check] -= 1
        is_over = self.restarts > 5 if is_changed else self.edits >= 10
        self.phase = "incomplete" if is_over else "checking"
        self.is_by_person = False

    @precondition(lambda self: self.phase == "asking")
    @rule(kind=st.sampled_from(["approve", "approve", "replace", "abort"]))
    def a_person_answers(self, kind: Any) -> None:
        assert self.found is not None
        self.now = step(self.now.review, Answered(Answer(kind=kind, text="y")))
        if kind == "approve":
            self.approved.append(self.found.check)
            assert self.now.effects[-1] == Check(tuple(dict.fromkeys(self.approved)))
        self.is_by_person = kind == "replace"
        assert isinstance(self.now.effects[-1], {"approve": Check, "replace": Replace, "abort": End}[kind])
        self.phase = {"approve": "checking", "replace": "fixing", "abort": "incomplete"}[kind]

    @rule()
    def another_call_goes_on_from_the_state(self) -> None:
        if self.phase == "writing":
            # The plan holds the edit: whether it does not is told by its digest, and tried elsewhere.
            self.now = begin(resumed(self.now.review.state, "after"))
        else:
            self.now = begin(self.now.review.state)
        self.phase, self.is_by_person, self.restarts = "checking", False, 0

    @invariant()
    def the_machine_says_what_the_seed_says(self) -> None:
        review = self.now.review
        assert review.phase.value == {"writing": "fixing"}.get(self.phase, self.phase)
        assert (review.state.begun is not None) == (self.phase == "writing")
        assert (review.state.edits, review.state.retries) == (self.edits, self.retries)
        assert list(review.state.approved) == list(dict.fromkeys(self.approved))
        assert len(review.state.history) == self.edits


TestSeedReview = SeedReview.TestCase
TestSeedReview.settings = settings(max_examples=120, stateful_step_count=50)
