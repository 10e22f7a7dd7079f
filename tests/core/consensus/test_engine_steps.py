"""What comes next in a review, branch by branch."""

from __future__ import annotations

from typing import Any

import pytest
from polling import FILES, PASSES, answers, decided, refutation, request, said, silent, state

from review_gate.consensus.engine import (
    LIMIT,
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
from review_gate.consensus.schema import ConsensusState

ASKED = request()
AGREED = decided(ASKED, {})
FOUND = decided(ASKED, {"claude": [said()]})
NOBODY = decided(ASKED, dict.fromkeys(PASSES))
REFUTED = refutation(FOUND.issues[0])
TWO = answers(ASKED, {"claude": (), "codex": None})
EVERYBODY = answers(ASKED, PASSES)
ELSE = "0" * 64
RESOLVED = state(status="resolved")
CLOSED = state(status="resolved", consensus=ConsensusState(outcome="closed"))
GRANTED = state(granted=1, granted_after=1)


def step(**changes: Any) -> NextStep:
    usual = Facts(state(), ASKED, EVERYBODY, None, is_asking=True, left=10.0, content=ASKED.content)
    return next_step(usual._replace(**changes))


def is_same(one: NextStep, other: NextStep) -> bool:
    """Tuples of two kinds are equal where their fields are."""
    return type(one) is type(other) and one == other


BEFORE: dict[str, tuple[dict[str, Any], NextStep]] = {
    "somebody is at work": ({"answers": TWO}, Wait(("gemini",))),
    "whoever asks is gone": ({"answers": TWO, "is_asking": False}, AskAgain(("gemini",))),
    "the deadline is over": ({"answers": TWO, "left": -0.1}, GiveUp(("gemini",))),
    "everybody has spoken": ({}, Decide()),
    "everybody has spoken, too late": ({"left": -99.0, "is_asking": False}, Decide()),
    "somebody else has spoken": (
        {"answers": {**TWO, "mallory": silent("mallory")}},
        Wait(("gemini",)),
    ),
}
AFTER: dict[str, tuple[dict[str, Any], NextStep]] = {
    "agreed": ({"decision": AGREED}, Agreed()),
    "agreed and the content moved": ({"decision": AGREED, "content": ELSE}, Moved()),
    "agreed and the content cannot be read": (
        {"decision": AGREED, "content": "", "unreadable": "the plan is gone"},
        AskPerson("the plan is gone", may_continue=False),
    ),
    "agreed and over": ({"decision": AGREED, "content": "", "state": RESOLVED}, Agreed()),
    "agreed and over, whatever moved since": ({"decision": AGREED, "content": ELSE, "state": RESOLVED}, Agreed()),
    "agreed, another round was granted": ({"decision": AGREED, "state": GRANTED}, Agreed()),
    "agreed, and for what is there now another round was granted": (
        {"decision": AGREED, "content": ELSE, "state": GRANTED},
        NextRound(2),
    ),
    "closed": ({"decision": FOUND, "state": CLOSED}, Closed()),
    "closed before a decision": ({"state": CLOSED, "answers": {}}, Closed()),
    "closed after an agreement": ({"decision": AGREED, "state": CLOSED}, Closed()),
    "found, nothing changed": ({"decision": FOUND}, Mend()),
    "found and mended": ({"decision": FOUND, "content": ELSE}, NextRound(2)),
    "found, cannot be read": (
        {"decision": FOUND, "content": "", "unreadable": "gone"},
        AskPerson("gone", may_continue=False),
    ),
    "found and refuted": ({"decision": FOUND, "refutations": (REFUTED,)}, NextRound(2)),
    "found, the refutation is known": (
        {
            "decision": FOUND,
            "refutations": (REFUTED.model_copy(update={"made": "2027-01-01T00:00:00Z", "line": 9}),),
            "request": request(refutations=(REFUTED,)),
        },
        Mend(),
    ),
    "found, refuted with other evidence": (
        {
            "decision": FOUND,
            "refutations": (REFUTED.model_copy(update={"evidence": "z"}),),
            "request": request(refutations=(REFUTED,)),
        },
        NextRound(2),
    ),
    "found, another round was granted": ({"decision": FOUND, "state": GRANTED}, NextRound(2)),
    "for a person": ({"decision": NOBODY}, AskPerson(NOBODY.reason)),
    "for a person, although the content moved": ({"decision": NOBODY, "content": ELSE}, AskPerson(NOBODY.reason)),
    "for a person, who granted another round": ({"decision": NOBODY, "state": GRANTED}, NextRound(2)),
    "for a person, who granted one earlier": (
        {"decision": NOBODY, "state": GRANTED, "request": request(round=2)},
        AskPerson(NOBODY.reason),
    ),
}


@pytest.mark.parametrize(("changes", "expected"), BEFORE.values(), ids=BEFORE)
def test_before_a_decision(changes: dict[str, Any], expected: NextStep) -> None:
    assert is_same(step(**changes), expected)


@pytest.mark.parametrize(("changes", "expected"), AFTER.values(), ids=AFTER)
def test_after_a_decision(changes: dict[str, Any], expected: NextStep) -> None:
    assert is_same(step(**changes), expected)


def at_round(number: int, **changes: Any) -> NextStep:
    asked = request(FILES, round=number)
    decision = decided(asked, {"claude": [said()]})
    return step(request=asked, decision=decision, content=ELSE, state=state(round=number, **changes))


def test_the_limit_of_rounds_is_for_a_person() -> None:
    assert is_same(at_round(4), NextRound(5))
    assert is_same(at_round(5), AskPerson(LIMIT.format(5)))


def test_what_is_granted_is_one_round_and_no_more() -> None:
    assert is_same(at_round(5, granted=1, granted_after=5), NextRound(6))
    assert is_same(at_round(6, granted=1, granted_after=5), AskPerson(LIMIT.format(6)))


def test_at_the_limit_an_unchanged_text_is_to_be_mended_still() -> None:
    asked = request(FILES, round=5)
    decision = decided(asked, {"claude": [said()]})
    assert is_same(step(request=asked, decision=decision, state=state(round=5)), Mend())
