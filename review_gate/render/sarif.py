"""A run as a SARIF 2.1.0 log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from review_gate import __version__
from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.models import Finding, Severity
from review_gate.ports import COULD_NOT_RUN
from review_gate.safe_text import safe, safe_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.CRITICAL: "error", Severity.MAJOR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
ROOT = "%SRCROOT%"

Json = dict[str, Any]


def sarif(report: RunReport, decision: Decision | None) -> str:
    """The run as one SARIF log, in ASCII so that it survives any terminal, pipe or file."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, decision)]}
    return json.dumps(_harmless(log), indent=2) + "\n"


def _harmless(value: Any) -> Any:
    """The same document without hidden characters in any text; a lone surrogate would not even be valid JSON."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        return {key: _harmless(item) for key, item in value.items()}
    return [_harmless(item) for item in value] if isinstance(value, list) else value


def _run(report: RunReport, decision: Decision | None) -> Json:
    rules = _rules(report.findings)
    places = {rule["id"]: index for index, rule in enumerate(rules)}
    return {
        "tool": {"driver": {"name": "review-gate", "version": __version__, "rules": rules}},
        "automationDetails": {"id": f"review-gate/{report.subject.name}"},
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {ROOT: {"description": {"text": "the root of the reviewed repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, loop.number, places[_rule_id(finding)])
            for loop in report.loops
            for finding in loop.findings
        ],
        "properties": _run_properties(report, decision),
    }


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
                    "message": _message(f"{reviewer.id} could not run: {reviewer.detail}"),
                    "properties": {"reviewer": reviewer.id, "loop": loop.number, "required": reviewer.is_required},
                }


def _message(text: str) -> Json:
    """A message without embedded links: SARIF viewers turn `[text](address)` of a plain message into one."""
    return {"text": text.replace("](", "] (")}


def _result(finding: Finding, loop: int, rule_index: int) -> Json:
    return {
        "ruleId": _rule_id(finding),
        "ruleIndex": rule_index,
        "level": LEVELS[finding.severity],
        "message": _message(finding.message),
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
    """Where it is; the repository's root for a finding without a file.

    GitHub code scanning refuses a whole log for one result without a location (codeql-action issue 1738).
    """
    place: Json = {"artifactLocation": _artifact(finding.file) if finding.file else _in_root(".")}
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


def _artifact(path: str) -> Json:
    """A path as a URI: a command may name a file outside the repository, which no base can lead to."""
    uri = quote(path.encode("utf-8", "backslashreplace"), safe="/")
    return {"uri": f"file://{uri}"} if uri.startswith("/") else _in_root(uri)


def _in_root(uri: str) -> Json:
    return {"uri": uri, "uriBaseId": ROOT}
