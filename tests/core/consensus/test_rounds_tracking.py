"""Findings and refutations from round to round: new, open, gone, back, or left by a reviewer without a vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from polling import ALL, FILES, Files, answer, answers, decided, played, refutation, request, said, settings

from review_gate.consensus.schema import Decision, Issue
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound, is_quoted_from
from review_gate.models import Severity

MENDED: Files = {"app.py": ("x = 1", "y = 3")}
AWAY: Mapping[str, None] = {"claude": None}
QUIET: dict[str, Sequence[dict[str, Any]] | None] = {}


def standing(decision: Decision) -> list[tuple[str, str, int, int]]:
    return [(issue.quote, issue.standing, issue.since, issue.returned) for issue in decision.issues]


def only(decision: Decision) -> Issue:
    (issue,) = decision.issues
    return issue


def test_finding_is_new_in_the_first_round_that_has_it() -> None:
    decision, _ = played((FILES, {"claude": [said()]}))
    assert standing(decision) == [("x = 2", "new", 1, 0)]


def test_finding_told_again_is_open_when_another_reviewer_tells_it() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, {"codex": [said(message="Still.")]}))
    assert standing(decision) == [("x = 2", "open", 1, 0)]
    assert (decision.fixed, decision.settled) == ((), ())


def test_finding_is_fixed_when_its_finder_votes_and_does_not_tell_it_again() -> None:
    suggestion = said(severity="info", quote="y")
    decision, past = played((FILES, {"claude": [said(), suggestion]}), (MENDED, QUIET))
    assert decision.fixed == (past[0].decision.blocking[0].fingerprint,)
    assert (decision.issues, decision.outcome) == ((), "agreed")


def test_each_return_of_a_finding_is_counted() -> None:
    told: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said()]}
    decision, _ = played((FILES, told), (MENDED, QUIET), (FILES, told), (FILES, told), (MENDED, QUIET), (FILES, told))
    assert standing(decision) == [("x = 2", "came_back", 1, 2)]


def test_finding_need_not_be_settled_when_its_finder_tells_it_more_mildly() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, {"claude": [said(severity="warning")]}))
    assert (only(decision).severity, only(decision).standing, decision.outcome) == (Severity.WARNING, "open", "agreed")


def test_finding_stays_when_only_another_reviewer_tells_it_more_mildly() -> None:
    told: dict[str, Any] = {"claude": None, "codex": [said(severity="info")]}
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, told))
    assert (only(decision).severity, only(decision).standing) == (Severity.MAJOR, "unheard")
    assert (decision.outcome, decision.because) == ("needs_person", "unheard")


@pytest.mark.parametrize("now", [FILES, MENDED], ids=["same words", "changed words"])
def test_a_fail_is_never_dropped_when_its_reviewer_has_no_vote(now: Files) -> None:
    rounds: list[tuple[Files, Any]] = [(FILES, {"claude": [said()]}), (now, AWAY), (now, AWAY)]
    for count in (2, 3):
        decision, _ = played(*rounds[:count])
        assert standing(decision) == [("x = 2", "unheard", 1, 0)]
        assert (decision.outcome, decision.because, decision.fixed) == ("needs_person", "unheard", ())
    assert played(*rounds, (now, QUIET))[0].outcome == "agreed"


def test_finding_stays_when_its_finder_is_not_asked_any_more() -> None:
    decision, _ = played((FILES, {"gemini": [said()]}), (FILES, QUIET), members=ALL[:2])
    assert standing(decision) == [("x = 2", "unheard", 1, 0)]


def test_one_of_its_finders_is_enough_to_take_a_finding_back() -> None:
    decision, _ = played((FILES, {"claude": [said()], "codex": [said()]}), (FILES, AWAY))
    assert decision.outcome == "agreed"


def test_suggestion_is_dropped_when_its_reviewer_has_no_vote() -> None:
    decision, _ = played((FILES, {"claude": [said(severity="info")]}), (FILES, AWAY))
    assert decision.issues == ()


def test_finding_of_a_reviewer_without_a_vote_is_told_when_it_tells_it_again() -> None:
    asked = request(round=2)
    past = [PastRound(request(), decided(request(), {"claude": [said()]}))]
    half = answer(asked, "claude", said(), files_read=[])
    decision = decide(asked, {**answers(asked, {"codex": (), "gemini": ()}), "claude": half}, past, settings())
    assert (standing(decision), decision.because) == ([("x = 2", "open", 1, 0)], "findings")


def test_unheard_findings_take_their_place_by_weight() -> None:
    critical = said(severity="critical", quote="y = 3")
    decision, _ = played((FILES, {"claude": [critical]}), (FILES, {"claude": None, "codex": [said()]}))
    assert [issue.quote for issue in decision.issues] == ["y = 3", "x = 2"]


def test_new_finding_blocks_in_every_round() -> None:
    quiet = [(FILES, QUIET)] * 4
    decision, _ = played(*quiet, (FILES, {"claude": [said()]}))
    assert (decision.outcome, decision.votes["claude"]) == ("fix", "fail")


def test_refuted_finding_is_settled_and_not_fixed_when_it_is_not_told_again() -> None:
    both = {"claude": [said(), said(quote="y = 3")]}
    first, _ = played((FILES, both))
    ids = {issue.quote: issue for issue in first.issues}
    decision, _ = played((FILES, both), (MENDED, QUIET), refutations=(refutation(ids["x = 2"]),))
    assert (decision.settled, decision.fixed) == ((ids["x = 2"].fingerprint,), (ids["y = 3"].fingerprint,))


def test_quote_is_found_when_each_of_its_lines_is_part_of_a_line() -> None:
    lines = ["if x == 2:", "return y"]
    assert [is_quoted_from(quote, lines) for quote in ("x  == 2", " return y\nif x", "", "return z")] == [
        *[True] * 3,
        False,
    ]
