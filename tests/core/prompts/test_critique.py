"""Critiques are read strictly: what is well-formed counts, what is malformed is dropped and counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_gate.prompts.critique import ALL_DROPPED, CONTRADICTS_ITSELF, Refused, critique_in, critique_of
from review_gate.prompts.schema import Critique, Op, Role, Weight


def said(**changes: Any) -> dict[str, Any]:
    """A finding as a model puts it."""
    usual = {
        "id": "CLR-001",
        "severity": "minor",
        "confidence": 0.5,
        "issue": "It is vague.",
        "evidence": "optimize",
        "suggested_ops": [operation()],
    }
    return {**usual, **changes}


def operation(**changes: Any) -> dict[str, Any]:
    """An operation as a model puts it."""
    return {"op": "ReplaceVague", "target": "structure", "value": "halve the time", **changes}


def answer(role: Role = Role.CLARITY, *findings: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A whole answer."""
    worst = "minor" if findings else None
    usual = {
        "reviewer_role": role.value,
        "severity_max": worst,
        "confidence": 0.8,
        "findings": list(findings),
        "no_issues": not findings,
    }
    return {**usual, **changes}


@pytest.mark.parametrize("severity", list(Weight))
@pytest.mark.parametrize("op", list(Op))
def test_every_severity_and_every_operation_is_taken(severity: Weight, op: Op) -> None:
    found = critique_of(
        Role.CLARITY, answer(Role.CLARITY, said(severity=severity.value, suggested_ops=[operation(op=op.value)]))
    )
    assert isinstance(found, Critique)
    assert (found.severity_max, found.findings[0].suggested_ops[0].op, found.dropped) == (severity, op, 0)


@pytest.mark.parametrize("role", list(Role))
def test_no_issues_is_a_critique_too(role: Role) -> None:
    assert critique_of(role, answer(role)) == Critique(role=role, confidence=0.8)


MALFORMED: dict[str, dict[str, Any]] = {
    "no id": {"id": ""},
    "an unknown severity": {"severity": "huge"},
    "a confidence over one": {"confidence": 1.5},
    "no issue": {"issue": ""},
    "a field that nobody asked for": {"verdict": "approve"},
    "an unknown operation": {"suggested_ops": [operation(op="DeleteEverything")]},
    "an empty value": {"suggested_ops": [operation(value=" \n")]},
    "a value with a hidden character": {"suggested_ops": [operation(value="safe\u202e")]},
    "a value that is too long": {"suggested_ops": [operation(value="x" * 4_001)]},
}


@pytest.mark.parametrize("changes", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_finding_is_dropped_and_takes_no_other_with_it(changes: dict[str, Any]) -> None:
    found = critique_of(Role.CLARITY, answer(Role.CLARITY, said(), said(**changes)))
    assert isinstance(found, Critique)
    assert (len(found.findings), found.dropped) == (1, 1)
    assert critique_of(Role.CLARITY, {**answer(Role.CLARITY), "findings": [said(**changes)], "no_issues": False}) == (
        Refused(ALL_DROPPED)
    )


@pytest.mark.parametrize(("severity", "counts"), [("blocker", 1), ("major", 1), ("minor", 0), ("nit", 0)])
def test_a_finding_of_security_is_a_blocker_or_major(severity: str, counts: int) -> None:
    found = critique_of(Role.SECURITY, answer(Role.SECURITY, said(severity="major"), said(severity=severity)))
    assert isinstance(found, Critique)
    assert (len(found.findings), found.dropped) == (1 + counts, 1 - counts)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another role": (answer(Role.TESTING), "it is the answer of another reviewer (testing)"),
    "no_issues beside findings": (answer(Role.CLARITY, said(), no_issues=True), CONTRADICTS_ITSELF),
    "no list of findings": (answer(Role.CLARITY, findings=None), "its findings are no list of up to 50"),
    "too many findings": (answer(Role.CLARITY, *[said()] * 51), "its findings are no list of up to 50"),
    "a missing field": (
        {key: value for key, value in answer(Role.CLARITY).items() if key != "no_issues"},
        "the answer has the wrong shape: no_issues: Field required",
    ),
    "a field that nobody asked for": (
        answer(Role.CLARITY, verdict="approve"),
        "the answer has the wrong shape: verdict: Extra inputs are not permitted",
    ),
}


@pytest.mark.parametrize(("document", "why"), REFUSED.values(), ids=REFUSED)
def test_an_answer_of_another_form_is_no_critique(document: dict[str, Any], why: str) -> None:
    assert critique_of(Role.CLARITY, document) == Refused(why)


def test_the_worst_severity_is_worked_out_and_not_believed() -> None:
    found = critique_of(Role.CLARITY, answer(Role.CLARITY, said(severity="blocker"), severity_max="nit"))
    assert isinstance(found, Critique)
    assert found.severity_max is Weight.BLOCKER


def test_an_answer_that_repeats_the_mark_of_its_instructions_is_no_critique() -> None:
    from review_gate.pipeline.question import REPEATS, canary_of

    nonce = "0123456789abcdef"
    text = json.dumps(answer(Role.CLARITY, said(issue=f"See {canary_of(nonce)}.")))
    assert critique_in(Role.CLARITY, text, nonce) == Refused(REPEATS)
    assert isinstance(critique_in(Role.CLARITY, text, "another"), Critique)


def test_operations_beyond_what_anybody_reads_are_dropped_with_their_findings() -> None:
    many = [said(id=f"CLR-{number}", suggested_ops=[operation()] * 20) for number in range(8)]
    found = critique_of(Role.CLARITY, answer(Role.CLARITY, *many, said(id="CLR-9", suggested_ops=[])))
    assert isinstance(found, Critique)
    assert [one.id for one in found.findings] == ["CLR-0", "CLR-1", "CLR-2", "CLR-3", "CLR-4", "CLR-9"]
    assert found.dropped == 3
