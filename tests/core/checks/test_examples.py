"""Checks tried on their own examples."""

from __future__ import annotations

import pytest

from review_gate.checks.engine import find
from review_gate.checks.examples import languages_of_examples, wrong_examples
from review_gate.checks.rule import Hit, Rule
from review_gate.checks.schema import Examples
from review_gate.checks.watch import TooSlowError

LANGUAGES = {
    "named": (Rule("a", "b", languages=("go", "python"), scope=("plan",)), "go"),
    "plan": (Rule("a", "b", scope=("plan",)), "markdown"),
    "commit message": (Rule("a", "b", scope=("commit_message",)), "markdown"),
    "code": (Rule("a", "b", scope=("added_lines", "code")), ""),
    "files": (Rule("a", "b", include=("src/", "src/**/*.{go,go}", "*.py")), "go"),
    "anything": (Rule("a", "b"), ""),
}


@pytest.mark.parametrize(("rule", "language"), LANGUAGES.values(), ids=LANGUAGES)
def test_examples_are_written_in_the_language_that_the_check_is_for(rule: Rule, language: str) -> None:
    assert languages_of_examples(rule)[0] == language


def test_a_bad_example_needs_a_hit_and_a_good_one_none() -> None:
    examples = Examples(bad=("eval(x)", "evil"), good=("evil", "eval( and eval("))
    wrong = list(wrong_examples(Rule("a", "eval("), examples, find))
    assert [(one.kind, one.number, one.text, one.what) for one in wrong] == [
        ("bad", 2, "evil", "finds nothing"),
        ("good", 2, "eval( and eval(", 'finds "eval("'),
    ]


def came_out(rule: Rule, **examples: tuple[str, ...]) -> list[str]:
    return [f"{one.kind}: {one.what}" for one in wrong_examples(rule, Examples(**examples), find)]


COMMENTS = {
    "by its files": Rule("a", "FORB", scope=("comments",), include=("*.py",)),
    "by its language": Rule("a", "FORB", scope=("comments",), languages=("go", "python")),
    "not known": Rule("a", "FORB", scope=("comments",)),
}


@pytest.mark.parametrize("rule", COMMENTS.values(), ids=COMMENTS)
def test_an_example_for_comments_is_one_in_a_language_that_has_them(rule: Rule) -> None:
    assert came_out(rule, bad=("# FORB",), good=("x = FORB",)) == []
    assert came_out(rule, bad=("x = FORB",)) == ["bad: finds nothing"]


def test_a_good_example_for_code_is_one_in_a_language_of_the_check() -> None:
    assert came_out(Rule("a", "FORB", scope=("code",), include=("*.js", "*.py")), good=("# FORB",)) == []
    assert came_out(Rule("a", "FORB", scope=("code",), include=("*.js",)), good=("# FORB",)) == ['good: finds "FORB"']


def test_a_good_example_that_some_language_reads_otherwise_says_that_languages_is_missing() -> None:
    told = 'good: finds "FORB", read as a file of no known language (languages: [...] says what the check is for)'
    assert came_out(Rule("a", "FORB", scope=("code",)), bad=("x = FORB",), good=("# FORB",)) == [told]
    told = 'good: finds "FORB", read as python (languages: [...] says what the check is for)'
    assert came_out(Rule("a", "FORB", scope=("comments",)), good=('"""FORB"""',)) == [told]
    assert came_out(Rule("a", "FORB", scope=("code",)), good=("x = FORB",)) == ['good: finds "FORB"']


def test_an_example_that_takes_too_long_is_wrong_whatever_it_is() -> None:
    def give_up(rule: Rule, text: str, language: str) -> list[Hit]:
        raise TooSlowError(2)

    wrong = list(wrong_examples(Rule("a", "b"), Examples(bad=("b",), good=("c",)), give_up))
    assert [(one.kind, one.what) for one in wrong] == [("bad", "takes too long"), ("good", "takes too long")]
