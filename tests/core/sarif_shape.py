"""The part of the SARIF 2.1.0 schema that our logs use."""

from __future__ import annotations

from typing import Any

# What SARIF 2.1.0 allows in the objects that we write: required properties, optional ones. The schema closes every
# object except a property bag, so a misspelt property is as invalid as a missing one.
SHAPES: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema", "inlineExternalProperties", "properties"}),
    "run": (
        {"tool"},
        {"automationDetails", "invocations", "originalUriBaseIds", "columnKind", "results", "properties", "artifacts"},
    ),
    "driver": ({"name"}, {"version", "semanticVersion", "informationUri", "rules", "notifications", "properties"}),
    "rule": ({"id"}, {"name", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"}),
    "invocation": (
        {"executionSuccessful"},
        {"startTimeUtc", "endTimeUtc", "toolExecutionNotifications", "exitCode", "properties"},
    ),
    "notification": ({"message"}, {"level", "descriptor", "associatedRule", "locations", "properties"}),
    "result": (
        {"message"},
        {"ruleId", "ruleIndex", "level", "kind", "locations", "partialFingerprints", "fingerprints", "properties"},
    ),
    "artifactLocation": (set(), {"uri", "uriBaseId", "index", "description"}),
    "region": (set(), {"startLine", "startColumn", "endLine", "endColumn", "snippet"}),
}


def assert_shape(name: str, value: dict[str, Any]) -> None:
    required, optional = SHAPES[name]
    assert required <= value.keys() <= required | optional, name


def assert_result_is_valid(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    assert_shape("result", result)
    assert result["level"] in {"error", "warning", "note"}
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["message"].keys() == {"text"}
    assert all(type(value) is str for value in result["partialFingerprints"].values())
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert_shape("artifactLocation", place["artifactLocation"])
    uri = place["artifactLocation"]["uri"]
    assert uri
    assert uri.isascii()
    assert not set(uri) & set(' "<>\\^`{|}\n\t')
    if "region" in place:
        assert_shape("region", place["region"])
        assert place["region"]["startLine"] >= 1


def assert_log_is_valid(log: dict[str, Any]) -> None:
    """Every object of a log has what the schema requires and nothing that it does not know."""
    assert_shape("log", log)
    (run,) = log["runs"]
    assert_shape("run", run)
    assert run["tool"].keys() == {"driver"}
    assert run["automationDetails"].keys() == {"id"}
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    assert_shape("driver", run["tool"]["driver"])
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert_shape("rule", rule)
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
    assert len({rule["id"] for rule in rules}) == len(rules)
    for invocation in run["invocations"]:
        assert_shape("invocation", invocation)
        for notification in invocation["toolExecutionNotifications"]:
            assert_shape("notification", notification)
            assert notification["level"] in {"error", "warning", "note"}
    for result in run["results"]:
        assert_result_is_valid(result, rules)
