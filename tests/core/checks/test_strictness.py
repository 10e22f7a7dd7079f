"""The fingerprint of the checks in force: it changes with what they find, and with nothing else."""

from __future__ import annotations

import pytest

from review_gate.checks.baseline import Baseline, read_baseline
from review_gate.checks.rule import Rule
from review_gate.checks.strictness import checks_strictness

PLAIN = {"id": "no-eval", "pattern": "eval(", "source": "checks/own.yaml", "line": 3, "reason": "no", "docs": "x"}

DECIDES = {
    "id": "no-evil",
    "pattern": "eval",
    "match_rule": "regex",
    "reject_if_persists": True,
    "severity": "info",
    "category": "secrets",
    "scope": ("code",),
    "include": ("*.py",),
    "exclude": ("tests/**",),
    "languages": ("python",),
    "source": "checks/other.yaml",
}
FOR_PEOPLE = {"line": 4, "reason": "another", "docs": "y", "fix": ("replace", "parse(")}


def strictness(*rules: Rule, baseline: Baseline | None = None) -> str:
    return checks_strictness(rules, baseline)


def rule(**changes: object) -> Rule:
    return Rule(**{**PLAIN, **changes})  # type: ignore[arg-type]  # the tables above hold Rule's own fields


@pytest.mark.parametrize("field", DECIDES)
def test_what_a_check_finds_counts(field: str) -> None:
    assert strictness(rule(**{field: DECIDES[field]})) != strictness(rule())


@pytest.mark.parametrize("field", FOR_PEOPLE)
def test_words_for_people_do_not_count(field: str) -> None:
    assert strictness(rule(**{field: FOR_PEOPLE[field]})) == strictness(rule())


def test_every_field_of_a_check_is_in_one_of_the_tables() -> None:
    assert {*DECIDES, *FOR_PEOPLE} == set(Rule._fields)


def test_one_check_more_counts_and_their_order_does_not() -> None:
    one, other = rule(), rule(id="other")
    assert strictness(one, other) == strictness(other, one)
    assert len({strictness(), strictness(one), strictness(one, other)}) == 3


ENTRY = '{"rule": "no-eval", "file": "a.py", "digest": "00000000000000000000", "count": %d}'


def baseline(*entries: str) -> Baseline:
    return read_baseline(f'{{"version": 1, "findings": [{",".join(entries)}]}}'.encode())


def test_old_findings_count_and_how_the_file_is_laid_out_does_not() -> None:
    spread = read_baseline(('{"findings": [\r\n ' + ENTRY % 1 + '],\r\n "version": 1}').encode())
    assert strictness(rule(), baseline=spread) == strictness(rule(), baseline=baseline(ENTRY % 1))
    known = [None, baseline(), baseline(ENTRY % 1), baseline(ENTRY % 2)]
    assert len({strictness(rule(), baseline=one) for one in known}) == len(known)


def test_it_changes_only_on_purpose_because_that_voids_every_review() -> None:
    whole = Rule(**{**PLAIN, **DECIDES}, fix=("replace", "ü"))  # type: ignore[arg-type]  # as above
    pinned = "0e9eb24acef413c1af824c9a99b2dd3db41d30ace9a94a9575ac8d351e514bc6"
    assert strictness(whole, rule(), baseline=baseline(ENTRY % 1)) == pinned
