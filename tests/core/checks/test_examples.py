"""Checks tried on their own examples."""

from __future__ import annotations

import pytest

from review_gate.checks.examples import language_of_examples, wrong_examples
from review_gate.checks.match import find
from review_gate.checks.rule import Hit, Rule
from review_gate.checks.scan import TooSlowError
from review_gate.checks.schema import Examples

LANGUAGES = {
    "named": (Rule("a", "b", languages=("go", "python"), scope=("plan",)), "go"),
    "plan": (Rule("a", "b", scope=("plan",)), "markdown"),
    "prompt": (Rule("a", "b", scope=("prompt",)), "markdown"),
    "prose": (Rule("a", "b", scope=("added_lines", "prose")), "markdown"),
    "commit message": (Rule("a", "b", scope=("commit_message",)), "markdown"),
    "code": (Rule("a", "b", scope=("added_lines", "code")), ""),
    "anything": (Rule("a", "b"), ""),
}


@pytest.mark.parametrize(("rule", "language"), LANGUAGES.values(), ids=LANGUAGES)
def test_examples_are_written_in_the_language_that_the_check_is_for(rule: Rule, language: str) -> None:
    assert language_of_examples(rule) == language


def test_a_bad_example_needs_a_hit_and_a_good_one_none() -> None:
    examples = Examples(bad=("eval(x)", "evil"), good=("evil", "eval( and eval("))
    wrong = list(wrong_examples(Rule("a", "eval("), examples, find))
    assert [(one.kind, one.number, one.text, one.what) for one in wrong] == [
        ("bad", 2, "evil", "finds nothing"),
        ("good", 2, "eval( and eval(", 'finds "eval("'),
    ]


def test_an_example_that_takes_too_long_is_wrong_whatever_it_is() -> None:
    def give_up(rule: Rule, text: str, language: str) -> list[Hit]:
        raise TooSlowError

    wrong = list(wrong_examples(Rule("a", "b"), Examples(bad=("b",), good=("c",)), give_up))
    assert [(one.kind, one.what) for one in wrong] == [("bad", "takes too long"), ("good", "takes too long")]
