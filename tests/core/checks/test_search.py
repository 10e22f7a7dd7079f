"""The search in one text within limits: what is said of slow checks, and of texts with too many places."""

from __future__ import annotations

import pytest
from alarming import rule

from review_gate.checks.alarm import ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.engine import MOST_PLACES
from review_gate.checks.plan import plan_of
from review_gate.checks.rule import Rule
from review_gate.checks.scan import Scan
from review_gate.checks.watch import Watch

WORDS = rule("words", r"\w+_old", match_rule="regex")
LITERAL = rule("literal", "_old")
# Each way to cut the letters into groups is tried.
SLOW = [rule(f"slow-{number}", r"(a|aa)+[c-z]_old", match_rule="regex") for number in range(5)]
BAIT = "a" * 60 + "b_old\n"


def scanned(text: str, *rules: Rule, path: str = "a.py", texts: int = 1, seconds: float = 0.05) -> ScanResult:
    watch = Watch()
    watch.seconds = seconds
    scan = Scan(plan_of(rules), watch=watch)
    for number in range(texts):
        scan.look_at(Page(f"{number or ''}{path}", text.encode("utf-8", "surrogateescape")))
    return scan.finish()


def test_a_slow_check_is_named_and_the_others_are_tried() -> None:
    result = scanned(BAIT, SLOW[0], LITERAL)
    assert result.failures == ["a.py: the check slow-0 took longer than 0.05 seconds"]
    assert [alarm.rule for alarm in result.alarms] == ["literal"]
    assert not result.has_passed


def test_a_check_that_was_slow_three_times_is_left_out() -> None:
    result = scanned(BAIT, SLOW[0], texts=5)
    assert len(result.failures) == 3
    assert result.failures[-1] == (
        "2a.py: the check slow-0 took longer than 0.05 seconds, 3 times now, so it was not tried on any further file"
    )


def test_a_text_with_three_slow_checks_is_given_up() -> None:
    result = scanned(BAIT, *SLOW)
    assert len(result.failures) == 4
    assert result.failures[-1] == "a.py: given up, because too many checks are too slow"


def test_texts_are_not_tried_when_too_much_time_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review_gate.checks.search.MOST_SLOW_SECONDS", 0.05)
    text = BAIT + "_old  # review-gate: ignore[literal] it is ours\n"
    result = scanned(text, SLOW[0], LITERAL, texts=6)
    assert result.failures[-1] == "1a.py, 2a.py, 3a.py and 2 more: given up, because too many checks are too slow"
    assert list(result.failed) == ["a.py", "1a.py", "2a.py", "3a.py", "4a.py", "5a.py"]
    assert (result.files, result.not_looked_at) == (1, 6)
    # Nobody knows whether the suppressions in there are used.
    assert result.alarms == []


def test_a_check_that_needs_too_much_memory_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("review_gate.checks.engine.spans_of", too_large)
    assert scanned("a_old", WORDS).failures == ["a.py: the check words needs too much memory"]


def test_a_flood_is_told_as_such() -> None:
    assert scanned("_old" * (MOST_PLACES + 1), WORDS).failures == [
        "a.py: its checks could match at more than 1000000 places (checks.exclude leaves a file out)"
    ]
