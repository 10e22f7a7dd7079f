"""What the checks find in a round: it blocks whatever the votes are, and only a fix settles it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polling import FILES, decided, refutation, request, said

from review_gate.consensus.schema import Issue
from review_gate.consensus.tracking import PastRound
from review_gate.models import Severity

KEY = Issue(
    fingerprint="0123456789abcdef0123",
    severity=Severity.MAJOR,
    message="secret-key: It opens an account.",
    file="app.py",
    line=1,
    quote="x = 2",
    recommendation="",
    reviewers=("checks",),
    source="tool",
)
NOBODY: Mapping[str, None] = {"claude": None, "codex": None, "gemini": None}


def told(number: int, *tools: Issue, **changes: Any) -> PastRound:
    """A round that everybody passes; what the checks found is in it."""
    asked = request(FILES, round=number, tools=tools, **changes)
    return PastRound(asked, decided(asked, {}))


def test_what_a_check_finds_blocks_though_everybody_passes() -> None:
    decision = told(1, KEY).decision
    assert (decision.outcome, [issue.source for issue in decision.blocking]) == ("fix", ["tool"])
    assert set(decision.votes.values()) == {"pass"}


def test_what_no_check_finds_any_more_is_fixed_whatever_words_still_stand() -> None:
    past = [told(1, KEY)]
    decision = decided(request(FILES, round=2), {}, past)
    assert (decision.outcome, decision.issues, decision.fixed) == ("agreed", (), (KEY.fingerprint,))


def test_finding_of_a_check_cannot_be_refuted() -> None:
    past = [told(1), told(2)]
    asked = request(FILES, round=3, tools=(KEY,), refutations=(refutation(KEY),))
    decision = decided(asked, {}, past)
    assert [issue.is_blocking for issue in decision.issues] == [True]
    assert decision.outcome == "needs_person"


def test_where_the_checks_could_not_look_a_person_decides() -> None:
    decision = told(1, tool_problem="the scan did not end").decision
    assert (decision.outcome, decision.because) == ("needs_person", "tools")
    assert decision.reason == "the checks could not look: the scan did not end"
    asked = request(FILES, tool_problem="the scan did not end")
    assert decided(asked, {"claude": [said()]}).outcome == "fix"
    assert decided(asked, NOBODY).because == "no_quorum"
