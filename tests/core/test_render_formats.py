"""Reports of a run for other programs: SARIF, JUnit XML, GitHub workflow commands."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from builders import BASE, COMMIT, TREE, empty_loop, finding, loop_result, reviewer_result, run_report, subject
from hypothesis import given, settings
from hypothesis import strategies as st

from review_gate import __version__
from review_gate.loops.report import LoopResult, ReviewerResult, RunReport, not_run
from review_gate.loops.run import judge_loop
from review_gate.models import Finding
from review_gate.render.github import github
from review_gate.render.junit import junit
from review_gate.render.sarif import sarif

POLICY = "90110c44" * 8
HOSTILE = {
    "a new command on a new line": "a\n::error::b",
    "a new command after a carriage return": "a\r::error::b",
    "a command after a line separator": "a\u2028::error::b\x85::error::c",
    "an old-style command": "x ##[add-path]/tmp/evil ###[set-env name=A]b",
    "the end of the command": "a::b,c=d:e",
    "percent escapes": "100% %0A %25 %3A",
    "the end of a CDATA section": "a]]>b<![CDATA[c",
    "markup": "</failure><testcase name='x'/>&amp;&#0;",
    "control characters": "a\x00b\x07c\x1b[31md\x7f",
    "lone surrogates": "a\ud800b\udcffc",
    "hidden and bidi characters": "a\u202eb\u200bc\ufeffd",
    "characters that are none": "a\ufffeb\uffffc",
    "a link": "see [here](https://evil.example) or [there](0)",
    "nothing but space": " \t\n ",
    "letters of the world": "größe 漢字 😀",
}
with_hostile_texts = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


def stopped_report(*results: ReviewerResult, **changes: Any) -> RunReport:
    """A run that ended in loop 1."""
    loop = judge_loop(1, results)
    rest = (not_run(number, "not run: loop 1 did not pass") for number in (2, 3, 4))
    return run_report(**{"loops": (loop, *rest), **changes})


def report_with(*findings: Finding) -> RunReport:
    return stopped_report(reviewer_result(status="failed", findings=findings))


def hostile_report(text: str) -> RunReport:
    """A run in which every text that can come from outside is `text`."""
    bad = finding(rule=text, category=text, message=text, file=text, evidence=text, recommendation=text, reviewer=text)
    reviewers = (
        reviewer_result(id=text, status="failed", detail=text, findings=(bad,)),
        reviewer_result(id=text, status="could_not_run", detail=text),
    )
    return run_report(loops=(judge_loop(1, reviewers, note=text), *(not_run(number, text) for number in (2, 3, 4))))


MIXED = stopped_report(
    reviewer_result(
        status="failed",
        findings=(
            finding(severity="warning", rule="tabs", category="hygiene", message="tabs, here", line=None),
            finding(column=7, evidence="def f(:", recommendation="close the bracket"),
        ),
    ),
    reviewer_result(
        id="tests",
        status="failed",
        detail="its output was cut",
        seconds=1.5,
        findings=(
            finding(
                rule="command-failed",
                severity="critical",
                category="command",
                message="tests failed with exit code 1",
                file=None,
                line=None,
                evidence="E  assert 1 == 2\n1 failed",
                reviewer="tests",
                confidence=0.5,
            ),
        ),
    ),
    reviewer_result(id="types", status="could_not_run", detail="mypy was not found", seconds=0),
    reviewer_result(id="style", status="could_not_run", detail="it took too long", is_required=False, seconds=3),
    reviewer_result(
        id="hygiene",
        findings=(finding(severity="info", rule="big-file", message="large", file="a b.bin", line=None),),
        seconds=0.001,
    ),
)


# --- SARIF


def sarif_run(report: RunReport) -> dict[str, Any]:
    log = json.loads(sarif(report))
    assert [log["version"], len(log["runs"])] == ["2.1.0", 1]
    run: dict[str, Any] = log["runs"][0]
    return run


def sarif_result(changed: Finding) -> dict[str, Any]:
    (result,) = sarif_run(report_with(changed))["results"]
    found: dict[str, Any] = result
    return found


def test_sarif_of_a_report_with_one_finding_is_this_log() -> None:
    report = report_with(finding(column=7, evidence="def f(:"))
    assert json.loads(sarif(report)) == {
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
                    "shippable": False,
                    "loops": {"loop_1": "failed", "loop_2": "not_run", "loop_3": "not_run", "loop_4": "not_run"},
                },
            }
        ],
    }


def test_sarif_of_a_clean_report_has_no_rules_and_no_results_and_says_it_is_shippable() -> None:
    run = sarif_run(run_report())
    assert (run["tool"]["driver"]["rules"], run["results"]) == ([], [])
    assert (run["properties"]["verdict"], run["properties"]["shippable"]) == ("pass", True)
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
    second = loop_result(number=2, reviewers=(reviewer_result(loop=2, findings=(finding(severity="info"),)),))
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


@pytest.mark.parametrize("report", [run_report(), run_report(loops=()), MIXED], ids=["clean", "no loops", "mixed"])
def test_sarif_has_the_shape_of_the_standard(report: RunReport) -> None:
    assert_log_is_valid(json.loads(sarif(report)))


@with_hostile_texts
def test_sarif_of_hostile_content_is_valid_ascii_json_without_hidden_characters(text: str) -> None:
    written = sarif(hostile_report(text))
    assert written.isascii()
    assert_log_is_valid(json.loads(written))
    assert_visible(json.loads(written))


def assert_visible(value: Any) -> None:
    """No text of the document holds a character that a viewer would obey or hide."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            assert_visible(item)
    if isinstance(value, str):
        assert value.replace("\n", "").replace("\t", "").isprintable()


