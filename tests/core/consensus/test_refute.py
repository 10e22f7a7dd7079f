"""A refutation holds as long as the code it is about, and the line that it rests on, are as they were."""

from __future__ import annotations

from typing import Any

import pytest
from polling import FILES, Files, decided, refutation, request, said

from review_gate.consensus.refute import renewed, still_holds

EVIDENCE = ("x = 2", "y = 3", "")
HOLDS: dict[str, tuple[dict[str, Any], Files, tuple[str, ...], bool]] = {
    "nothing changed": ({}, FILES, EVIDENCE, True),
    "something else changed": ({}, {**FILES, "lib.py": ("z = 4",)}, EVIDENCE, True),
    "the code moved": ({}, {"app.py": ("a", "x = 2")}, EVIDENCE, True),
    "the evidence moved": ({}, FILES, ("", "a", "  y  =  3"), True),
    "the code changed": ({}, {"app.py": ("x = 1", "y = 3")}, EVIDENCE, False),
    "the code stands in another file only": ({}, {"app.py": ("x = 1",), "lib.py": ("x = 2",)}, EVIDENCE, False),
    "the evidence changed": ({}, FILES, ("x = 2", "y = 4"), False),
    "the file of the evidence is gone": ({}, FILES, (), False),
    "a finding without a quote": ({"quote": ""}, {"app.py": ("x = 1",)}, EVIDENCE, True),
    "a finding without a quote, the evidence changed": ({"quote": ""}, FILES, ("y = 4",), False),
    "a finding without a file": ({"file": None}, FILES, EVIDENCE, True),
    "a finding without a file, the code changed": ({"file": None}, {"app.py": ("x = 1",)}, EVIDENCE, False),
}


@pytest.mark.parametrize(("changes", "now", "evidence", "expected"), HOLDS.values(), ids=HOLDS)
def test_a_refutation_expires_with_what_it_rests_on(
    changes: dict[str, Any], now: Files, evidence: tuple[str, ...], expected: bool
) -> None:
    before = request()
    (issue,) = decided(before, {"claude": [said(**changes)]}).issues
    assert still_holds(refutation(issue), before, request(now, round=2), evidence) is expected


def test_a_refutation_goes_with_the_line_that_it_rests_on() -> None:
    before = request()
    (issue,) = decided(before, {"claude": [said()]}).issues
    one = refutation(issue)
    moved = renewed(one, before, before, ("y = 3", "", "", "", "y = 3", "y = 3"))
    assert moved == one.model_copy(update={"line": 1})


def test_a_refutation_without_evidence_holds_nowhere() -> None:
    before = request()
    (issue,) = decided(before, {"claude": [said()]}).issues
    assert not still_holds(refutation(issue, evidence=" "), before, before, ("", " "))


def test_a_deleted_line_that_is_back_ends_its_refutation() -> None:
    before = request({"app.py": ("-check()", "x")})
    (issue,) = decided(before, {"claude": [said(quote="check()")]}).issues
    one = refutation(issue)
    assert still_holds(one, before, before, EVIDENCE)
    assert not still_holds(one, before, request({"app.py": (" check()", "x")}), EVIDENCE)


def test_a_refutation_that_has_expired_does_not_come_back_with_its_code() -> None:
    first = request()
    (issue,) = decided(first, {"claude": [said()]}).issues
    one = refutation(issue)
    later = "2026-01-03T00:00:00.000Z"
    mended = request({"app.py": ("x = 1", "y = 3")}, round=2, began=later)
    assert not still_holds(one, first, mended, EVIDENCE)
    assert not still_holds(one, mended, request(round=3, began=later), EVIDENCE)


def test_a_refutation_that_went_with_the_last_round_goes_on() -> None:
    first = request()
    (issue,) = decided(first, {"claude": [said()]}).issues
    one = refutation(issue)
    second = request(round=2, began="2026-01-03T00:00:00.000Z", refutations=(one,))
    assert still_holds(one, second, request(round=3), EVIDENCE)
