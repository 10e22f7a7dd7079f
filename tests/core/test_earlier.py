"""What earlier reviews of the same content mean for a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from builders import BASE, COMMIT, finding, reviewer_result, run_report, subject

from review_gate.loops.earlier import in_the_light_of, memory_of
from review_gate.loops.report import LOOPS, LoopResult, ReviewerResult, not_run
from review_gate.loops.run import judge_loop
from review_gate.loops.state import ledger_review
from review_gate.ports import ModelPart
from review_gate.shell.ledger_entry import slim

OTHER = "0" * 40
NOT_ASKED = "not requested, and no earlier result to keep"


def voted(word: str) -> ReviewerResult:
    """A reviewer's part, from `name`, `name!` (it failed) or `name?` (it could not run).

    A star marks a copy, an at sign a failure about the commits alone, a tilde the session's word, a plus a model's.
    """
    name = word.strip("!?*@~+")
    status = "failed" if "!" in word else "could_not_run" if "?" in word else "passed"
    findings = (finding(reviewer=name, file=f"{name}.py"),) if status == "failed" else ()
    detail = "not found" if status == "could_not_run" else ""
    return reviewer_result(
        id=name,
        status=status,
        findings=findings,
        is_kept="*" in word,
        is_of_commits="@" in word,
        is_required=False,
        detail=detail,
        via="session" if "~" in word else None,
        model=ModelPart(provider="scripted", model="scripted-1") if "+" in word else None,
    )


def loop_of(words: str, *, is_kept: bool = False) -> LoopResult:
    """Loop 4 with these reviewers; a dash for one that was not run."""
    if words == "-":
        return not_run(4, NOT_ASKED)
    loop = judge_loop(4, tuple(voted(word) for word in words.split()), "")
    return loop.model_copy(update={"is_kept": is_kept})


def review(words: str, *, base: str = BASE, commit: str | None = COMMIT) -> dict[str, Any]:
    """A review as the ledger holds it: `kept ` in front of the reviewers marks a loop that was only taken over."""
    loop = loop_of(words.removeprefix("kept "), is_kept=words.startswith("kept "))
    whole = ledger_review(run_report(subject=subject(base=base, commit=commit), loops=(loop,)))
    stored: dict[str, Any] = json.loads(json.dumps(whole))
    return stored


def after(reviews: Sequence[dict[str, Any]], now: str, requested: Sequence[int] = LOOPS) -> LoopResult:
    (loop,) = in_the_light_of(memory_of(reviews, subject()), [loop_of(now)], requested=requested)
    return loop


# The earlier reviews, what runs now, and who keeps the loop from passing.
FAILURES: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "no earlier review": ([], "tests", ""),
    "a failure, then the same reviewer passes": ([review("tests!")], "tests", ""),
    "a failure, then nothing to run": ([review("tests!")], "", "tests"),
    "a failure, then another reviewer passes": ([review("lint tests!")], "lint", "tests"),
    "a failure, then it cannot run": ([review("lint tests!")], "lint tests?", "tests"),
    "a failure, and another one now": ([review("tests!")], "lint!", "lint tests"),
    "a failure against another base": ([review("tests!", base=OTHER)], "lint", "tests"),
    "a failure of the staged tree": ([review("tests!", commit=None)], "lint", "tests"),
    "a failure of another commit with this content": ([review("tests!", commit=OTHER)], "lint", "tests"),
    "a failure and a pass since": ([review("tests!"), review("lint tests")], "lint", ""),
    "a failure and a pass against another base since": ([review("tests!"), review("tests", base=OTHER)], "lint", ""),
    "a pass and a failure since": ([review("tests"), review("tests!", base=OTHER)], "lint", "tests"),
    "a failure, its copy, and no original any more": ([review("lint tests!*")], "lint", "tests"),
    "a pass after a copied failure": ([review("lint tests!*"), review("tests")], "lint", ""),
    "a failure, then a copied pass": ([review("tests!"), review("kept tests")], "lint", "tests"),
    "a failure, and the loop is not reached now": ([review("tests!")], "-", "tests"),
    "a failure about this commit": ([review("checks!@")], "lint", "checks"),
    "a failure about this commit and a pass since": ([review("checks!@"), review("checks")], "lint", ""),
    "a failure about this commit, then a pass of another one": (
        [review("checks!@"), review("checks", commit=OTHER)],
        "lint",
        "checks",
    ),
    "a failure about this commit, then a pass of the index": (
        [review("checks!@"), review("checks", commit=None)],
        "lint",
        "checks",
    ),
    "a failure about another commit with this content": ([review("checks!@", commit=OTHER)], "lint", ""),
    "a failure about another commit, the loop not reached": ([review("checks!@", commit=OTHER)], "-", ""),
    "a failure of the content, then one about another commit": (
        [review("checks!"), review("checks!@", commit=OTHER)],
        "lint",
        "checks",
    ),
    "a finding of the session, then patterns that pass": ([review("lint tests!~")], "lint tests", "tests"),
    "a finding of the session, and patterns alone since": ([review("tests!~"), review("tests")], "lint", "tests"),
    "a finding of the session, and nobody asks since": ([review("lint tests!~")], "lint", "tests"),
    "a finding of the session, which passes now": ([review("lint tests!~")], "lint tests~", ""),
    "a finding of the session, and its pass since": ([review("tests!~"), review("tests~")], "lint tests", ""),
    "a finding of the session, and a model passes now": ([review("lint tests!~")], "lint tests+", ""),
    "a finding of patterns, and patterns that pass": ([review("tests!")], "lint tests", ""),
    "a finding of patterns, which the session passes": ([review("tests!")], "lint tests~", ""),
    "a finding of a model, then patterns that pass": ([review("lint tests!+")], "lint tests", "tests"),
    "a finding of a model, which the session passes": ([review("lint tests!+")], "lint tests~", "tests"),
    "a finding of a model, and the session's pass since": ([review("tests!+"), review("tests~")], "lint", "tests"),
    "a finding of a model, which a model passes now": ([review("lint tests!+")], "lint tests+", ""),
    "a slim finding of a model and the session's slim pass": (
        [slim(review("tests!+")), slim(review("tests~"))],
        "lint",
        "tests",
    ),
    "a failure about another commit beside one of the content": (
        [review("checks!@ tests!", commit=OTHER)],
        "lint",
        "tests",
    ),
}


@pytest.mark.parametrize(("reviews", "now", "failing"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failure_stands_until_the_same_reviewer_passes(reviews: list[dict[str, Any]], now: str, failing: str) -> None:
    loop = after(reviews, now)
    without = {"": "nothing_to_run", "-": "not_run"}.get(now, "passed")
    assert loop.status == ("failed" if failing else without)
    assert sorted(one.id for one in loop.reviewers if one.status == "failed") == sorted(failing.split())
    assert sorted(loop.blockers) == [f"{name}.py:3: invalid syntax" for name in sorted(failing.split())]
    assert all(one.is_kept == (f"{one.id}!" not in now) for one in loop.reviewers if one.status == "failed")


def test_a_record_keeps_who_stood_behind_a_required_reviewer_that_passed() -> None:
    by_model = ModelPart(provider="scripted", model="scripted-1")
    results = (reviewer_result(id="a", via="session"), reviewer_result(id="b", model=by_model), reviewer_result(id="c"))
    whole = ledger_review(run_report(loops=(judge_loop(2, results),)))
    (stored,) = json.loads(json.dumps(whole))["loop_results"]
    assert [(one["id"], one.get("via"), "model" in one) for one in stored["reviewers"]] == [
        ("a", "session", False),
        ("b", None, True),
    ]
    assert stored["passed_silently"] == ["c"]
    assert whole["via_session"] == ["a"]


def test_a_loop_says_which_failures_are_not_of_this_run() -> None:
    mixed = after([review("lint tests!")], "lint")
    assert (mixed.note, mixed.is_kept) == ("failed earlier and did not run since: tests", False)
    alone = after([review("tests!")], "")
    assert (alone.note, alone.is_kept) == ("", True)
    by_patterns = after([review("lint tests!~")], "lint tests")
    assert by_patterns.note == "failed by the session's word, and neither it nor a model has passed it since: tests"
    by_session = after([review("a! lint tests!+")], "lint tests~")
    told = "failed by a model's word, and no model has passed it since: tests"
    assert by_session.note == f"failed earlier and did not run since: a; {told}"


# The earlier reviews, and the result of loop 4 where only another loop was asked for.
KEPT: dict[str, tuple[list[dict[str, Any]], str]] = {
    "nothing": ([], "not_run"),
    "a pass": ([review("tests")], "passed"),
    "a failure": ([review("tests!")], "failed"),
    "a pass against another base": ([review("tests", base=OTHER)], "not_run"),
    "a pass of another commit with this content": ([review("tests", commit=OTHER)], "not_run"),
    "a pass of the staged tree": ([review("tests", commit=None)], "passed"),
    "a failure against another base": ([review("tests!", base=OTHER)], "failed"),
    "a pass, then a failure against another base": ([review("tests"), review("tests!", base=OTHER)], "failed"),
    "a failure, then a pass against another base": ([review("tests!"), review("tests", base=OTHER)], "not_run"),
    "a failure, then a pass": ([review("tests!"), review("tests")], "passed"),
    "a failure, then another reviewer's pass": ([review("tests!"), review("lint")], "failed"),
    "nothing to run": ([review("")], "nothing_to_run"),
    "a pass of the checks": ([review("checks")], "passed"),
    "a pass of the checks in the index, where no message was": ([review("checks", commit=None)], "not_run"),
    "a failure of the checks in the index": ([review("security-checks!", commit=None)], "failed"),
    "a pass, then a failure about another commit": ([review("tests"), review("tests!@", commit=OTHER)], "passed"),
    "a failure about this commit, then a pass of another": (
        [review("checks!@"), review("checks", commit=OTHER)],
        "failed",
    ),
}


@pytest.mark.parametrize(("reviews", "status"), KEPT.values(), ids=KEPT.keys())
def test_a_loop_that_was_not_requested_keeps_its_result_for_the_same_commit_and_base(
    reviews: list[dict[str, Any]], status: str
) -> None:
    loop = after(reviews, "-", requested=[1])
    assert (loop.status, loop.is_kept) == (status, status != "not_run")


def test_a_requested_loop_is_never_replaced_by_an_earlier_result() -> None:
    assert after([review("tests")], "tests!").status == "failed"
    assert after([review("tests lint")], "lint?").status == "nothing_to_run"


@pytest.mark.parametrize(
    "stored", [{}, {"loop_results": 1}, {"loop_results": [1, {"number": 4}]}], ids=["nothing", "no list", "no loops"]
)
def test_a_record_without_usable_details_says_nothing_of_reviewers(stored: dict[str, Any]) -> None:
    assert after([stored], "tests") == loop_of("tests")
