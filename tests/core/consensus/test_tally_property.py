"""Whatever the order of arrivals, failures and retries: no agreement without a quorum of real votes."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from polling import NONCE, answer, request, said
from polling import settings as rules

from review_gate.consensus.schema import Answer, Decision, Member, Request, Settings
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound
from review_gate.pipeline.question import canary_of

CONTENTS = ({"app.py": ("x = 2", "y = 3")}, {"app.py": ("x = 2",)}, {"app.py": ("y = 3",), "lib.py": ("z = 4",)})
QUOTES = st.sampled_from(["x = 2", "y = 3", "z = 4", "made up", ""])
FILES = st.sampled_from(["app.py", "lib.py", None])
BLOCKING = st.builds(
    said,
    severity=st.sampled_from(["critical", "major", "doom"]),
    quote=QUOTES,
    file=FILES,
    message=st.sampled_from(["a", "b"]),
    replacement=st.sampled_from([None, "", "x = 2", "y = 3"]),
)
MILD = st.builds(said, severity=st.sampled_from(["warning", "info"]), quote=QUOTES, file=FILES)
FAILURES = (
    "missing",
    "problem",
    "late",
    "garbage",
    "empty",
    "unread",
    "led",
    "empty fail",
    "other verdict",
    "too many",
)


class Told(NamedTuple):
    """What one reviewer does in a round."""

    kind: str
    findings: tuple[dict[str, Any], ...] = ()

    @property
    def passes(self) -> bool:
        return self.kind == "pass"

    @property
    def blocks(self) -> bool:
        return self.kind in ("fail", "half")


PASSING = st.builds(Told, st.just("pass"), st.lists(MILD, max_size=2).map(tuple))
FAILING = st.builds(Told, st.just("fail"), st.lists(BLOCKING, min_size=1, max_size=3).map(tuple))
HALF = st.builds(Told, st.just("half"), st.lists(BLOCKING, min_size=1, max_size=1).map(tuple))
UNHEARD = st.builds(Told, st.sampled_from(FAILURES), st.just(()))
# Mostly they pass, or hardly anything would ever be agreed on.
TOLD = PASSING | PASSING | PASSING | PASSING | PASSING | UNHEARD | UNHEARD | FAILING | HALF
FAMILIES = ("anthropic", "openai", "google")


class Case(NamedTuple):
    """A round, after one other or none."""

    members: tuple[Member, ...]
    first: tuple[Told, ...] | None
    told: tuple[Told, ...]
    content: int
    by: Settings


@st.composite
def cases(draw: st.DrawFn) -> Case:
    families = draw(st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=4))
    members = tuple(Member.model_validate({"name": f"m{at}", "family": one}) for at, one in enumerate(families))
    told = st.tuples(*[TOLD] * len(members))
    by = rules(quorum=draw(st.sampled_from([1, 2, 2, 3, 4])), independent_families=draw(st.booleans()))
    return Case(members, draw(st.none() | told), draw(told), draw(st.integers(0, 2)), by)


def spoken(asked: Request, name: str, told: Told) -> Answer | None:
    """What is kept of a reviewer once the round is decided."""
    whole = answer(asked, name, *told.findings)
    changed: dict[str, dict[str, Any]] = {
        "problem": {"raw": (), "problem": "not logged in"},
        # Whoever spoke after the deadline was given up before.
        "late": {"raw": (), "problem": "it gave no answer by the deadline"},
        "garbage": {"raw": ('{"verdict": "pass"}',) * len(whole.raw)},
        "empty": {"raw": ("",) * len(whole.raw)},
        "too many": {"raw": (*whole.raw, whole.raw[0])},
    }
    asked_for: dict[str, dict[str, Any]] = {
        "unread": {"files_read": []},
        "half": {"files_read": []},
        "led": {"summary": canary_of(NONCE)},
        "empty fail": {"verdict": "fail"},
        "other verdict": {"verdict": "pass, I think"},
    }
    if told.kind == "missing":
        return None
    if told.kind in asked_for:
        return answer(asked, name, *told.findings, **asked_for[told.kind])
    return whole.model_copy(update=changed.get(told.kind, {}))


def kept(asked: Request, told: tuple[Told, ...]) -> dict[str, Answer]:
    found = {member.name: spoken(asked, member.name, one) for member, one in zip(asked.members, told, strict=True)}
    return {name: one for name, one in found.items() if one is not None}


def past_of(case: Case) -> list[PastRound]:
    if case.first is None:
        return []
    asked = request(CONTENTS[0], members=case.members)
    return [PastRound(asked, decide(asked, kept(asked, case.first), (), case.by))]


def asked_in(case: Case) -> Request:
    return request(CONTENTS[case.content], members=case.members, round=2 if case.first is not None else 1)


def outcome(case: Case) -> Decision:
    asked = asked_in(case)
    return decide(asked, kept(asked, case.told), past_of(case), case.by)


@given(cases())
@settings(max_examples=400)
def test_an_agreement_has_a_quorum_of_real_votes_and_nothing_against_it(case: Case) -> None:
    found = outcome(case)
    if found.outcome != "agreed":
        return
    passing = [member for member, one in zip(case.members, case.told, strict=True) if one.passes]
    voices = {one.family if case.by.independent_families else one.name for one in passing}
    assert len(voices) >= case.by.quorum
    assert not any(one.blocks for one in case.told)
    assert found.blocking == ()
    assert {name for name, vote in found.votes.items() if vote == "pass"} == {one.name for one in passing}


@given(cases(), st.randoms())
@settings(max_examples=150)
def test_no_order_of_reviewers_or_answers_makes_a_difference(case: Case, random: Any) -> None:
    asked = asked_in(case)
    members, arrived = list(asked.members), list(kept(asked, case.told).items())
    random.shuffle(members)
    random.shuffle(arrived)
    shuffled = asked.model_copy(update={"members": tuple(members)})
    again = decide(shuffled, dict(arrived), past_of(case), case.by)
    assert again == decide(asked, kept(asked, case.told), past_of(case), case.by)


@given(cases(), FAILING | HALF, st.integers(0, 3))
@settings(max_examples=150)
def test_one_more_objection_is_never_an_agreement(case: Case, more: Told, at: int) -> None:
    told = list(case.told)
    told[at % len(told)] = more
    added = Member(name="another", family="openai")
    assert outcome(case._replace(told=tuple(told))).outcome != "agreed"
    assert outcome_with(case, added, more).outcome != "agreed"


def outcome_with(case: Case, member: Member, told: Told) -> Decision:
    first = None if case.first is None else (*case.first, Told("missing"))
    return outcome(case._replace(members=(*case.members, member), first=first, told=(*case.told, told)))


@given(cases(), st.sampled_from(FAILURES), st.integers(0, 3))
@settings(max_examples=150)
def test_one_vote_less_makes_no_agreement_of_a_round_without_objections(case: Case, failure: str, at: int) -> None:
    before = outcome(case)
    told = list(case.told)
    if told[at % len(told)].blocks or before.outcome == "agreed":
        return
    told[at % len(told)] = Told(failure)
    assert outcome(case._replace(told=tuple(told))).outcome != "agreed"


@given(cases())
@settings(max_examples=150)
def test_a_decision_is_worked_out_again_from_what_was_kept(case: Case) -> None:
    asked, past = asked_in(case), past_of(case)
    answers = kept(asked, case.told)
    read = {name: Answer.model_validate_json(one.model_dump_json()) for name, one in answers.items()}
    read_past = [
        PastRound(
            Request.model_validate_json(one.request.model_dump_json()),
            Decision.model_validate_json(one.decision.model_dump_json()),
        )
        for one in past
    ]
    by = Settings.model_validate_json(case.by.model_dump_json())
    found = decide(asked, answers, past, case.by)
    assert decide(Request.model_validate_json(asked.model_dump_json()), read, read_past, by) == found
    assert Decision.model_validate_json(found.model_dump_json()) == found
