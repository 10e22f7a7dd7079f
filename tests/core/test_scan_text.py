"""What a scan says on a terminal: the worst findings by place, what it could not look at, the counts, the next step."""

from __future__ import annotations

import pytest
from alarming import alarms, rule
from scan_results import NO_EVAL, SECRET

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.render.scan_text import scan_text


def one_line(line: str, pattern: str = "eval(") -> list[str]:
    result = ScanResult()
    result.alarms = alarms(line, rule(pattern=pattern))
    return scan_text(result).split("\n")[1:3]


CARETS = {
    "plain": ("x = eval(y)", ["    x = eval(y)", "        ^^^^^"]),
    "indented": ("\t\tx = eval(y)", ["    x = eval(y)", "        ^^^^^"]),
    "wide before": ("漢字 eval(y)", ["    漢字 eval(y)", "         ^^^^^"]),
    "hidden before": ("\u200beval(y)", ["    <U+200B>eval(y)", "            ^^^^^"]),
}


@pytest.mark.parametrize(("line", "shown"), CARETS.values(), ids=CARETS.keys())
def test_the_mark_is_below_the_match(line: str, shown: list[str]) -> None:
    assert one_line(line) == shown


def test_the_worst_are_shown_when_there_are_too_many() -> None:
    result = ScanResult()
    result.alarms = [
        Alarm("mild", "info", "m", file="a", line=1),
        Alarm("bad", "critical", "m", file="b", line=1),
        Alarm("worse", "major", "m", file="a", line=9),
        Alarm("so-so", "warning", "m", file="a", line=2),
    ]
    assert scan_text(result, shown=2, next_step="git add -p") == (
        "a:9:1  major  worse  m\n"
        "\n"
        "b:1:1  critical  bad  m\n"
        "... and 2 more problems; --format json has them all\n"
        "\n"
        "4 problems in 2 files (1 critical, 1 major, 1 warning, 1 info); 0 files, 0 checks\n"
        "  next:  git add -p\n"
    )


def test_text_shows_failures_and_notes_when_no_finding_is_to_be_shown() -> None:
    result = ScanResult()
    result.failures, result.notes, result.not_fixed = ["x", "y", "z"], ["n", "m", "o"], ["a", "b", "c"]
    assert scan_text(result, shown=0) == (
        "not fixed: a\n"
        "not fixed: b\n"
        "not fixed: c\n"
        "\n"
        "could not look at x\n"
        "could not look at y\n"
        "could not look at z\n"
        "note: n\n"
        "note: m\n"
        "note: o\n"
        "no problems; 0 files, 0 checks; 3 could not be looked at\n"
        "  next:  mend what is named above, then the same scan again\n"
    )


def test_a_file_counts_once_and_what_is_about_no_certain_file_counts_as_one() -> None:
    result = ScanResult()
    result.fail("a.py: the check x took longer than 2 seconds", "a.py")
    result.fail("a.py: the check y took longer than 2 seconds", "a.py")
    result.fail("b.py, c.py: given up", "b.py", "c.py")
    result.fail("sentences could not be told apart: it crashed")
    assert "\nno problems; 0 files, 0 checks; 4 could not be looked at\n" in scan_text(result)


def test_the_next_step_explains_the_worst_unless_the_caller_knows_a_better_one() -> None:
    result = ScanResult()
    result.alarms = alarms("eval( 'sk-1234567890abcdef'", NO_EVAL, SECRET)
    worst = min(result.alarms, key=Alarm.rank).rule
    assert scan_text(result).endswith(f"  next:  review-gate checks explain {worst}\n")
    assert scan_text(result, next_step="review-gate scan --fix").endswith("  next:  review-gate scan --fix\n")
