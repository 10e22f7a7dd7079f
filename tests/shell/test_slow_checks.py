"""A regular expression that takes for ever is stopped, named, and after a while not tried any more."""

from __future__ import annotations

import pytest
from alarming import rule

from review_gate.checks.alarm import ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.engine import Engine
from review_gate.checks.plan import plan_of
from review_gate.checks.rule import Rule
from review_gate.checks.scan import Scan
from review_gate.checks.search import Search
from review_gate.shell.deadline import watch

SECONDS = 0.05
SLOW = rule("slow", "(a+)+$", match_rule="regex")
TRAP = b"a" * 60 + b"b\n"


def scanned(rules: list[Rule], *texts: bytes) -> ScanResult:
    scan = Scan(plan_of(rules), judge=lambda asked: [hits for hits, _, _ in asked], watch=watch(SECONDS))
    for number, text in enumerate(texts, 1):
        scan.look_at(Page(f"{number}.py", text, "python"))
    return scan.finish()


def slow(number: int, check: str = "slow") -> str:
    return f"{number}.py: the check {check} took longer than 0.05 seconds"


def test_a_slow_check_is_named_and_the_others_still_look() -> None:
    result = scanned([SLOW, rule()], TRAP + b"eval\n", b"eval aaa\n")
    assert result.failures == [slow(1)]
    assert [(alarm.file, alarm.rule) for alarm in result.alarms] == [
        ("1.py", "no-eval"),
        ("2.py", "no-eval"),
        ("2.py", "slow"),
    ]
    assert not result.has_passed


def test_a_check_that_heeds_no_signal_on_a_long_line_is_named_and_the_others_still_look() -> None:
    deaf = rule("deaf", r"\w+_old", match_rule="regex")
    # In this process `re` would look for signals twice a minute.
    result = scanned([deaf, rule()], b" _old eval " + b"a" * 1_000_000 + b"\n", b"new_old\n")
    assert result.failures == [slow(1, "deaf")]
    assert [(alarm.file, alarm.rule) for alarm in result.alarms] == [("1.py", "no-eval"), ("2.py", "deaf")]


def test_the_old_version_of_a_text_is_searched_within_the_same_limits() -> None:
    deaf = rule("deaf", r"\w+_old", match_rule="regex")
    plan = plan_of([deaf])
    search = Search(Engine(plan.rules, plan.sought), watch(SECONDS), lambda *_: None)
    assert search.hits_before(Page("a.py", b" _old " + b"a" * 1_000_000), {"deaf"}) is None
    assert [hit.text for hit in search.hits_before(Page("a.py", b"new_old"), {"deaf"}) or ()] == ["new_old"]
    assert search.hits_before(Page("a.py", b"new_old"), {"other"}) == []


def test_several_slow_checks_in_one_text_are_each_named() -> None:
    other = rule("other", "(a|aa)+$", match_rule="regex")
    result = scanned([SLOW, other, rule()], TRAP + b"eval\n")
    assert sorted(result.failures) == [slow(1, "other"), slow(1)]
    assert [alarm.rule for alarm in result.alarms] == ["no-eval"]


def many_slow(count: int) -> list[Rule]:
    return [rule(f"slow-{number}", f"(a|a{{1,{number}}})+$", match_rule="regex") for number in range(2, 2 + count)]


def test_a_text_counts_once_however_many_checks_are_slow_and_is_not_given_up_when_all_were_tried() -> None:
    result = scanned([*many_slow(3), rule()], TRAP)
    assert sorted(result.failures) == [slow(1, "slow-2"), slow(1, "slow-3"), slow(1, "slow-4")]
    assert (result.files, list(result.failed), result.not_looked_at) == (1, ["1.py"], 1)


@pytest.mark.parametrize("others", [many_slow(4)[3:], [rule()]], ids=["another slow one", "one that is not slow"])
def test_a_text_is_given_up_when_a_check_is_left_that_may_match(others: list[Rule]) -> None:
    result = scanned([*many_slow(3), *others], TRAP + b"eval\n")
    assert result.failures[3:] == ["1.py: given up, because too many checks are too slow"]
    assert (result.files, list(result.failed), result.not_looked_at) == (1, ["1.py"], 1)


def test_a_check_that_was_slow_three_times_is_switched_off_and_that_is_said() -> None:
    result = scanned([SLOW, rule()], *[TRAP + b"eval\n"] * 5)
    switched_off = f"{slow(3)}, 3 times now, so it was not tried on any further file"
    assert result.failures == [slow(1), slow(2), switched_off]
    assert len(result.alarms) == 5
