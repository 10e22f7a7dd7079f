"""A whole review, whatever happens in it: it ends or waits for somebody, and never agrees wrongly."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from polling import ALL, answer, refutation, request, said, silent, state
from polling import settings as rules

from review_gate.consensus.engine import (
    Agreed,
    AskAgain,
    AskPerson,
    Closed,
    Decide,
    Facts,
    GiveUp,
    Mend,
    Moved,
    NextRound,
    NextStep,
    Wait,
    next_step,
)
from review_gate.consensus.schema import Answer, ConsensusState, Decision, Refutation, Request, Vote
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound

CONTENTS = [{"app.py": lines} for lines in (("x = 2", "y = 3"), ("x = 1", "y = 3"), ("x = 2",), ("x = 1", "y = 4"))]
QUOTES = st.sampled_from(["x = 2", "x = 1", "y = 3", "y = 4", ""])
FINDING = st.builds(
    said,
    severity=st.sampled_from(["critical", "major", "major", "info"]),
    quote=QUOTES,
    replacement=st.sampled_from([None, None, None, "", "x = 1", "x = 2"]),
)
FINDINGS = st.lists(FINDING, max_size=2)
# Reviews whose reviewers mostly find something last longer.
SOME = st.lists(FINDING, min_size=1, max_size=2) | FINDINGS
BY = rules(max_rounds=4)
NAMES = [member.name for member in ALL]
WAITING = (Wait, AskAgain, Mend, AskPerson, Agreed, Moved, Closed)


class Review(RuleBasedStateMachine):
    """The world around the engine: reviewers, whoever asks them, whoever mends, a clock, and a person."""

    def __init__(self) -> None:
        super().__init__()
        self.state = state(settings=BY)
        self.content = 0
        self.past: list[PastRound] = []
        self.refutations: tuple[Refutation, ...] = ()
        self.step: NextStep | None = None
        self.begin(1)

    def begin(self, number: int) -> None:
        asked = request(CONTENTS[self.content], round=number)
        asked = asked.model_copy(update={"refutations": self.refutations})
        self.asked: Request = asked
        self.answers: dict[str, Answer] = {}
        self.told: dict[str, list[dict[str, Any]] | None] = {}
        self.decision: Decision | None = None
        self.is_asking, self.left = True, 10.0
        self.state = self.state.model_copy(update={"round": number, "status": "pending"})

    def facts(self) -> Facts:
        return Facts(
            self.state,
            self.asked,
            self.answers,
            self.decision,
            is_asking=self.is_asking,
            left=self.left,
            content=request(CONTENTS[self.content]).content,
            refutations=self.refutations,
        )

    @precondition(lambda self: self.decision is None)
    @rule(name=st.sampled_from(NAMES), findings=st.none() | FINDINGS)
    def a_reviewer_speaks(self, name: str, findings: list[dict[str, Any]] | None) -> None:
        # Whoever was heard, or given up, is not heard again.
        if name not in self.answers:
            self.told[name] = findings
            self.answers[name] = silent(name) if findings is None else answer(self.asked, name, *findings)

    @precondition(lambda self: self.decision is None)
    @rule(findings=SOME)
    def all_others_speak(self, findings: list[dict[str, Any]]) -> None:
        for name in NAMES:
            self.a_reviewer_speaks(name, findings)
        self.somebody_looks()

    @precondition(lambda self: self.state.status != "resolved")
    @rule(content=st.integers(0, len(CONTENTS) - 1), told=st.fixed_dictionaries(dict.fromkeys(NAMES, st.none() | SOME)))
    def a_whole_round_goes_by(self, content: int, told: dict[str, list[dict[str, Any]] | None]) -> None:
        self.content = content
        if isinstance(self.step, AskPerson) and self.state.granted < 3:
            self.a_person_grants_a_round()
        self.somebody_looks()
        for name, findings in told.items():
            if self.decision is None:
                self.a_reviewer_speaks(name, findings)
        self.somebody_looks()

    @rule()
    def whoever_asks_is_killed(self) -> None:
        self.is_asking = False

    @rule()
    def the_machine_sleeps(self) -> None:
        self.left = -1.0

    @rule(content=st.integers(0, len(CONTENTS) - 1))
    def something_changes(self, content: int) -> None:
        self.content = content

    @precondition(lambda self: self.decision is not None and self.decision.blocking)
    @rule(at=st.integers(0, 5), because=st.sampled_from("ab"))
    def a_finding_is_refuted(self, at: int, because: str) -> None:
        assert self.decision is not None
        issue = self.decision.blocking[at % len(self.decision.blocking)]
        others = [one for one in self.refutations if one.fingerprint != issue.fingerprint]
        self.refutations = (*others, refutation(issue, because=because))

    @precondition(lambda self: isinstance(self.step, AskPerson) and self.state.granted < 3)
    @rule()
    def a_person_grants_a_round(self) -> None:
        update = {"granted": self.state.granted + 1, "granted_after": self.state.round}
        self.state = self.state.model_copy(update=update)

    @precondition(lambda self: isinstance(self.step, AskPerson))
    @rule(is_sure=st.sampled_from([True, False, False, False]))
    def a_person_closes_it(self, is_sure: bool) -> None:
        if is_sure:
            closed = ConsensusState(outcome="closed")
            self.state = self.state.model_copy(update={"status": "resolved", "consensus": closed})

    @rule()
    def somebody_looks(self) -> None:
        for _ in range(5):
            was_over = isinstance(self.step, Closed) or self.state.status == "resolved"
            self.step = next_step(self.facts())
            assert not was_over or isinstance(self.step, Closed | Agreed)
            if isinstance(self.step, WAITING):
                break
            self.do(self.step)
        assert isinstance(self.step, WAITING)
        self.is_asking = self.is_asking or isinstance(self.step, AskAgain)
        if isinstance(self.step, Agreed):
            assert self.state.status == "resolved" or self.asked.content == request(CONTENTS[self.content]).content
            self.state = self.state.model_copy(update={"status": "resolved"})

    def do(self, step: NextStep) -> None:
        if isinstance(step, Decide):
            self.decision = decide(self.asked, self.answers, self.past, BY)
            self.past.append(PastRound(self.asked, self.decision))
        elif isinstance(step, GiveUp):
            self.told.update(dict.fromkeys(step.missing))
            self.answers.update({name: silent(name) for name in step.missing})
        else:
            assert isinstance(step, NextRound)
            assert step.number == self.asked.round + 1
            self.begin(step.number)

    @invariant()
    def no_round_is_beyond_the_limit(self) -> None:
        assert self.asked.round <= BY.max_rounds + self.state.granted

    @invariant()
    def an_agreement_is_one(self) -> None:
        if self.decision is None or self.decision.outcome != "agreed":
            return
        heard = [name for name, findings in self.told.items() if findings is not None]
        assert len(heard) >= BY.quorum
        assert {name for name, vote in self.decision.votes.items() if vote is Vote.PASS} == set(heard)
        assert self.decision.blocking == ()

    def teardown(self) -> None:
        """Where reviewers never agree and something always changes, it ends with a person all the same."""
        for number in range(3 * (BY.max_rounds + 4)):
            self.content = number % len(CONTENTS)
            for name in NAMES:
                if self.decision is None and name not in self.answers:
                    self.a_reviewer_speaks(name, [said(quote="", message=f"{number}")])
            self.somebody_looks()
            if isinstance(self.step, AskPerson | Agreed | Moved | Closed):
                return
        raise AssertionError(f"it goes on and on: {self.step}")


TestReview = Review.TestCase
TestReview.settings = settings(max_examples=300, stateful_step_count=30, deadline=None)
