"""Stage 6: one list of findings, one severity each."""

from __future__ import annotations

from builders import finding
from composing import agent, config, rule

from review_gate.models import Severity
from review_gate.pipeline.aggregate import aggregate, escalate
from review_gate.pipeline.config_schema import AgentEntry

AUDITOR = AgentEntry.model_validate(agent("auditor", escalation={"failures": 3}))


def test_the_same_finding_of_several_reviewers_is_told_once_as_the_worst_and_surest() -> None:
    found = aggregate(
        [
            finding(severity="warning", reviewer="a", confidence=1.0),
            finding(severity="major", reviewer="b", confidence=0.5),
            finding(severity="major", reviewer="c", confidence=0.9),
            finding(fingerprint="another one", severity="critical", reviewer="a"),
        ],
        config(),
    )
    assert [(one.severity, one.reviewer) for one in found] == [(Severity.CRITICAL, "a"), (Severity.MAJOR, "c")]


def test_a_rule_explains_what_the_reviewer_left_out() -> None:
    chosen = config(rules=[rule("sec-one-01", category="injection", recommendation="bind it")])
    plain = finding(rule="sec-one-01", category="other", message="here", recommendation="")
    (told,) = aggregate([plain], chosen)
    assert (told.category, told.message, told.recommendation) == ("injection", "here", "bind it")
    (own,) = aggregate([plain.model_copy(update={"recommendation": "escape it", "message": ""})], chosen)
    assert (own.message, own.recommendation) == ("why", "escape it")
    assert aggregate([finding(rule="unknown")], chosen) == (finding(rule="unknown"),)


def test_three_failed_dimensions_make_the_worst_finding_critical() -> None:
    failed = [finding(category=name, fingerprint=name, severity="major") for name in ("colour", "focus", "motion")]
    assert [one.severity for one in escalate(failed, AUDITOR)] == [Severity.CRITICAL, Severity.MAJOR, Severity.MAJOR]


def test_two_failed_dimensions_and_a_warning_stay_as_they_are() -> None:
    found = (
        finding(category="colour", severity="major"),
        finding(category="colour", severity="major", fingerprint="again"),
        finding(category="focus", severity="major", fingerprint="2"),
        finding(category="motion", severity="warning", fingerprint="3"),
    )
    assert escalate(found, AUDITOR) == found
    assert escalate(found, AgentEntry.model_validate(agent())) == found
