"""GitHub workflow commands: an annotation for each finding, and the decision."""

from __future__ import annotations

import pytest
from builders import NO, NOT_COVERED, finding, loop_result, run_report
from reporting import MIXED, github_lines, report_with

from review_gate.loops.report import not_run
from review_gate.render.github import github


def test_github_of_a_mixed_report_is_these_commands() -> None:
    assert github(MIXED, NO) == (
        "::error title=critical command-failed (tests)::tests failed with exit code 1\n"
        "::error file=app.py,line=3,col=7,title=major python-syntax (syntax)::invalid syntax%0Aclose the bracket\n"
        "::warning file=app.py,title=warning tabs (syntax)::tabs, here\n"
        "::notice file=a b.bin,title=info big-file (syntax)::large\n"
        "::error title=could not run (types)::types could not run: mypy was not found\n"
        "::warning title=could not run (style)::style could not run: it took too long\n"
        "::error title=review-gate::ship blocked: commit c0ffee11 did not pass the review, 3 blockers"
        " (loop 1 failed, loop 2 not run, loop 3 not run, loop 4 not run)\n"
    )


def test_github_says_that_the_gate_is_closed_although_the_review_passed() -> None:
    assert github(run_report(), NOT_COVERED) == (
        "::warning title=review-gate::ship not allowed yet: commit c0ffee11 passed the review"
        " (loop 1 passed, loop 2 nothing to run, loop 3 nothing to run, loop 4 nothing to run)"
        "%0AThe review starts at ba5eba33, but 1 commit (ba5eba33) below it would leave unreviewed."
        "%0Anext: review-gate run --scope all\n"
    )


def test_github_does_not_call_a_passed_subset_of_the_loops_a_pass_and_not_an_error_either() -> None:
    rest = (not_run(number, "not requested, and no earlier result to keep") for number in (2, 3, 4))
    assert github(run_report(requested=(1,), loops=(loop_result(), *rest)), NO) == (
        "::notice title=review-gate::ship not allowed yet: commit c0ffee11 passed the requested loops only"
        " (loop 1 passed, loop 2 not run, loop 3 not run, loop 4 not run)\n"
    )


@pytest.mark.parametrize(
    ("severity", "command"),
    [("critical", "error"), ("major", "error"), ("warning", "warning"), ("info", "notice")],
)
def test_github_command_follows_the_severity(severity: str, command: str) -> None:
    assert github_lines(report_with(finding(severity=severity)))[0] == (
        f"::{command} file=app.py,line=3,title={severity} python-syntax (syntax)::invalid syntax"
    )


def test_github_escapes_what_would_end_a_property_or_the_line() -> None:
    hostile = finding(file="a,line=9::b\n%0A.py", rule="x:y", message="one\n::error::two, 100%\r")
    assert github_lines(report_with(hostile))[0] == (
        "::error file=a%2Cline=9%3A%3Ab%0A%250A.py,line=3,title=major x%3Ay (syntax)::one%0A::error::two, 100%25\\x0d"
    )


def test_github_breaks_the_start_of_an_old_style_command() -> None:
    line = github_lines(report_with(finding(severity="info", message="##[add-path]/evil", file="##[x]")))[0]
    assert line == "::notice file=## [x],line=3,title=info python-syntax (syntax)::## [add-path]/evil"
