"""A run as a SARIF 2.1.0 log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.models import Finding
from review_gate.ports import COULD_NOT_RUN
from review_gate.render.sarif_parts import LEVELS, Json, artifact, frame, log_pieces, message
from review_gate.safe_text import safe_line


def sarif(report: RunReport, decision: Decision | None) -> str:
    """The run as one SARIF log."""
    rules = _rules(report.findings)
    run = {
        **frame(f"review-gate/{report.subject.name}", rules, _invocation(report)),
        "results": [],
        "properties": _run_properties(report, decision),
    }
    return "".join(log_pieces(run, _results(report, rules)))


def _results(report: RunReport, rules: list[Json]) -> Iterator[Json]:
    places = {rule["id"]: index for index, rule in enumerate(rules)}
    for loop in report.loops:
        for finding in loop.findings:
            via = next((one.via for one in loop.reviewers if one.id == finding.reviewer), None)
            result = _result(finding, loop.number, places[_rule_id(finding)])
            result["properties"] |= {"via": via} if via else {}
            yield result


def _run_properties(report: RunReport, decision: Decision | None) -> Json:
    return {
        "commit": report.subject.commit,
        "tree": report.subject.tree,
        "base": report.subject.base,
        "policy": report.policy,
        "verdict": report.verdict.value,
        "passed": report.has_passed_all,
        "shippable": decision is not None and decision.allowed,
        "loops": {f"loop_{loop.number}": loop.status for loop in report.loops},
        **({"via_session": list(report.via_session)} if report.via_session else {}),
    }


def _rule_id(finding: Finding) -> str:
    return safe_line(finding.rule)


def _rules(worst_first: Iterable[Finding]) -> list[Json]:
    """Each rule once, with the level of its worst finding."""
    first: dict[str, Finding] = {}
    for finding in worst_first:
        first.setdefault(_rule_id(finding), finding)
    return [
        {
            "id": rule,
            "shortDescription": {"text": f"{rule} ({finding.category})"},
            "defaultConfiguration": {"level": LEVELS[finding.severity]},
        }
        for rule, finding in first.items()
    ]


def _invocation(report: RunReport) -> Json:
    absent = list(_notifications(report))
    return {
        "executionSuccessful": not any(notification["properties"]["required"] for notification in absent),
        "startTimeUtc": report.started,
        "endTimeUtc": report.finished,
        "toolExecutionNotifications": absent,
    }


def _notifications(report: RunReport) -> Iterator[Json]:
    for loop in report.loops:
        for reviewer in loop.reviewers:
            if reviewer.status == COULD_NOT_RUN:
                yield {
                    "level": "error" if reviewer.is_required else "warning",
                    "message": message(f"{reviewer.id} could not run: {reviewer.detail}"),
                    "properties": {"reviewer": reviewer.id, "loop": loop.number, "required": reviewer.is_required},
                }


def _result(finding: Finding, loop: int, rule_index: int) -> Json:
    return {
        "ruleId": _rule_id(finding),
        "ruleIndex": rule_index,
        "level": LEVELS[finding.severity],
        "message": message(finding.message),
        "locations": [{"physicalLocation": _place(finding)}],
        "partialFingerprints": {"reviewGate/v1": finding.fingerprint},
        "properties": _result_properties(finding, loop),
    }


def _result_properties(finding: Finding, loop: int) -> Json:
    """What SARIF has no field for; evidence only where there is no region to quote it in."""
    properties = {
        "severity": finding.severity.value,
        "category": finding.category,
        "reviewer": finding.reviewer,
        "loop": loop,
        "confidence": finding.confidence,
    }
    if finding.recommendation:
        properties["recommendation"] = finding.recommendation
    if finding.evidence and not _has_region(finding):
        properties["evidence"] = finding.evidence
    return properties


def _place(finding: Finding) -> Json:
    place: Json = {"artifactLocation": artifact(finding.file)}
    if _has_region(finding):
        place["region"] = _region(finding)
    return place


def _has_region(finding: Finding) -> bool:
    return bool(finding.file and finding.line)


def _region(finding: Finding) -> Json:
    region: Json = {"startLine": finding.line}
    if finding.column:
        region["startColumn"] = finding.column
    if finding.evidence:
        region["snippet"] = {"text": finding.evidence}
    return region
