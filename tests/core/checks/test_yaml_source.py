"""Checks from YAML: what a file may say, and how a bad one is refused."""

from __future__ import annotations

import pytest
from loading import FILE, LOOKS_LIKE, WHY, refusal, rules

from review_gate.checks.yaml_source import checks_from_yaml, text_in_context
from review_gate.config.yaml_reader import Limits, read_yaml
from review_gate.config.yaml_tree import UnreadableError
from review_gate.errors import ConfigError


def test_fields_that_are_left_out_have_the_defaults_of_the_format() -> None:
    (rule,) = rules("checks:\n  - id: no_eval\n    pattern: 'eval('\n")
    assert rule.plain() == {
        "id": "no_eval",
        "pattern": "eval(",
        "match_rule": "literal",
        "fix": None,
        "reason": "",
        "reject_if_persists": False,
        "severity": "major",
        "category": "general",
        "scope": (),
        "include": (),
        "exclude": (),
        "languages": (),
        "docs": "",
        "source": FILE,
        "line": 2,
    }


def test_every_field_arrives_as_it_was_written() -> None:
    text = (
        "title: Ours\ndescription: What we agreed on.\nchecks:\n"
        "- id: any.type-1\n  pattern: '(: )any'\n  match_rule: regex\n  fix: {action: replace, with: '\\1unknown'}\n"
        "  reason: Say which.\n  reject_if_persists: yes\n  severity: error\n  category: types\n"
        "  scope: [added_lines, code]\n  include: ['src/**']\n  exclude: ['*.min.js']\n  languages: typescript\n"
        "  docs: https://example.org\n  examples: {bad: 'x: any', good: ['x: unknown', 'many']}\n"
    )
    (check,) = checks_from_yaml(FILE, text)
    rule, examples = check.rule, check.examples
    assert (rule.id, rule.pattern, rule.match_rule) == ("any.type-1", "(: )any", "regex")
    assert (rule.fix, rule.reason, rule.reject_if_persists) == (("replace", "\\1unknown"), "Say which.", True)
    assert (rule.severity, rule.category, rule.scope) == ("major", "types", ("added_lines", "code"))
    assert (rule.include, rule.exclude, rule.languages) == (("src/**",), ("*.min.js",), ("typescript",))
    assert (rule.docs, rule.origin) == ("https://example.org", f"{FILE}:4")
    assert (examples.bad, examples.good) == (("x: any",), ("x: unknown", "many"))


SEVERITIES = {
    "Critical": "critical",
    "HIGH": "major",
    "error": "major",
    "medium": "warning",
    "LOW": "info",
    "note": "info",
}


@pytest.mark.parametrize(("written", "severity"), SEVERITIES.items(), ids=SEVERITIES)
def test_a_severity_may_be_a_word_of_another_scale(written: str, severity: str) -> None:
    assert rules(f"checks: [{{id: a, pattern: b, severity: {written}}}]")[0].severity == severity


SWITCHES = {
    "true": True,
    "False": False,
    "yes": True,
    "no": False,
}
NO_SWITCHES = {
    '"true"': 'the text "true"',
    "1": "the number 1",
    "null": "null",
}


@pytest.mark.parametrize(("written", "value"), SWITCHES.items(), ids=SWITCHES)
def test_a_switch_takes_true_and_false_and_the_words_that_older_yaml_has_for_them(written: str, value: bool) -> None:
    (rule,) = rules(f"checks: [{{id: a, pattern: b, reject_if_persists: {written}}}]")
    assert rule.reject_if_persists is value


@pytest.mark.parametrize(("written", "said"), NO_SWITCHES.items(), ids=NO_SWITCHES)
def test_a_switch_takes_nothing_else(written: str, said: str) -> None:
    what = refusal(f"checks: [{{id: a, pattern: b, reject_if_persists: {written}}}]").what
    assert what == f"{FILE}:1: checks[0].reject_if_persists is {said}; allowed: true or false"


def test_each_check_knows_its_line() -> None:
    text = "# ours\nchecks:\n\n- pattern: a\n  id: a\n-\n  # b\n  id: b\n  pattern: |\n    b\n- {id: c, pattern: c}\n"
    assert [(rule.id, rule.line) for rule in rules(text)] == [("a", 4), ("b", 8), ("c", 11)]


