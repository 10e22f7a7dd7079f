"""What a scan says to programs: the fields of JSON, and regions, fixes and rules of SARIF."""

from __future__ import annotations

import json
from typing import Any

import pytest
from alarming import alarms, rule
from sarif_shape import assert_log_is_valid
from scan_results import NO_EVAL, empty, rich

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.render.scan_json import scan_json
from review_gate.render.scan_sarif import scan_sarif


def test_json_findings_have_exactly_these_fields() -> None:
    result = ScanResult()
    result.alarms = alarms("x = eval(y)", NO_EVAL)
    (finding,) = json.loads("".join(scan_json(result)))["findings"]
    assert finding == {
        "rule": "no-eval",
        "severity": "critical",
        "file": "src/app.py",
        "line": 1,
        "column": 5,
        "message": "eval runs whatever its input says",
        "match": "eval(",
        "fingerprint": result.alarms[0].fingerprint(),
        "fix": "replace with literal_eval(",
        "category": "security",
        "evidence": "x = eval(y)",
        "source": "checks/own.yaml:3",
    }


def sarif_run(*found: Alarm) -> dict[str, Any]:
    result = ScanResult()
    result.alarms = list(found)
    run: dict[str, Any] = json.loads("".join(scan_sarif(result)))["runs"][0]
    return run


def region(*found: Alarm) -> dict[str, Any]:
    (result,) = sarif_run(*found)["results"]
    found_region: dict[str, Any] = result["locations"][0]["physicalLocation"]["region"]
    return found_region


def test_a_sarif_region_ends_after_the_last_character() -> None:
    assert region(*alarms("漢 eval(y)", NO_EVAL)) == {
        "startLine": 1,
        "startColumn": 3,
        "endLine": 1,
        "endColumn": 8,
        "snippet": {"text": "漢 eval(y)"},
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_sarif_region_may_end_on_another_line(end: str) -> None:
    text = f"x eval({end}12 y"
    shown = region(*alarms(text, rule(pattern=f"eval({end}12")))
    assert (shown["startLine"], shown["startColumn"], shown["endLine"], shown["endColumn"]) == (1, 3, 2, 3)


def test_a_sarif_region_without_a_match_has_no_end() -> None:
    assert region(Alarm("r", "info", "m", file="f", line=2, column=4)) == {"startLine": 2, "startColumn": 4}


def test_a_sarif_result_carries_a_fix_when_it_is_exact() -> None:
    (result,) = sarif_run(*alarms("x = eval(y)", NO_EVAL))["results"]
    assert result["fixes"] == [
        {
            "description": {"text": "replace with literal_eval("},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "src/app.py", "uriBaseId": "%SRCROOT%"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 10},
                            "insertedContent": {"text": "literal_eval("},
                        }
                    ],
                }
            ],
        }
    ]


INEXACT: dict[str, dict[str, Any]] = {
    "none": {"fix": None},
    "another action": {"fix": ("remove_sentence", "")},
    "regex": {"fix": ("replace", "x"), "match_rule": "regex"},
    "hidden characters": {"fix": ("replace", "\x1b")},
    "several lines": {"fix": ("replace", "x\ny")},
    "match on several lines": {"fix": ("replace", "x"), "pattern": "eval(y)\nz"},
    "secret": {"fix": ("replace", "x"), "category": "secrets"},
}


@pytest.mark.parametrize("changes", INEXACT.values(), ids=INEXACT.keys())
def test_a_sarif_result_carries_no_fix_that_is_not_exact(changes: dict[str, Any]) -> None:
    (result,) = sarif_run(*alarms("x = eval(y)\nz", rule(**changes)))["results"]
    assert "fixes" not in result


@pytest.mark.parametrize(
    ("category", "tags", "number"),
    [
        ("security", ["security"], "8.0"),
        ("secrets", ["security", "secrets"], "8.0"),
        ("performance", ["performance"], None),
        ("general", ["general"], None),
    ],
)
def test_sarif_marks_findings_of_security_for_github(category: str, tags: list[str], number: str | None) -> None:
    (described,) = sarif_run(*alarms("eval", rule(category=category)))["tool"]["driver"]["rules"]
    assert described["properties"]["tags"] == tags
    assert described["properties"].get("security-severity") == number


@pytest.mark.parametrize(
    ("docs", "uri"),
    [
        ("https://a.example/b?c=d#e", "https://a.example/b?c=d#e"),
        ("https://a.example:80", "https://a.example:80"),
        ("see https://a.example", None),
        ("https://a.example/ and more", None),
        ("javascript:alert(1)", None),
        ("https://a.example/%zz", None),
        ("https://a.example/\u202e", None),
        ("", None),
    ],
)
def test_sarif_links_to_documents_that_are_an_address(docs: str, uri: str | None) -> None:
    (described,) = sarif_run(*alarms("eval", rule(docs=docs)))["tool"]["driver"]["rules"]
    assert described.get("helpUri") == uri
    assert docs in described["help"]["text"] or "\u202e" in docs


def test_sarif_says_that_the_scan_was_not_successful_when_something_was_not_looked_at() -> None:
    (invocation,) = json.loads("".join(scan_sarif(rich())))["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    (clean,) = json.loads("".join(scan_sarif(empty())))["runs"][0]["invocations"]
    assert clean == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_sarif_of_rich_and_empty_results_is_valid() -> None:
    for result in (rich(), empty()):
        assert_log_is_valid(json.loads("".join(scan_sarif(result))))
