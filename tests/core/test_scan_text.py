"""What a scan says on a terminal: the worst findings by place, what it could not look at, the counts, the next step."""

from __future__ import annotations

import pytest
from alarming import alarms, rule
from scan_results import NO_EVAL, SECRET, empty

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.render.scan_text import scan_text


def one_line(line: str, pattern: str = "eval(") -> list[str]:
    result = ScanResult()
    result.alarms = alarms(line, rule(pattern=pattern))
    return scan_text(result).split("\n")[1:3]


CARETS = {
    "plain": ("x = eval(y)", ["    x = eval(y)", "        ^^^^^"]),
    "indented": ("\t\tx = eval(y)", ["    x = eval(y)", "        ^^^^^"]),
    "tab before": ("x =\teval(y)", ["    x =    eval(y)", "           ^^^^^"]),
    "wide before": ("漢字 eval(y)", ["    漢字 eval(y)", "         ^^^^^"]),
    "accent of its own before": ("e\u0301 eval(y)", ["    e\u0301 eval(y)", "      ^^^^^"]),
    "hidden before": ("\u200beval(y)", ["    <U+200B>eval(y)", "            ^^^^^"]),
}


@pytest.mark.parametrize(("line", "shown"), CARETS.values(), ids=CARETS.keys())
def test_the_mark_is_below_the_match(line: str, shown: list[str]) -> None:
    assert one_line(line) == shown


def test_the_mark_is_as_wide_as_a_wide_match() -> None:
    assert one_line("x = 名前", "名前") == ["    x = 名前", "        ^^^^"]


def test_an_empty_match_is_marked_too() -> None:
    result = ScanResult()
    result.alarms = [Alarm("r", "info", "m", file="f", line=1, evidence="abc", mark=(1, 1))]
    assert scan_text(result).split("\n")[:3] == ["f:1:1  info  r  m", "    abc", "     ^"]


def test_an_alarm_without_evidence_is_one_line() -> None:
    result = ScanResult()
    result.alarms = [Alarm("r", "major", "m", file="f", line=1)]
    assert scan_text(result) == (
        "f:1:1  major  r  m\n"
        "\n"
        "1 problem in 1 file (1 major); 0 files, 0 checks\n"
        "  next:  mend what is named above, then the same scan again\n"
    )


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


@pytest.mark.parametrize("shown", [0, 2, 50])
def test_however_few_findings_are_shown_failures_and_notes_are(shown: int) -> None:
    result = ScanResult()
    result.failures, result.notes, result.not_fixed = ["x", "y", "z"], ["n", "m", "o"], ["a", "b", "c"]
    assert scan_text(result, shown=shown) == (
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


def test_of_very_many_failures_and_notes_fifty_are_shown_and_the_rest_is_counted() -> None:
    result = ScanResult()
    many = [str(number) for number in range(52)]
    result.failures, result.notes, result.not_fixed = many, many[:51], many
    text = scan_text(result, shown=0)
    assert "not fixed: 49\n... and 2 more not fixed\n" in text
    assert "could not look at 49\n... and could not look at 2 more\nnote: 0\n" in text
    assert "note: 49\n... and 1 more note\nno problems" in text
    assert "could not look at 51\nnote: 0\n" in scan_text(result, shown=100)


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


def test_there_is_no_next_step_when_nothing_was_found() -> None:
    assert scan_text(empty(), next_step="git commit") == "no problems; 1 file, 1 check\n"


def test_a_scan_that_could_not_look_at_something_has_not_passed() -> None:
    assert empty().has_passed
    result = empty()
    result.failures = ["big.bin: too large"]
    assert not result.has_passed
    assert scan_text(result) == (
        "could not look at big.bin: too large\n"
        "no problems; 1 file, 1 check; 1 could not be looked at\n"
        "  next:  mend what is named above, then the same scan again\n"
    )
