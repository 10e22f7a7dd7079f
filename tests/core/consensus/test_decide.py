"""What a round comes to: agreed, to be fixed, or something for a person; and that nothing of it stops an agreement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from polling import (
    ANN,
    BOB,
    DAN,
    FILES,
    PASSES,
    Files,
    Told,
    answer,
    answers,
    decided,
    played,
    refutation,
    request,
    said,
    settings,
)

from review_gate.consensus.schema import Decision, Vote
from review_gate.consensus.tally import decide
from review_gate.pipeline.exhibit import Budget
from review_gate.ports import Withheld

NOBODY: Told = {"claude": None, "codex": None, "gemini": None}
MENDED: Files = {"app.py": ("x = 1", "y = 3")}


def end(decision: Decision) -> tuple[str, str, str]:
    return decision.outcome, decision.because, decision.reason


QUORUM: dict[str, tuple[Told, dict[str, Any], tuple[str, str, str]]] = {
    "all pass": ({}, {}, ("agreed", "agreed", "all 3 that voted pass")),
    "one is missing": ({"gemini": None}, {}, ("agreed", "agreed", "all 2 that voted pass")),
    "two are missing": (
        {"claude": None, "gemini": None},
        {},
        ("needs_person", "no_quorum", "1 of 2 reviewers have voted that have to, 2 could not"),
    ),
    "one is enough where that is set": (
        {"claude": None, "gemini": None},
        {"quorum": 1},
        ("agreed", "agreed", "all 1 that voted pass"),
    ),
    "nobody": (
        NOBODY,
        {"quorum": 1},
        ("needs_person", "no_quorum", "0 of 1 reviewers have voted that have to, 3 could not"),
    ),
    "more are needed than there are": (
        {},
        {"quorum": 4},
        ("needs_person", "no_quorum", "3 of 4 reviewers have voted that have to"),
    ),
    "a suggestion": ({"claude": [said(severity="info")]}, {}, ("agreed", "agreed", "all 3 that voted pass")),
    "one fails": ({"claude": [said()]}, {}, ("fix", "findings", "1 finding to be settled")),
    "one fails, two are missing": (
        {"claude": [said()], "codex": None, "gemini": None},
        {},
        ("fix", "findings", "1 finding to be settled"),
    ),
    "two fail": (
        {"claude": [said()], "codex": [said(quote="y = 3")]},
        {},
        ("fix", "findings", "2 findings to be settled"),
    ),
}


@pytest.mark.parametrize(("told", "changes", "expected"), QUORUM.values(), ids=QUORUM)
def test_all_that_voted_pass_and_enough_have_voted(
    told: Told, changes: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    assert end(decided(request(), told, by=settings(**changes))) == expected


FAMILIES: dict[str, tuple[Told, bool, str]] = {
    "two of one family": ({"codex": None}, True, "no_quorum"),
    "two of one family, where that counts": ({"codex": None}, False, "agreed"),
    "two families": ({"anthropic": None}, True, "agreed"),
    "all three": ({}, True, "agreed"),
}


@pytest.mark.parametrize(("told", "is_asked", "because"), FAMILIES.values(), ids=FAMILIES)
def test_of_one_family_only_one_counts_where_independence_is_asked_for(
    told: Told, is_asked: bool, because: str
) -> None:
    asked = request(members=(ANN, BOB, DAN))
    all_told = {"claude": (), "codex": (), "anthropic": (), **told}
    found = decide(asked, answers(asked, all_told), (), settings(independent_families=is_asked))
    assert found.because == because
    assert ("of different families" in found.reason) == (because == "no_quorum")


def test_a_reviewer_that_is_listed_twice_has_one_vote() -> None:
    asked = request(members=(ANN, ANN))
    assert decided(asked, {}).because == "no_quorum"


def test_whoever_was_not_asked_has_no_vote() -> None:
    asked = request(members=(ANN,))
    assert decided(asked, PASSES).because == "no_quorum"


def test_a_round_that_showed_nothing_agrees_on_nothing() -> None:
    asked = request({})
    found = decide(asked, answers(asked, PASSES), (), settings())
    assert (found.outcome, found.because) == ("needs_person", "no_quorum")


def test_what_nobody_saw_is_named() -> None:
    cut = request({"app.py": ("z" * 30,) * 9}, Budget(per_file=60, per_group=900))
    assert decided(cut, {}).unseen == ("app.py",)
    withheld = (Withheld(path="app.py", lines=2), Withheld(path=None, lines=1))
    assert decided(request(withheld=withheld), {}).unseen == ("app.py",)
    assert decided(request(), {}).unseen == ()


def test_each_vote_and_why_there_is_none_is_kept_by_name() -> None:
    found = decided(request(), {"claude": [said()], "gemini": None})
    assert found.votes == {"claude": Vote.FAIL, "codex": Vote.PASS, "gemini": Vote.NONE}
    assert found.problems == {"gemini": "timeout: no answer"}


def test_what_somebody_without_a_vote_found_has_to_be_settled() -> None:
    asked = request()
    half = answer(asked, "claude", said(), files_read=[])
    found = decide(asked, {**answers(asked, PASSES), "claude": half}, (), settings())
    assert (found.outcome, found.votes["claude"]) == ("fix", Vote.NONE)


def test_content_that_is_that_of_an_older_round_goes_in_a_circle() -> None:
    told: Told = {"claude": [said(quote="y = 3")]}
    decision, _ = played((FILES, told), (MENDED, told), (FILES, told))
    assert end(decision)[1:] == ("oscillation", "the content is that of round 1 again")


def test_a_finding_that_comes_back_twice_goes_in_a_circle() -> None:
    told: Told = {"claude": [said()]}
    contents: list[Files] = [{"app.py": ("x = 2", f"{number}")} for number in range(5)]
    decision, past = played(*zip(contents, (told, {}, told, {}, told), strict=True))
    assert end(decision)[1:] == ("oscillation", "a finding came back 2 times: The sum is wrong.")
    assert [one.decision.because for one in past] == ["findings", "agreed", "findings", "agreed"]


def disputed(told: Told) -> Decision:
    first = decided(request(), {"claude": [said()]})
    return played((FILES, {"claude": [said()]}), (FILES, told), refutations=(refutation(first.issues[0]),))[0]


def test_a_refuted_finding_that_is_told_again_needs_a_person() -> None:
    assert end(disputed({"codex": [said(message="No,\nit is\twrong.")]})) == (
        "needs_person",
        "disputed",
        "a finding that was refuted was told again: No, it is wrong.",
    )


def test_a_refuted_finding_that_nobody_tells_again_is_no_obstacle() -> None:
    assert disputed({}).outcome == "agreed"


def test_a_refuted_finding_told_again_as_a_suggestion_is_no_obstacle() -> None:
    assert disputed({"claude": [said(severity="info")]}).outcome == "agreed"


def test_refuted_finding_needs_a_person_when_its_finder_has_no_vote() -> None:
    assert end(disputed({"claude": None})) == (
        "needs_person",
        "unheard",
        "no reviewer who found it has voted again: The sum is wrong.",
    )


def test_finding_goes_before_one_whose_finder_has_no_vote() -> None:
    assert end(disputed({"claude": None, "codex": [said(quote="y = 3")]}))[1:] == (
        "findings",
        "2 findings to be settled",
    )


def test_where_hardly_anybody_votes_what_was_found_before_is_not_the_reason() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, NOBODY))
    assert (decision.because, len(decision.blocking)) == ("no_quorum", 1)


def test_a_long_message_is_cut_in_the_reason() -> None:
    decision = disputed({"claude": [said(message="word " * 500)]})
    assert len(decision.reason) < 220
    assert decision.reason.endswith("...")


STUCK: Mapping[str, list[tuple[Files, Told]]] = {
    "content": [(FILES, {"claude": [said()]}), (MENDED, {"claude": [said(quote="y = 3")]})],
    "returns": [
        ({"app.py": ("x = 2", f"{number}")}, {"claude": [said()] if number % 2 else []}) for number in range(6)
    ],
    "unheard": [(FILES, {"claude": [said()]}), (FILES, {"claude": None})],
}


@pytest.mark.parametrize("rounds", STUCK.values(), ids=STUCK)
def test_nothing_of_this_stops_an_agreement(rounds: list[tuple[Files, Told]]) -> None:
    decision, past = played(*rounds, (FILES, {}))
    assert len(past) == len(rounds)
    assert (decision.outcome, decision.blocking) == ("agreed", ())
