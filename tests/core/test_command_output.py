"""What a command's exit code and output mean: findings, or an output that cannot be used."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_gate.models import FOREIGN_SEVERITY, Finding, Severity, severity_from, verdict_of
from review_gate.reviewers import command_output
from review_gate.reviewers.command_output import UnusableOutputError, from_exit_code, from_pattern, from_sarif

LINT = r"^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>\w+): (?P<message>.+?)(?: \[(?P<rule>[\w-]+)\])?$"


def shape(finding: Finding) -> tuple[object, ...]:
    """A finding without what is the same for all."""
    return finding.severity.value, finding.file, finding.line, finding.column, finding.rule, finding.message


def sarif_log(*results: object, **changes: object) -> str:
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {}, "results": list(results)}], **changes})


def result(**changes: object) -> dict[str, object]:
    place = {"artifactLocation": {"uri": "src/app.py"}, "region": {"startLine": 3, "startColumn": 5}}
    fields = {"ruleId": "no-eval", "level": "error", "message": {"text": "eval runs input"}}
    return {**fields, "locations": [{"physicalLocation": place}], **changes}


def test_a_command_that_ends_well_has_found_nothing() -> None:
    assert from_exit_code("lint", 0, "error: something\n", Severity.MAJOR) == ()


def test_the_listed_exit_codes_decide_what_ends_well() -> None:
    assert from_exit_code("lint", 4, "warnings\n", Severity.MAJOR, ok=(0, 4)) == ()
    (finding,) = from_exit_code("lint", 0, "", Severity.MAJOR, ok=(4,))
    assert finding.message == "exit code 0"


@pytest.mark.parametrize(
    ("output", "message", "evidence"),
    [
        ("", "exit code 2", ""),
        ("\n \n", "exit code 2", ""),
        ("first\nlast\n\n", "exit code 2: last", "first\nlast"),
        ("x" * 400, "exit code 2: " + "x" * 300, "x" * 400),
        ("\n".join(map(str, range(30))), "exit code 2: 29", "\n".join(map(str, range(10, 30)))),
        ("caf\ufffd\r\nCRLF\r\n", "exit code 2: CRLF", "caf\ufffd\nCRLF"),
    ],
    ids=["silent", "blank lines", "last line", "long line", "many lines", "CRLF and broken letters"],
)
def test_a_failing_command_is_one_finding_with_the_end_of_its_output(output: str, message: str, evidence: str) -> None:
    (finding,) = from_exit_code("lint", 2, output, Severity.WARNING)
    assert shape(finding) == ("warning", None, None, None, "command-failed", message)
    assert (finding.evidence, finding.reviewer, finding.category) == (evidence, "lint", "command")


@pytest.mark.parametrize("exit_code", [0, 1])
def test_each_line_the_pattern_matches_is_a_finding_whatever_the_exit_code(exit_code: int) -> None:
    output = "checking\na.py:1:2: error: bad name [naming]\nb.py:30:4: note: see above\nDone.\n"
    findings = from_pattern("lint", LINT, exit_code, output, Severity.MAJOR)
    assert [shape(finding) for finding in findings] == [
        ("major", "a.py", 1, 2, "naming", "bad name"),
        ("info", "b.py", 30, 4, "lint", "see above"),
    ]
    assert findings[0].evidence == "a.py:1:2: error: bad name [naming]"


def test_a_failing_command_without_a_matching_line_is_still_a_finding() -> None:
    (finding,) = from_pattern("lint", LINT, 3, "internal error\n", Severity.CRITICAL)
    assert shape(finding) == ("critical", None, None, None, "command-failed", "exit code 3: internal error")
    assert from_pattern("lint", LINT, 0, "all is well\n", Severity.CRITICAL) == ()


MILD = "a.py:1:2: warning: odd name [naming]\n"


def test_a_mild_finding_does_not_hide_that_the_command_crashed_after_it() -> None:
    found, failed = from_pattern("lint", LINT, 3, f"{MILD}internal error\n", Severity.MAJOR)
    assert shape(found) == ("warning", "a.py", 1, 2, "naming", "odd name")
    assert shape(failed) == ("major", None, None, None, "command-failed", "exit code 3: internal error")
    found, failed = from_sarif("scan", 3, sarif_log(result(level="warning")), Severity.MAJOR)
    assert shape(found) == ("warning", "src/app.py", 3, 5, "no-eval", "eval runs input")
    message = "exit code 3, and its SARIF reports nothing that blocks"
    assert shape(failed) == ("major", None, None, None, "command-failed", message)


def test_with_a_listed_exit_code_the_findings_alone_decide() -> None:
    assert [one.rule for one in from_pattern("lint", LINT, 4, MILD, Severity.MAJOR, ok=(0, 4))] == ["naming"]
    log = sarif_log(result(level="note"))
    assert [one.rule for one in from_sarif("scan", 4, log, Severity.MAJOR, ok=(0, 4))] == ["no-eval"]
    assert from_sarif("scan", 4, sarif_log(), Severity.MAJOR, ok=(0, 4)) == ()


@pytest.mark.parametrize(
    ("pattern", "line", "expected"),
    [
        (r"(?P<message>TODO.*)", "x = 1  # TODO later", ("major", None, None, None, "lint", "TODO later")),
        (r"BAD (?P<file>\S+)", "  BAD app.py  ", ("major", "app.py", None, None, "lint", "BAD app.py")),
        (r"(?P<file>\w+)(:(?P<line>\d+))?", "app", ("major", "app", None, None, "lint", "app")),
        (r"(?P<file>\w+):(?P<line>\w+)", "app:0", ("major", "app", None, None, "lint", "app:0")),
        (r"(?P<file>\w+):(?P<line>\w+)", "app:many", ("major", "app", None, None, "lint", "app:many")),
        (r"(?P<file>\w+):(?P<line>\d+)", f"app:{9**30}", ("major", "app", None, None, "lint", f"app:{9**30}")),
        (r"(?P<severity>\w+)!(?P<message>.*)", "WARN!x", ("warning", None, None, None, "lint", "x")),
        (r"(?P<severity>\w+)!(?P<message>.*)", "odd!x", ("major", None, None, None, "lint", "x")),
    ],
    ids=["message", "only a file", "no line", "line 0", "line many", "line beyond", "WARN", "unknown severity"],
)
def test_the_groups_of_a_pattern_fill_a_finding(pattern: str, line: str, expected: tuple[object, ...]) -> None:
    (finding,) = from_pattern("lint", pattern, 0, line, Severity.MAJOR)
    assert shape(finding) == expected


def test_a_pattern_that_is_slow_on_each_of_many_lines_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line takes long; together they would take minutes."""
    monkeypatch.setattr(command_output, "PATTERN_SECONDS", 0.05)
    with pytest.raises(UnusableOutputError, match=r"^its pattern took more than 0\.05 seconds on this output$"):
        from_pattern("lint", r"(?P<message>(?:a|aa)+$)", 0, ("a" * 22 + "!\n") * 1_000, Severity.MAJOR)