@pytest.mark.parametrize("text", ["checks: []", "checks:\n# - id: a\n#   pattern: b\n"], ids=["empty", "commented out"])
def test_a_list_may_be_empty(text: str) -> None:
    assert rules(text) == []


LEAVE_OUT = "checks: {sources: [user, rules, claude_md]}"
NO_FILE = {
    "nothing": ("", 1),
    "a list": ("\n- id: a\n  pattern: b\n", 2),
    "another mapping": ("rules: []\n", 1),
}


@pytest.mark.parametrize(("text", "line"), NO_FILE.values(), ids=NO_FILE)
def test_a_text_without_checks_is_told_what_a_check_file_looks_like(text: str, line: int) -> None:
    refused = refusal(text)
    assert refused.what == f"{FILE}:{line}: {LOOKS_LIKE}"
    assert refused.why == f"{WHY}; where checks/ is for something else, .review-gate.yaml leaves it out: {LEAVE_OUT}"


def test_a_context_file_that_is_no_mapping_is_told_what_one_looks_like() -> None:
    with pytest.raises(ConfigError) as caught:
        checks_from_yaml("plan/context.yaml", "- a\n", is_context=True)
    looks = "context.yaml is a mapping, such as {project_root: .., checks: [{id: no_eval, pattern: eval(}]}"
    assert caught.value.what == f"plan/context.yaml:1: {looks}"
    (check,) = checks_from_yaml("plan/context.yaml", looks.partition("such as ")[2], is_context=True)
    assert check.rule.id == "no_eval"


# Two parsers


SAME_IN_BOTH = {
    "quotes": "checks:\n- {id: \"a\\u00e9\", pattern: 'it''s', reason: \"\\x41\\/\"}\n",
    "blocks": "checks:\n- id: a\n  pattern: |-\n    a\n    b\n  reason: >\n    long\n    text\n\n    more\n",
    "anchors": "a: &a {b: [1, 2.5, true, null, ~, off, 0x1F]}\nc: *a\n",
    "byte order mark": "\ufeffchecks: []\n",
    "windows line ends": "checks:\r\n- id: a\r\n  pattern: b\r\n",
    "twice": "a: 1\na: 2\n",
    "second document": "a: 1\n---\nb: 1\n",
    "control character": "a: \x07\n",
}


@pytest.mark.parametrize("text", SAME_IN_BOTH.values(), ids=SAME_IN_BOTH)
def test_the_fast_parser_reads_the_same_as_the_slow_one(text: str) -> None:
    def read(*, is_fast: bool) -> object:
        try:
            return read_yaml(text, str, Limits(size=9_999, nodes=999, line=999, is_fast=is_fast))
        except UnreadableError as error:
            return error.origin, error.text

    assert read(is_fast=True) == read(is_fast=False)


# The context of a plan


CONTEXT = (
    "reviewer_persona: A physicist\nproject_root: ~/physics\nchecks:\n  - id: global_state\n    pattern: 'global '\n"
)


def test_a_context_may_say_other_things_too() -> None:
    assert [check.rule.origin for check in checks_from_yaml("context.yaml", CONTEXT, is_context=True)] == [
        "context.yaml:4"
    ]
    assert text_in_context("context.yaml", CONTEXT, "project_root") == ("~/physics", "context.yaml:2")


@pytest.mark.parametrize("text", ["", "reviewer_persona: x\n", "checks:\n"], ids=["empty", "other keys", "no checks"])
def test_a_context_need_not_have_checks(text: str) -> None:
    assert checks_from_yaml("context.yaml", text, is_context=True) == []
    assert text_in_context("context.yaml", text, "project_root") is None


def test_a_wrong_context_is_refused_like_a_check_file() -> None:
    with pytest.raises(ConfigError) as caught:
        checks_from_yaml("context.yaml", "a: 1\nchecks: [{id: a}]\n", is_context=True)
    assert caught.value.what == "context.yaml:2: checks[0].pattern is missing; allowed: text of 1 to 2000 characters"
    with pytest.raises(ConfigError) as caught:
        text_in_context("context.yaml", "a: 1\nproject_root: [a]\n", "project_root")
    assert caught.value.what == "context.yaml:2: project_root is a list of 1; allowed: a path"
    with pytest.raises(ConfigError) as caught:
        text_in_context("context.yaml", "a: [", "project_root")
    assert caught.value.what.startswith("context.yaml:1: not YAML: ")