# --- JUnit


def test_junit_of_a_mixed_report_is_this_document() -> None:
    assert (
        junit(MIXED)
        == f"""\
<?xml version='1.0' encoding='us-ascii'?>
<testsuites name="review-gate {COMMIT}" tests="8" failures="2" errors="2" skipped="3" time="4.751">
  <testsuite name="loop 1: compilation + basic checks" tests="5" failures="2" errors="2" skipped="0" time="4.751">
    <testcase classname="review-gate.loop1" name="syntax" time="0.250">
      <failure message="invalid syntax" type="needs_fixes">major: app.py:3:7: invalid syntax [python-syntax]
  next: close the bracket
    def f(:
warning: app.py: tabs, here [tabs]</failure>
    </testcase>
    <testcase classname="review-gate.loop1" name="tests" time="1.500">
      <failure message="tests failed with exit code 1" type="fail">its output was cut
critical: tests failed with exit code 1 [command-failed]
    E  assert 1 == 2
    1 failed</failure>
    </testcase>
    <testcase classname="review-gate.loop1" name="types" time="0.000">
      <error message="mypy was not found" type="could_not_run" />
    </testcase>
    <testcase classname="review-gate.loop1" name="style" time="3.000">
      <error message="it took too long" type="could_not_run">this reviewer is optional: the loop can pass without it\
</error>
    </testcase>
    <testcase classname="review-gate.loop1" name="hygiene" time="0.001">
      <system-out>info: a b.bin: large [big-file]</system-out>
    </testcase>
  </testsuite>
  <testsuite name="loop 2: standards compliance" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="review-gate.loop2" name="standards compliance" time="0.000">
      <skipped message="not run: loop 1 did not pass" />
    </testcase>
  </testsuite>
  <testsuite name="loop 3: security + performance" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="review-gate.loop3" name="security + performance" time="0.000">
      <skipped message="not run: loop 1 did not pass" />
    </testcase>
  </testsuite>
  <testsuite name="loop 4: integration + e2e" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="review-gate.loop4" name="integration + e2e" time="0.000">
      <skipped message="not run: loop 1 did not pass" />
    </testcase>
  </testsuite>
</testsuites>
"""
    )


def test_junit_of_a_report_without_loops_is_an_empty_document() -> None:
    assert junit(run_report(loops=())) == (
        "<?xml version='1.0' encoding='us-ascii'?>\n"
        f'<testsuites name="review-gate {COMMIT}" tests="0" failures="0" errors="0" skipped="0" time="0.000" />\n'
    )


def only_suite(loop: LoopResult) -> ElementTree.Element:
    (suite,) = ElementTree.fromstring(junit(run_report(loops=(loop,))))
    return suite


def only_child(loop: LoopResult) -> ElementTree.Element:
    """The verdict inside the only case of the loop."""
    (child,) = only_suite(loop).findall("testcase/*")
    return child


def test_junit_skips_a_loop_with_nothing_to_run_and_says_why() -> None:
    skipped = only_child(loop_result(number=4, status="nothing_to_run", note="no tests found", reviewers=()))
    assert (skipped.tag, skipped.attrib) == ("skipped", {"message": "no tests found"})


