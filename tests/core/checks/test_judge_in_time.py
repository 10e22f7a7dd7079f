"""Judging within limits: long texts get a process of their own, and time in vain is bounded."""

from __future__ import annotations

import pytest
from alarming import Noting, hits, rule

from review_gate.checks.judge_in_time import JudgeInTime
from review_gate.checks.long_texts import LONG_TEXT
from review_gate.checks.rule import Hit
from review_gate.checks.search import MOST_SLOW_SECONDS
from review_gate.checks.watch import TooSlowError, Watch

NEGATED = rule(match_rule="negation_aware")
TEXT = "Do not use eval.\n\nUse eval here.\n\n"


def places(found: list[Hit] | None) -> list[int] | None:
    return None if found is None else [hit.line for hit in found]


@pytest.mark.parametrize(("rest", "times"), [("", 0), ("Words. " * LONG_TEXT, 1)], ids=["short", "long"])
def test_a_long_text_is_judged_elsewhere_and_the_same(rest: str, times: int) -> None:
    watch, text = Noting(), TEXT + rest
    answers = JudgeInTime(watch)([(hits(text, NEGATED), text, "markdown")])
    assert watch.times == times
    assert [places(answer) for answer in answers] == [[3]]


class Slow(Watch):
    """Ends all work, and says how long it took."""

    spent = 0.0

    def used(self) -> float:
        return self.spent

    def __exit__(self, *_: object) -> None:
        self.spent += MOST_SLOW_SECONDS / 2
        raise TooSlowError(2)


def test_after_too_much_time_in_vain_nothing_is_judged_any_more() -> None:
    watch = Slow()
    question = (hits(TEXT, NEGATED), TEXT, "markdown")
    assert JudgeInTime(watch)([question] * 4) == [None] * 4
    assert watch.spent == MOST_SLOW_SECONDS
