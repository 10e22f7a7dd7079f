"""Runs that went wrong, for the tests of what other programs read."""

from __future__ import annotations

from typing import Any

from builders import NO, finding, reviewer_result, run_report

from review_gate.gate.decision import Decision
from review_gate.loops.report import ReviewerResult, RunReport, not_run
from review_gate.loops.run import judge_loop
from review_gate.models import Finding
from review_gate.render.github import github


def stopped_report(*results: ReviewerResult, **changes: Any) -> RunReport:
    """A run that ended in loop 1."""
    loop = judge_loop(1, results)
    rest = (not_run(number, "not run: loop 1 did not pass") for number in (2, 3, 4))
    return run_report(**{"loops": (loop, *rest), **changes})


def report_with(*findings: Finding) -> RunReport:
    """A run that ended in loop 1, where one reviewer found this."""
    return stopped_report(reviewer_result(status="failed", findings=findings))


def github_lines(report: RunReport, decision: Decision | None = NO) -> list[str]:
    """The workflow commands that a runner would find."""
    written = github(report, decision)
    assert written.endswith("\n")
    return written.removesuffix("\n").split("\n")


MIXED = stopped_report(
    reviewer_result(
        status="failed",
        findings=(
            finding(severity="warning", rule="tabs", category="hygiene", message="tabs, here", line=None),
            finding(column=7, evidence="def f(:", recommendation="close the bracket"),
        ),
    ),
    reviewer_result(
        id="tests",
        status="failed",
        detail="its output was cut",
        seconds=1.5,
        findings=(
            finding(
                rule="command-failed",
                severity="critical",
                category="command",
                message="tests failed with exit code 1",
                file=None,
                line=None,
                evidence="E  assert 1 == 2\n1 failed",
                reviewer="tests",
                confidence=0.5,
            ),
        ),
    ),
    reviewer_result(id="types", status="could_not_run", detail="mypy was not found", seconds=0),
    reviewer_result(id="style", status="could_not_run", detail="it took too long", is_required=False, seconds=3),
    reviewer_result(
        id="hygiene",
        findings=(finding(severity="info", rule="big-file", message="large", file="a b.bin", line=None),),
        seconds=0.001,
    ),
)