@pytest.mark.parametrize("status", ["not_run", "nothing_to_run"])
def test_junit_skips_a_loop_without_a_note_with_its_status(status: str) -> None:
    skipped = only_child(loop_result(status=status, reviewers=()))
    assert (skipped.tag, skipped.attrib) == ("skipped", {"message": status.replace("_", " ")})


@pytest.mark.parametrize("status", ["failed", "incomplete", "never heard of"])
def test_junit_does_not_skip_a_loop_that_came_to_a_bad_end_without_reviewers(status: str) -> None:
    error = only_child(loop_result(status=status, reviewers=()))
    assert (error.tag, error.attrib) == ("error", {"message": status})


def test_junit_shows_a_failing_reviewer_whose_findings_were_not_kept() -> None:
    failure = only_child(loop_result(status="failed", is_kept=True, reviewers=(reviewer_result(status="failed"),)))
    assert (failure.tag, failure.text) == ("failure", None)
    assert failure.attrib == {"message": "failed, and its findings were not kept", "type": "failed"}


def test_junit_takes_a_status_it_does_not_know_for_a_failure() -> None:
    assert only_child(loop_result(reviewers=(reviewer_result(status="approved"),))).tag == "failure"


def test_junit_case_of_a_passing_reviewer_is_empty() -> None:
    suite = only_suite(loop_result())
    assert [(case.attrib, list(case)) for case in suite] == [
        ({"classname": "review-gate.loop1", "name": "syntax", "time": "0.250"}, [])
    ]


def test_junit_suite_says_what_was_left_out_and_what_was_kept() -> None:
    suite = only_suite(loop_result(is_kept=True, note="types left out: no changed file concerns it"))
    assert suite.findtext("system-out") == (
        "kept from an earlier run of the same content\ntypes left out: no changed file concerns it"
    )


def test_junit_message_is_that_of_the_worst_finding() -> None:
    findings = (finding(severity="warning", message="mild"), finding(severity="critical", message="bad\nvery"))
    failure = only_child(judge_loop(1, (reviewer_result(status="failed", findings=findings),)))
    assert failure.attrib == {"message": "bad\nvery", "type": "fail"}


def test_junit_shows_characters_that_xml_forbids_as_escapes() -> None:
    failure = only_child(
        judge_loop(1, (reviewer_result(status="failed", findings=(finding(message="a\x00\x0b\ud800\uffff\rb]]>"),)),))
    )
    assert failure.get("message") == "a\\x00\\x0b<U+D800><U+FFFF>\\x0db]]>"
    assert failure.text == "major: app.py:3: a\\x00\\x0b<U+D800><U+FFFF>\\x0db]]> [python-syntax]"


@with_hostile_texts
def test_junit_of_hostile_content_keeps_its_structure(text: str) -> None:
    written = junit(hostile_report(text))
    assert written.isascii()
    root = ElementTree.fromstring(written)
    assert [element.tag for element in root.iter()] == [
        *("testsuites", "testsuite", "testcase", "failure", "testcase", "error", "system-out"),
        *(("testsuite", "testcase", "skipped") * 3),
    ]
    assert_visible([part for element in root.iter() for part in (*element.attrib.values(), element.text or "")])


# --- GitHub


def runner_reads(line: str) -> tuple[str, dict[str, str], str]:
    """A command as a GitHub runner takes it apart: name, properties, message."""
    assert line.startswith("::")
    info, message = line[2:].split("::", 1)
    name, properties = info.split(" ", 1)
    pairs = (pair.split("=", 1) for pair in properties.split(","))
    return name, {key: unquote(value) for key, value in pairs}, unquote(message)


def github_lines(report: RunReport) -> list[str]:
    written = github(report)
    assert written.endswith("\n")
    return written.removesuffix("\n").split("\n")


def test_github_of_a_mixed_report_is_these_commands() -> None:
    assert github(MIXED) == (
        "::error title=critical command-failed (tests)::tests failed with exit code 1\n"
        "::error file=app.py,line=3,col=7,title=major python-syntax (syntax)::invalid syntax%0Aclose the bracket\n"
        "::warning file=app.py,title=warning tabs (syntax)::tabs, here\n"
        "::notice file=a b.bin,title=info big-file (syntax)::large\n"
        "::error title=could not run (types)::types could not run: mypy was not found\n"
        "::warning title=could not run (style)::style could not run: it took too long\n"
        "::error title=review-gate::ship blocked: commit c0ffee11 did not pass the review, 3 blockers"
        " (loop 1 failed, loop 2 not run, loop 3 not run, loop 4 not run)\n"
    )


