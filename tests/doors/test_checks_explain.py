"""review-gate checks explain and test: one check in full, and examples tried."""

from __future__ import annotations

import json
import re

import pytest
from conftest import Repo
from listing import home_of, with_every_source


@pytest.fixture
def checked(repo: Repo) -> Repo:
    """A repository with checks from every kind of source but packs."""
    return with_every_source(repo)


# explain


def test_a_check_without_much_said_is_explained_too(checked: Repo) -> None:
    assert checked.gate("checks", "explain", "console").stdout == (
        "console: its author gives no reason\n"
        "  finds     console (literal)\n"
        "  where     every text but commit messages\n"
        "  severity  info, category general, loop 2\n"
        "  fix       none, a person decides\n"
        "  source    ~/.claude/checks/global-checks.yaml:1\n"
        "  not used  checks/ours.yaml:16 has the same id and comes later\n"
        "  suppress  with review-gate: ignore[console] REASON in a comment on the line or right above it\n"
    )


def test_programs_get_the_explanation_too(checked: Repo) -> None:
    done = checked.gate("checks", "explain", "no_eval", "--format", "json")
    document = json.loads(done.stdout)
    assert document["check"]["examples"] == {
        "bad": ["x = eval(text)"],
        "good": ["x = literal_eval(text)", "x = evil(text)"],
    }
    assert (document["suppression"], document["shadowed"]) == ("review-gate: ignore[no_eval] REASON", [])
    (home_of(checked) / ".claude/checks/global-checks.yaml").unlink()
    document = json.loads(checked.gate("checks", "explain", "console", "--format", "json").stdout)
    assert document["suppression"] is None
    assert "not possible, because reject_if_persists is set" in checked.gate("checks", "explain", "console").stdout


def test_an_explanation_is_safe_to_print(repo: Repo) -> None:
    text = {"id": "a", "pattern": "\x1b[2J", "reason": "\u202eevil", "examples": {"bad": ["one\ntwo \x1b"]}}
    repo.write("checks/a.yaml", json.dumps({"checks": [text]}))
    shown = repo.gate("checks", "explain", "a", "--no-packs").stdout
    assert shown.startswith("a: <U+202E>evil\n  finds     <U+001B>[2J (literal)\n")
    assert "  bad       one\n            two <U+001B>\n" in shown
    assert "<U+001B>[2J" in repo.gate("checks", "list", "--no-packs").stdout


# test

EXAMPLES = """\
checks:
  - {id: right, pattern: abc, examples: {bad: [xabcx], good: [ab, bc]}}
  - {id: wrong, pattern: abc, examples: {bad: [abc, ab], good: [xabcx]}}
  - id: slow
    pattern: (a|aa)+$
    match_rule: regex
    examples: {bad: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]}
  - {id: silent, pattern: abc}
"""


def test_each_example_that_comes_out_wrong_is_named(repo: Repo) -> None:
    repo.write("mine.yaml", EXAMPLES)
    done = repo.gate("checks", "test", "--checks", "mine.yaml")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "failed: wrong (mine.yaml:3) finds nothing in bad example 2: ab\n"
        'failed: wrong (mine.yaml:3) finds "abc" in good example 1: xabcx\n'
        f"failed: slow (mine.yaml:4) takes too long in bad example 1: {'a' * 49}b\n"
        "3 checks tried on 7 examples, 3 examples came out wrong; 1 check without examples\n"
    )


def test_all_checks_in_force_and_rules_of_reviewers_are_tried_when_none_is_named(checked: Repo) -> None:
    done = checked.gate("checks", "test")
    assert done.returncode == 0
    told = re.fullmatch(
        r"(\d+) checks tried on \d+ examples, all came out right; 3 checks without examples\n", done.stdout
    )
    assert told
    # One of the project, and the rules that are shipped for reviewers.
    assert int(told[1]) > 25


def test_a_rule_of_a_reviewer_is_explained_and_its_examples_are_tried(checked: Repo) -> None:
    told = checked.gate("checks", "explain", "test-cannot-fail-01").stdout
    assert told.startswith("test-cannot-fail-01: A test that passes whatever the code does is worse than none")
    check = {"pattern": r"float\(", "examples": {"bad": ["x = decimal(1)"], "good": ["x = float(1)"]}}
    words = dict.fromkeys(("name", "description", "detection", "recommendation"), "words")
    rule = {"id": "fin-own-01", "severity": "major", "agent": "finance-sme", "category": "own", **words}
    checked.write(".review-gate/rules.json", json.dumps([{**rule, "check": check}]))
    done = checked.gate("checks", "test")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [
        "failed: fin-own-01 (rules.json) finds nothing in bad example 1: x = decimal(1)",
        'failed: fin-own-01 (rules.json) finds "float(" in good example 1: x = float(1)',
    ]