def test_an_endless_line_is_matched_only_at_its_start() -> None:
    (finding,) = from_pattern("lint", r"(?P<message>x+)", 0, "x" * 1_000_000, Severity.MAJOR)
    assert len(finding.message) == 2_000


WORDS = {severity.value: severity for severity in Severity} | FOREIGN_SEVERITY


@pytest.mark.parametrize(("word", "severity"), WORDS.items(), ids=WORDS.keys())
def test_every_scale_is_mapped_whatever_its_capitals(word: str, severity: Severity) -> None:
    for spelling in (word, word.upper(), f" {word.title()} "):
        assert severity_from(spelling, Severity.CRITICAL) is severity


@pytest.mark.parametrize("word", ["", "errors", "0", "higher", "none of it"])
def test_an_unknown_word_keeps_the_configured_severity(word: str) -> None:
    assert severity_from(word, Severity.WARNING) is Severity.WARNING


def test_results_of_a_sarif_log_are_findings() -> None:
    log = sarif_log(result(), result(level="note", ruleId=None, locations=[]))
    findings = from_sarif("scan", 1, log, Severity.WARNING)
    assert [shape(finding) for finding in findings] == [
        ("major", "src/app.py", 3, 5, "no-eval", "eval runs input"),
        ("info", None, None, None, "scan", "eval runs input"),
    ]


SARIF_SEVERITIES: dict[str, tuple[dict[str, object], str]] = {
    "error": ({"level": "error"}, "major"),
    "warning": ({"level": "warning"}, "warning"),
    "note": ({"level": "note"}, "info"),
    "no level: as configured": ({"level": None}, "critical"),
}


@pytest.mark.parametrize(("changes", "severity"), SARIF_SEVERITIES.values(), ids=SARIF_SEVERITIES.keys())
def test_the_level_of_a_sarif_result_is_its_severity(changes: dict[str, object], severity: str) -> None:
    (finding,) = from_sarif("scan", 0, sarif_log(result(**changes)), Severity.CRITICAL)
    assert finding.severity.value == severity


@pytest.mark.parametrize("kind", ["pass", "notApplicable", "informational"])
def test_a_sarif_result_that_reports_no_failure_does_not_block(kind: str) -> None:
    """SARIF 2.1.0, 3.27.10: a result of any kind but `fail` has the level `none`."""
    findings = from_sarif("scan", 0, sarif_log(result(kind=kind, level=None)), Severity.MAJOR)
    assert verdict_of(finding.severity for finding in findings).is_passing


