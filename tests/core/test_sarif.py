"""SARIF: the log that code scanning reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import (
    NO,
    NOT_COVERED,
    TREE,
    YES,
    finding,
    run_report,
    subject,
)
from reporting import MIXED, report_with
from sarif_shape import assert_log_is_valid

from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.models import Finding
from review_gate.render.sarif import sarif


def sarif_run(report: RunReport, decision: Decision | None = NO) -> dict[str, Any]:
    log = json.loads(sarif(report, decision))
    assert [log["version"], len(log["runs"])] == ["2.1.0", 1]
    run: dict[str, Any] = log["runs"][0]
    return run


def sarif_result(changed: Finding) -> dict[str, Any]:
    (result,) = sarif_run(report_with(changed))["results"]
    found: dict[str, Any] = result
    return found


@pytest.mark.parametrize(("decision", "shippable"), [(YES, True), (NOT_COVERED, False), (None, False)])
def test_sarif_of_a_clean_report_has_no_rules_and_no_results_and_says_whether_the_gate_is_open(
    decision: Decision | None, shippable: bool
) -> None:
    run = sarif_run(run_report(), decision)
    assert (run["tool"]["driver"]["rules"], run["results"]) == ([], [])
    properties = run["properties"]
    assert (properties["verdict"], properties["passed"], properties["shippable"]) == ("pass", True, shippable)
    assert run["properties"]["loops"] == {
        "loop_1": "passed",
        "loop_2": "nothing_to_run",
        "loop_3": "nothing_to_run",
        "loop_4": "nothing_to_run",
    }


def test_sarif_of_staged_content_is_named_by_its_tree() -> None:
    run = sarif_run(run_report(subject=subject(commit=None)))
    assert run["automationDetails"] == {"id": f"review-gate/{TREE}"}
    assert (run["properties"]["commit"], run["properties"]["tree"]) == (None, TREE)


@pytest.mark.parametrize(
    ("severity", "level"), [("critical", "error"), ("major", "error"), ("warning", "warning"), ("info", "note")]
)
def test_sarif_level_follows_the_severity(severity: str, level: str) -> None:
    result = sarif_result(finding(severity=severity))
    assert (result["level"], result["properties"]["severity"]) == (level, severity)


def test_sarif_names_each_rule_once_with_the_level_of_its_worst_finding() -> None:
    mild, bad = finding(rule="a", severity="info", file="x"), finding(rule="a", severity="major", file="z")
    run = sarif_run(report_with(mild, finding(rule="b", severity="warning"), bad))
    rules = run["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["defaultConfiguration"]["level"]) for rule in rules] == [("a", "error"), ("b", "warning")]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["a", "b", "a"]
    assert [result["ruleId"] for result in run["results"]] == ["a", "b", "a"]


PATHS = {
    "plain": ("src/app.py", "src/app.py"),
    "space": ("a b.py", "a%20b.py"),
    "not ASCII": ("größe.py", "gr%C3%B6%C3%9Fe.py"),
    "bytes that are not UTF-8": ("a\udcff.py", "a%FF.py"),
    "line end": ("a\nb.py", "a%0Ab.py"),
}


@pytest.mark.parametrize(("path", "uri"), PATHS.values(), ids=PATHS.keys())
def test_sarif_location_is_a_percent_encoded_uri_in_the_repository(path: str, uri: str) -> None:
    place = sarif_result(finding(file=path))["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}


def test_sarif_location_has_no_region_without_a_line_and_the_evidence_moves_to_the_properties() -> None:
    result = sarif_result(finding(line=None, evidence="quoted", recommendation="do this"))
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert (result["properties"]["evidence"], result["properties"]["recommendation"]) == ("quoted", "do this")


def test_sarif_result_without_a_file_points_at_the_repository_because_github_refuses_logs_without_a_location() -> None:
    result = sarif_result(finding(file=None, line=3, evidence="1 failed"))
    assert result["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": ".", "uriBaseId": "%SRCROOT%"}}}]
    assert result["properties"]["evidence"] == "1 failed"


def test_sarif_execution_is_not_successful_when_a_required_reviewer_could_not_run() -> None:
    (invocation,) = sarif_run(MIXED)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"] == [
        {
            "level": "error",
            "message": {"text": "types could not run: mypy was not found"},
            "properties": {"reviewer": "types", "loop": 1, "required": True},
        },
        {
            "level": "warning",
            "message": {"text": "style could not run: it took too long"},
            "properties": {"reviewer": "style", "loop": 1, "required": False},
        },
    ]


def test_sarif_message_cannot_hold_a_link() -> None:
    result = sarif_result(finding(message="see [here](https://evil.example), a[0] and f(x)"))
    assert result["message"] == {"text": "see [here] (https://evil.example), a[0] and f(x)"}


def test_sarif_shows_hidden_characters_as_escapes() -> None:
    result = sarif_result(finding(message="a\u202eb", rule="r\nx", evidence="a\x00\ud800\tb\nc", fingerprint="f\x1b"))
    assert result["message"] == {"text": "a<U+202E>b"}
    assert result["ruleId"] == "r\\nx"
    assert result["locations"][0]["physicalLocation"]["region"]["snippet"] == {"text": "a\\x00<U+D800>\tb\nc"}
    assert result["partialFingerprints"] == {"reviewGate/v1": "f\\x1b"}


@pytest.mark.parametrize("report", [run_report(), run_report(loops=()), MIXED], ids=["clean", "no loops", "mixed"])
def test_sarif_has_the_shape_of_the_standard(report: RunReport) -> None:
    assert_log_is_valid(json.loads(sarif(report, NO)))
