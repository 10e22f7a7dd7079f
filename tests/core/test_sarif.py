"""SARIF: the log that code scanning reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import (
    BASE,
    COMMIT,
    NO,
    NOT_COVERED,
    POLICY,
    TREE,
    YES,
    empty_loop,
    finding,
    loop_result,
    reviewer_result,
    run_report,
    subject,
)
from reporting import MIXED, report_with
from sarif_shape import assert_log_is_valid, complaints

from review_gate import __version__
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


def test_sarif_of_a_report_with_one_finding_is_this_log() -> None:
    report = report_with(finding(column=7, evidence="def f(:"))
    assert json.loads(sarif(report, NO)) == {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "review-gate",
                        "version": __version__,
                        "rules": [
                            {
                                "id": "python-syntax",
                                "shortDescription": {"text": "python-syntax (correctness)"},
                                "defaultConfiguration": {"level": "error"},
                            }
                        ],
                    }
                },
                "automationDetails": {"id": f"review-gate/{COMMIT}"},
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "startTimeUtc": "2026-01-02T03:04:05.000Z",
                        "endTimeUtc": "2026-01-02T03:04:06.500Z",
                        "toolExecutionNotifications": [],
                    }
                ],
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the root of the reviewed repository"}}},
                "columnKind": "unicodeCodePoints",
                "results": [
                    {
                        "ruleId": "python-syntax",
                        "ruleIndex": 0,
                        "level": "error",
                        "message": {"text": "invalid syntax"},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "app.py", "uriBaseId": "%SRCROOT%"},
                                    "region": {"startLine": 3, "startColumn": 7, "snippet": {"text": "def f(:"}},
                                }
                            }
                        ],
                        "partialFingerprints": {"reviewGate/v1": "0f0f0f0f0f0f0f0f0f0f"},
                        "properties": {
                            "severity": "major",
                            "category": "correctness",
                            "reviewer": "syntax",
                            "loop": 1,
                            "confidence": 1.0,
                        },
                    }
                ],
                "properties": {
                    "commit": COMMIT,
                    "tree": TREE,
                    "base": BASE,
                    "policy": POLICY,
                    "verdict": "needs_fixes",
                    "passed": False,
                    "shippable": False,
                    "loops": {"loop_1": "failed", "loop_2": "not_run", "loop_3": "not_run", "loop_4": "not_run"},
                },
            }
        ],
    }


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


def test_sarif_results_carry_the_loop_that_found_them() -> None:
    second = loop_result(number=2, reviewers=(reviewer_result(findings=(finding(severity="info"),)),))
    first = loop_result(reviewers=(reviewer_result(findings=(finding(severity="warning"),)),))
    run = sarif_run(run_report(loops=(first, second, empty_loop(3), empty_loop(4))))
    assert [result["properties"]["loop"] for result in run["results"]] == [1, 2]


PATHS = {
    "plain": ("src/app.py", "src/app.py"),
    "space": ("a b.py", "a%20b.py"),
    "percent": ("100%.py", "100%25.py"),
    "colon in the first segment": ("c:x.py", "c%3Ax.py"),
    "query and fragment": ("a?b#c.py", "a%3Fb%23c.py"),
    "not ASCII": ("größe.py", "gr%C3%B6%C3%9Fe.py"),
    "bytes that are not UTF-8": ("a\udcff.py", "a%FF.py"),
    "bytes that are not UTF-8, as findings spell them": ("a\\xff.py", "a%5Cxff.py"),
    "lone surrogate": ("a\ud800.py", "a%5Cud800.py"),
    "line end": ("a\nb.py", "a%0Ab.py"),
    "bidi": ("a\u202eb.py", "a%E2%80%AEb.py"),
}


@pytest.mark.parametrize(("path", "uri"), PATHS.values(), ids=PATHS.keys())
def test_sarif_location_is_a_percent_encoded_uri_in_the_repository(path: str, uri: str) -> None:
    place = sarif_result(finding(file=path))["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}


@pytest.mark.parametrize(("path", "uri"), [("/etc/a b", "file:///etc/a%20b"), ("//host/a", "file:////host/a")])
def test_sarif_location_of_an_absolute_path_is_a_file_uri_without_a_base(path: str, uri: str) -> None:
    place = sarif_result(finding(file=path))["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri}


def test_sarif_location_has_no_region_without_a_line_and_the_evidence_moves_to_the_properties() -> None:
    result = sarif_result(finding(line=None, evidence="quoted", recommendation="do this"))
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert (result["properties"]["evidence"], result["properties"]["recommendation"]) == ("quoted", "do this")


def test_sarif_region_has_neither_column_nor_snippet_when_they_are_not_known() -> None:
    result = sarif_result(finding())
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert result["properties"].keys() == {"severity", "category", "reviewer", "loop", "confidence"}


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


def test_sarif_execution_is_successful_when_only_an_optional_reviewer_could_not_run() -> None:
    absent = reviewer_result(id="style", status="could_not_run", detail="gone", is_required=False)
    (invocation,) = sarif_run(run_report(loops=(loop_result(reviewers=(absent,)),)))["invocations"]
    assert invocation["executionSuccessful"] is True
    assert [note["message"]["text"] for note in invocation["toolExecutionNotifications"]] == [
        "style could not run: gone"
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


SPOILT: dict[str, tuple[dict[str, Any], str]] = {
    "level": ({"level": "fatal"}, "$.runs[0].results[0].level: 'fatal' is not one of"),
    "unknown property": ({"severity": "major"}, "$.runs[0].results[0]: Additional properties are not allowed"),
    "no message": ({"message": {}}, "$.runs[0].results[0].message: "),
    "line 0": (
        {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]},
        "$.runs[0].results[0].locations[0].physicalLocation.region.startLine: 0 is less than the minimum of 1",
    ),
    "no address": (
        {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a b"}}}]},
        "$.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri: 'a b' is not a 'uri-reference'",
    ),
}


@pytest.mark.parametrize(("changes", "complaint"), SPOILT.values(), ids=SPOILT.keys())
def test_the_schema_would_see_a_mistake(changes: dict[str, Any], complaint: str) -> None:
    log = json.loads(sarif(report_with(finding()), NO))
    log["runs"][0]["results"][0] |= changes
    (said,) = complaints(log)
    assert said.startswith(complaint)


def test_the_schema_would_see_a_date_that_is_none() -> None:
    log = json.loads(sarif(run_report(), NO))
    log["runs"][0]["invocations"][0]["startTimeUtc"] = "yesterday"
    assert complaints(log) == ["$.runs[0].invocations[0].startTimeUtc: 'yesterday' is not a 'date-time'"]