def test_github_of_a_clean_report_is_only_the_decision() -> None:
    assert github(run_report()) == (
        "::notice title=review-gate::ship allowed: commit c0ffee11 passed the review"
        " (loop 1 passed, loop 2 nothing to run, loop 3 nothing to run, loop 4 nothing to run)\n"
    )


def test_github_names_staged_content_by_its_tree() -> None:
    report = report_with(finding()).model_copy(update={"subject": subject(commit=None)})
    assert github_lines(report)[-1] == (
        "::error title=review-gate::ship blocked: staged tree 7ee7ee22 did not pass the review, 1 blocker"
        " (loop 1 failed, loop 2 not run, loop 3 not run, loop 4 not run)"
    )


def test_github_does_not_call_a_passed_subset_of_the_loops_a_pass_and_not_an_error_either() -> None:
    rest = (not_run(number, "not requested, and no earlier result to keep") for number in (2, 3, 4))
    assert github(run_report(requested=(1,), loops=(loop_result(), *rest))) == (
        "::notice title=review-gate::ship not allowed yet: commit c0ffee11 passed the requested loops only"
        " (loop 1 passed, loop 2 not run, loop 3 not run, loop 4 not run)\n"
    )


def test_github_blocks_when_a_requested_loop_is_incomplete() -> None:
    absent = reviewer_result(id="types", status="could_not_run", detail="gone")
    assert github(stopped_report(absent, requested=(1,))) == (
        "::error title=could not run (types)::types could not run: gone\n"
        "::error title=review-gate::ship blocked: commit c0ffee11 did not pass the review, 1 blocker"
        " (loop 1 incomplete, loop 2 not run, loop 3 not run, loop 4 not run)\n"
    )


@pytest.mark.parametrize(
    ("severity", "command"),
    [("critical", "error"), ("major", "error"), ("warning", "warning"), ("info", "notice")],
)
def test_github_command_follows_the_severity(severity: str, command: str) -> None:
    assert github_lines(report_with(finding(severity=severity)))[0] == (
        f"::{command} file=app.py,line=3,title={severity} python-syntax (syntax)::invalid syntax"
    )


def test_github_annotation_without_a_file_has_no_line_either() -> None:
    assert github_lines(report_with(finding(file=None, column=2)))[0] == (
        "::error title=major python-syntax (syntax)::invalid syntax"
    )


def test_github_escapes_what_would_end_a_property_or_the_line() -> None:
    hostile = finding(file="a,line=9::b\n%0A.py", rule="x:y", message="one\n::error::two, 100%\r")
    assert github_lines(report_with(hostile))[0] == (
        "::error file=a%2Cline=9%3A%3Ab%0A%250A.py,line=3,title=major x%3Ay (syntax)::one%0A::error::two, 100%25\\x0d"
    )


def test_github_breaks_the_start_of_an_old_style_command() -> None:
    line = github_lines(report_with(finding(severity="info", message="##[add-path]/evil", file="##[x]")))[0]
    assert line == "::notice file=## [x],line=3,title=info python-syntax (syntax)::## [add-path]/evil"


@with_hostile_texts
def test_github_of_hostile_content_has_one_command_for_each_thing_to_say(text: str) -> None:
    read = [runner_reads(line) for line in github_lines(hostile_report(text))]
    assert [(name, list(properties)) for name, properties, _ in read] == [
        ("error", ["file", "line", "title"]),
        ("error", ["title"]),
        ("error", ["title"]),
    ]
    assert_visible([[*properties.values(), message] for _, properties, message in read])


# --- all three


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1))
def test_no_text_breaks_any_format(text: str) -> None:
    report = hostile_report(text)
    lines = github(report).splitlines()
    assert len(lines) == 3
    assert not any("##[" in line for line in lines)
    assert [runner_reads(line)[0] for line in lines] == ["error", "error", "error"]
    assert_log_is_valid(json.loads(sarif(report)))
    assert len(ElementTree.fromstring(junit(report)).findall("testsuite/testcase")) == 5