HALF_RESULTS: dict[str, tuple[dict[str, object], tuple[object, ...]]] = {
    "no message": ({"message": None}, ("major", "src/app.py", 3, 5, "no-eval", "no message")),
    "no place": ({"locations": None}, ("major", None, None, None, "no-eval", "eval runs input")),
    "an escaped path": (
        {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b%C3%BC.py"}}}]},
        ("major", "a bü.py", None, None, "no-eval", "eval runs input"),
    ),
    "line 0": (
        {"locations": [{"physicalLocation": {"region": {"startLine": 0, "startColumn": -1}}}]},
        ("major", None, None, None, "no-eval", "eval runs input"),
    ),
}


@pytest.mark.parametrize(("changes", "expected"), HALF_RESULTS.values(), ids=HALF_RESULTS.keys())
def test_a_half_filled_sarif_result_is_kept(changes: dict[str, object], expected: tuple[object, ...]) -> None:
    (finding,) = from_sarif("scan", 0, sarif_log(result(**changes)), Severity.MAJOR)
    assert shape(finding) == expected


def test_an_empty_sarif_log_speaks_only_for_a_command_that_ended_well() -> None:
    for log in (sarif_log(), '{"runs": [{}]}', '{"runs": [{"results": null}]}'):
        assert from_sarif("scan", 0, log, Severity.MAJOR) == ()
        (finding,) = from_sarif("scan", 1, log, Severity.MAJOR)
        assert finding.message == "exit code 1, and its SARIF reports nothing"


def ended(*invocations: object, results: object = ()) -> str:
    run = {"tool": {"driver": {"name": "Scanner"}}, "invocations": list(invocations), "results": results}
    return json.dumps({"runs": [{"results": []}, run]})


@pytest.mark.parametrize("word", [False, "false"])
def test_a_sarif_run_that_was_not_successful_is_no_vote(word: object) -> None:
    log = ended({"executionSuccessful": True}, {"executionSuccessful": word}, results=[result(level="warning")])
    with pytest.raises(UnusableOutputError) as refused:
        from_sarif("scan", 1, log, Severity.MAJOR, ok=(0, 1))
    assert str(refused.value) == "its SARIF says that Scanner was not successful (executionSuccessful: false)"


def test_what_an_unsuccessful_sarif_run_found_still_blocks() -> None:
    (finding,) = from_sarif("scan", 1, ended({"executionSuccessful": False}, results=[result()]), Severity.MAJOR)
    assert finding.rule == "no-eval"


def test_a_sarif_run_is_successful_when_it_says_so_or_claims_nothing() -> None:
    for log in (ended({"executionSuccessful": True}), ended({}), ended(), '{"runs": [{"invocations": null}]}'):
        assert from_sarif("scan", 0, log, Severity.MAJOR) == ()


NOT_SARIF = {
    "invocations that are a number": '{"runs": [{"invocations": 7}]}',
    "nothing": "",
    "prose": "no problems found",
    "an object without runs": "{}",
    "runs that are a text": '{"runs": "none"}',
    "a run that is a text": '{"runs": ["none"]}',
    "results that are a number": '{"runs": [{"results": 7}]}',
    "a result that is a text": '{"runs": [{"results": ["bad"]}]}',
    "two logs": sarif_log() + sarif_log(),
    "a million open lists": "[" * 1_000_000,
}


@pytest.mark.parametrize("text", NOT_SARIF.values(), ids=NOT_SARIF.keys())
def test_output_that_is_not_sarif_is_no_vote(text: str) -> None:
    for exit_code in (0, 1):
        with pytest.raises(UnusableOutputError, match=r"^its output is not SARIF: "):
            from_sarif("scan", exit_code, text, Severity.MAJOR)


def test_a_sarif_log_cut_anywhere_is_no_vote() -> None:
    log = sarif_log(result())
    for length in range(len(log)):
        with pytest.raises(UnusableOutputError):
            from_sarif("scan", 0, log[:length], Severity.MAJOR)


KEYS = "results message text locations physicalLocation region startLine level artifactLocation uri snippet ruleId"
jsonish = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=4),
    max_leaves=20,
)


@given(jsonish)
@settings(max_examples=300, deadline=None)
def test_any_document_is_findings_or_no_vote_and_never_a_crash(document: Any) -> None:
    try:
        findings = from_sarif("scan", 0, json.dumps({"runs": [{"results": [document]}]}), Severity.MAJOR)
    except UnusableOutputError:
        return
    assert len(findings) == 1


def test_the_fingerprint_follows_the_quoted_code_and_not_the_line() -> None:
    moved = {"physicalLocation": {"artifactLocation": {"uri": "src/app.py"}, "region": {"startLine": 99}}}
    log = sarif_log(result(), result(locations=[moved]), result(ruleId="other"))
    first, second, third = from_sarif("scan", 0, log, Severity.MAJOR)
    assert first.fingerprint == second.fingerprint
    assert first.fingerprint != third.fingerprint
    assert first.id == f"scan-{first.fingerprint[:8]}"
