"""What a scan says to programs: the fields of JSON, and regions, fixes and rules of SARIF."""

from __future__ import annotations

import json
from typing import Any

import pytest
from alarming import alarms, rule
from sarif_shape import assert_log_is_valid
from scan_results import NO_EVAL, empty, rich

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.render.scan_sarif import scan_sarif


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


@pytest.mark.parametrize(
    "end",
    [
        "\n",
        "\r\n",
    ],
    ids=[
        "LF",
        "CRLF",
    ],
)
def test_a_sarif_region_may_end_on_another_line(end: str) -> None:
    text = f"x eval({end}12 y"
    shown = region(*alarms(text, rule(pattern=f"eval({end}12")))
    assert (shown["startLine"], shown["startColumn"], shown["endLine"], shown["endColumn"]) == (1, 3, 2, 3)


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
    "regex": {"fix": ("replace", "x"), "match_rule": "regex"},
    "hidden characters": {"fix": ("replace", "\x1b")},
    "secret": {"fix": ("replace", "x"), "category": "secrets"},
}


@pytest.mark.parametrize("changes", INEXACT.values(), ids=INEXACT.keys())
def test_a_sarif_result_carries_no_fix_that_is_not_exact(changes: dict[str, Any]) -> None:
    (result,) = sarif_run(*alarms("x = eval(y)\nz", rule(**changes)))["results"]
    assert "fixes" not in result


@pytest.mark.parametrize(
    ("category", "tags", "number"),
    [
        ("secrets", ["security", "secrets"], "8.0"),
        ("performance", ["performance"], None),
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
        ("see https://a.example", None),
        ("javascript:alert(1)", None),
        ("https://a.example/\u202e", None),
    ],
)
def test_sarif_links_to_documents_that_are_an_address(docs: str, uri: str | None) -> None:
    (described,) = sarif_run(*alarms("eval", rule(docs=docs)))["tool"]["driver"]["rules"]
    assert described.get("helpUri") == uri
    assert docs in described["help"]["text"] or "\u202e" in docs


def test_sarif_of_rich_and_empty_results_is_valid() -> None:
    for result in (rich(), empty()):
        assert_log_is_valid(json.loads("".join(scan_sarif(result))))
