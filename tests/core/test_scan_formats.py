"""The output formats of a scan: golden files over one rich and one empty result, and what holds for any result."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from alarming import alarms, hits, rule
from conftest import GOLDEN
from hypothesis import given
from hypothesis import strategies as st
from sarif_shape import assert_log_is_valid

from review_gate import __version__
from review_gate.checks.alarm import Alarm, ScanResult, alarm_of
from review_gate.checks.baseline import baseline_of
from review_gate.checks.rule import Hit
from review_gate.checks.suppress import apply_suppressions, suppressions_in
from review_gate.render.scan_github import scan_github
from review_gate.render.scan_json import scan_json
from review_gate.render.scan_junit import scan_junit
from review_gate.render.scan_sarif import scan_sarif
from review_gate.render.scan_text import scan_text

Compare = Callable[[str, str], None]
FORMATS: dict[str, Callable[[ScanResult], str]] = {
    "txt": scan_text,
    "json": scan_json,
    "sarif": scan_sarif,
    "xml": scan_junit,
    "github": scan_github,
}

CODE = """\
import os
\tresult = eval(größe)  # 漢字 eval(名前)
api_key = "sk-1234567890abcdef"; print(api_key)
x = 1  # review-gate: ignore[no-eval] nothing is here
y = 2  # review-gate: ignore
"""
NO_EVAL = rule(
    "no-eval",
    "eval(",
    severity="critical",
    category="security",
    reason="eval runs whatever its input says",
    fix=("replace", "literal_eval("),
    docs="https://docs.python.org/3/library/ast.html#ast.literal_eval",
)
SECRET = rule("api-key", "sk-1234567890abcdef", severity="critical", category="secrets", reason="a key of production")
NO_PRINT = rule(
    "no-print", "print", severity="warning", reason="", fix=("remove_sentence", ""), reject_if_persists=True
)
WEASEL = rule("weasel", "simply", severity="info", category="prose", docs="Strunk, rule 13", source="CLAUDE.md", line=0)
MANY_LINES = rule("empty-except", "except:\n    pass", match_rule="regex", fix=("replace", r"\1"), source="", line=0)


def code_alarms() -> list[Alarm]:
    """Alarms for the code, and for its suppressions."""
    found = alarms(CODE, NO_EVAL, SECRET, NO_PRINT)
    known = (NO_EVAL.id, SECRET.id, NO_PRINT.id)
    return apply_suppressions(found, suppressions_in(CODE, "python"), file="src/app.py", known_ids=known)[0]


def hidden_alarm() -> Alarm:
    """A word that is there only when an unseen character is seen through."""
    line = "It is si\u200bmply done."
    hit = Hit(WEASEL, line=7, column=7, start=100, end=107, text="si\u200bmply", is_hidden=True)
    return alarm_of(hit, "docs/guide.md", line)


def rich() -> ScanResult:
    """A scan that found something of every kind, out of order."""
    result = ScanResult()
    result.alarms = [
        *alarms("try: a()\nexcept:\n    pass\n", MANY_LINES, file="a b\n::error::c%,\u202e.py"),
        hidden_alarm(),
        *code_alarms(),
        *alarms("simply \x1b[31m\x00 & <b>]]>", WEASEL, file="bytes-\udcff.txt"),
    ]
    result.failures = ["big.bin: larger than 100 MB", "evil\x1b]0;name\x07: no-eval took longer than 2 s\n::error::x"]
    result.notes = ["3 binary files were left out", "see [here](https://evil.example) \u202e"]
    result.files, result.checks, result.suppressed, result.baselined, result.stale = 12, 54, 1, 4, 1
    return result


def empty() -> ScanResult:
    """A scan that found nothing."""
    result = ScanResult()
    result.files, result.checks = 1, 1
    return result


def without_version(text: str) -> str:
    return text.replace(f'"version": "{__version__}"', '"version": "VERSION"')


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("make", [rich, empty])
def test_each_format_is_as_the_golden_file_has_it(format: str, make: Callable[[], ScanResult], golden: Compare) -> None:
    golden(f"scan/{make.__name__}.{format}", without_version(FORMATS[format](make())))


def test_there_is_no_golden_file_without_a_test() -> None:
    expected = {f"{name}.{format}" for name in ("rich", "empty") for format in FORMATS}
    assert {path.name for path in (GOLDEN / "scan").iterdir()} == expected


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_depends_on_the_order_of_the_alarms(format: str) -> None:
    result, turned = rich(), rich()
    turned.alarms.reverse()
    assert FORMATS[format](result) == FORMATS[format](turned)


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_shows_a_secret(format: str) -> None:
    assert "4567890" not in FORMATS[format](rich())


# Whatever is in them


def hostile(text: str) -> ScanResult:
    """A scan in which every text that can come from outside is `text`."""
    own = rule(text, text or "x", reason=text, docs=text, source=text, fix=("replace", text))
    result = ScanResult()
    result.alarms = [
        *alarms(text, own, file=text),
        Alarm(text, "major", text, file=text, line=1, match=text, evidence=text, mark=(0, len(text)), fix=text),
    ]
    result.failures, result.notes = [text], [text]
    return result


ANY_TEXT = st.text(alphabet=st.characters() | st.sampled_from("\ud800\udcff\x00\x1b\r\n\t%:,]>[(\u202e\u200b\ufffe#"))


def assert_no_hidden_character(text: str) -> None:
    assert text.replace("\n", "").isprintable()


@given(ANY_TEXT)
def test_no_text_breaks_the_text_for_terminals(text: str) -> None:
    assert_no_hidden_character(scan_text(hostile(text)))


@given(ANY_TEXT)
def test_no_text_breaks_json(text: str) -> None:
    written = scan_json(hostile(text))
    assert written.isascii()
    for finding in json.loads(written)["findings"]:
        assert json.dumps(finding, ensure_ascii=False).encode()


@given(ANY_TEXT)
def test_no_text_breaks_sarif(text: str) -> None:
    written = scan_sarif(hostile(text))
    assert written.isascii()
    assert_log_is_valid(json.loads(written))


@given(ANY_TEXT)
def test_no_text_breaks_junit(text: str) -> None:
    written = scan_junit(hostile(text))
    assert written.isascii()
    root = ElementTree.fromstring(written)
    assert len(root.findall("testsuite/testcase/failure")) == 1
    assert len(root.findall("testsuite/testcase/error")) == 1


@given(ANY_TEXT)
def test_no_text_breaks_github_commands(text: str) -> None:
    result = hostile(text)
    lines = scan_github(result).removesuffix("\n").split("\n")
    assert len(lines) == len(result.alarms) + 3
    for line in lines:
        assert line.startswith(("::error ", "::notice "))
        assert_no_hidden_character(line.replace("\t", ""))


# Text


def one_line(line: str, pattern: str = "eval(") -> list[str]:
    result = ScanResult()
    result.alarms = alarms(line, rule(pattern=pattern))
    return scan_text(result).split("\n")[1:3]


CARETS = {
    "plain": ("x = eval(y)", ["    x = eval(y)", "        ^^^^^"]),
    "indented": ("\t\tx = eval(y)", ["    x = eval(y)", "        ^^^^^"]),
    "tab before": ("x =\teval(y)", ["    x =    eval(y)", "           ^^^^^"]),
    "wide before": ("漢字 eval(y)", ["    漢字 eval(y)", "         ^^^^^"]),
    "accent of its own before": ("e\u0301 eval(y)", ["    e\u0301 eval(y)", "      ^^^^^"]),
    "hidden before": ("\u200beval(y)", ["    <U+200B>eval(y)", "            ^^^^^"]),
}


@pytest.mark.parametrize(("line", "shown"), CARETS.values(), ids=CARETS.keys())
def test_the_mark_is_below_the_match(line: str, shown: list[str]) -> None:
    assert one_line(line) == shown


def test_the_mark_is_as_wide_as_a_wide_match() -> None:
    assert one_line("x = 名前", "名前") == ["    x = 名前", "        ^^^^"]


def test_an_empty_match_is_marked_too() -> None:
    result = ScanResult()
    result.alarms = [Alarm("r", "info", "m", file="f", line=1, evidence="abc", mark=(1, 1))]
    assert scan_text(result).split("\n")[:3] == ["f:1:1  info  r  m", "    abc", "     ^"]


def test_an_alarm_without_evidence_is_one_line() -> None:
    result = ScanResult()
    result.alarms = [Alarm("r", "major", "m", file="f", line=1)]
    assert scan_text(result) == (
        "f:1:1  major  r  m\n"
        "\n"
        "1 problem in 1 file (1 major); 0 files, 0 checks\n"
        "  next:  mend what is named above, then the same scan again\n"
    )


def test_the_worst_are_shown_when_there_are_too_many() -> None:
    result = ScanResult()
    result.alarms = [
        Alarm("mild", "info", "m", file="a", line=1),
        Alarm("bad", "critical", "m", file="b", line=1),
        Alarm("worse", "major", "m", file="a", line=9),
        Alarm("so-so", "warning", "m", file="a", line=2),
    ]
    assert scan_text(result, shown=2, next_step="git add -p") == (
        "a:9:1  major  worse  m\n"
        "\n"
        "b:1:1  critical  bad  m\n"
        "... and 2 more problems; --format json has them all\n"
        "\n"
        "4 problems in 2 files (1 critical, 1 major, 1 warning, 1 info); 0 files, 0 checks\n"
        "  next:  git add -p\n"
    )


@pytest.mark.parametrize("shown", [0, 2, 50])
def test_however_few_findings_are_shown_failures_and_notes_are(shown: int) -> None:
    result = ScanResult()
    result.failures, result.notes, result.not_fixed = ["x", "y", "z"], ["n", "m", "o"], ["a", "b", "c"]
    assert scan_text(result, shown=shown) == (
        "not fixed: a\n"
        "not fixed: b\n"
        "not fixed: c\n"
        "\n"
        "could not look at x\n"
        "could not look at y\n"
        "could not look at z\n"
        "note: n\n"
        "note: m\n"
        "note: o\n"
        "no problems; 0 files, 0 checks; 3 could not be looked at\n"
        "  next:  mend what is named above, then the same scan again\n"
    )


def test_of_very_many_failures_and_notes_fifty_are_shown_and_the_rest_is_counted() -> None:
    result = ScanResult()
    many = [str(number) for number in range(52)]
    result.failures, result.notes, result.not_fixed = many, many[:51], many
    text = scan_text(result, shown=0)
    assert "not fixed: 49\n... and 2 more not fixed\n" in text
    assert "could not look at 49\n... and could not look at 2 more\nnote: 0\n" in text
    assert "note: 49\n... and 1 more note\nno problems" in text
    assert "could not look at 51\nnote: 0\n" in scan_text(result, shown=100)


def test_the_next_step_explains_the_worst_unless_the_caller_knows_a_better_one() -> None:
    result = ScanResult()
    result.alarms = alarms("eval( 'sk-1234567890abcdef'", NO_EVAL, SECRET)
    worst = min(result.alarms, key=Alarm.rank).rule
    assert scan_text(result).endswith(f"  next:  review-gate checks explain {worst}\n")
    assert scan_text(result, next_step="review-gate scan --fix").endswith("  next:  review-gate scan --fix\n")


def test_there_is_no_next_step_when_nothing_was_found() -> None:
    assert scan_text(empty(), next_step="git commit") == "no problems; 1 file, 1 check\n"


def test_a_scan_that_could_not_look_at_something_has_not_passed() -> None:
    assert empty().has_passed
    result = empty()
    result.failures = ["big.bin: too large"]
    assert not result.has_passed
    assert scan_text(result) == (
        "could not look at big.bin: too large\n"
        "no problems; 1 file, 1 check; 1 could not be looked at\n"
        "  next:  mend what is named above, then the same scan again\n"
    )


@pytest.mark.parametrize(
    ("severity", "passed"), [("critical", False), ("major", False), ("warning", True), ("info", True)]
)
def test_every_format_knows_from_which_severity_on_a_scan_fails(severity: str, passed: bool) -> None:
    result = ScanResult()
    result.alarms = alarms("eval", rule(severity=severity))
    assert not result.has_passed
    result.fail_on = "major"
    assert result.has_passed is passed
    assert ("<failure" not in scan_junit(result)) is passed
    assert json.loads(scan_json(result))["summary"]["passed"] is passed
    assert json.loads(scan_sarif(result))["runs"][0]["properties"]["passed"] is passed
    assert scan_github(result).split("\n")[1].startswith("::notice" if passed else "::error")
    assert ("<failure" in scan_junit(result)) is not passed


# JSON and SARIF


def test_json_findings_have_exactly_these_fields() -> None:
    result = ScanResult()
    result.alarms = alarms("x = eval(y)", NO_EVAL)
    (finding,) = json.loads(scan_json(result))["findings"]
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
    run: dict[str, Any] = json.loads(scan_sarif(result))["runs"][0]
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
    (invocation,) = json.loads(scan_sarif(rich()))["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    (clean,) = json.loads(scan_sarif(empty()))["runs"][0]["invocations"]
    assert clean == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_sarif_of_rich_and_empty_results_is_valid() -> None:
    for result in (rich(), empty()):
        assert_log_is_valid(json.loads(scan_sarif(result)))


def test_formats_agree_on_the_findings() -> None:
    result = rich()
    findings = json.loads(scan_json(result))["findings"]
    log = json.loads(scan_sarif(result))["runs"][0]["results"]
    assert [one["rule"] for one in findings] == [one["ruleId"] for one in log]
    assert [one["fingerprint"] for one in findings] == [one["partialFingerprints"]["reviewGate/v1"] for one in log]
    assert len(scan_github(result).split("\n")) == len(findings) + 2 + 2 + 1 + 1


# JUnit and GitHub


def test_junit_of_a_clean_scan_has_one_case_that_passed() -> None:
    (case,) = ElementTree.fromstring(scan_junit(empty())).iter("testcase")
    assert (case.get("name"), list(case)) == ("every check", [])


def test_junit_has_one_case_for_each_check_worst_first() -> None:
    result = rich()
    result.fail_on = "major"
    cases = ElementTree.fromstring(scan_junit(result)).iter("testcase")
    ends = [(case.get("name"), [child.tag for child in case]) for case in cases]
    assert [name for name, _ in ends[:-2]] == [
        *("no-eval", "api-key", "empty-except", "suppression-malformed"),
        *("no-print", "suppression-unused", "weasel"),
    ]
    assert [tags for _, tags in ends] == [["failure"]] * 4 + [["system-out"]] * 3 + [["error"]] * 2


def test_github_properties_are_escaped() -> None:
    result = ScanResult()
    result.alarms = [Alarm("r,x=1:", "info", "50% :: a\nb", file="a b,c:d%.py", line=2, column=3)]
    first = scan_github(result).split("\n")[0]
    assert first == "::notice file=a b%2Cc%3Ad%25.py,line=2,col=3,title=r%2Cx=1%3A::50%25 :: a%0Ab"
    assert unquote(first.rpartition("::50")[0]).startswith("::notice file=a b,c:d%.py,line=2")


def test_the_hits_of_the_builder_are_where_they_say() -> None:
    text = "a\r\nb eval c\neval"
    assert [(hit.line, hit.column, text[hit.start : hit.end]) for hit in hits(text, rule())] == [
        (2, 3, "eval"),
        (3, 1, "eval"),
    ]


# The document on suppression


DOCUMENT = (GOLDEN.parents[1] / "docs/suppression.md").read_text(encoding="utf-8")


def block(language: str, number: int) -> str:
    """One of the document's code blocks."""
    return DOCUMENT.split(f"```{language}\n")[number].partition("```")[0]


def test_the_document_shows_what_a_scan_really_says_about_suppressions() -> None:
    check = rule("no-eval", "eval(", severity="critical", reason="eval runs whatever its input says")
    text = block("python", 3)
    result = ScanResult()
    result.files = result.checks = 1
    directives = suppressions_in(text, "python")
    result.alarms, _ = apply_suppressions(alarms(text, check), directives, file="src/app.py", known_ids=("no-eval",))
    assert scan_text(result) == block("text", 1)


@pytest.mark.parametrize("number", [1, 2])
def test_the_suppressions_of_the_document_work(number: int) -> None:
    text = block("python", number)
    rules = [check for check in (rule("no-eval", "eval("), rule("no-exec", "exec(")) if check.pattern in text]
    directives = suppressions_in(text, "python")
    kept, suppressed = apply_suppressions(
        alarms(text, *rules), directives, file="src/app.py", known_ids=("no-eval", "no-exec")
    )
    assert (kept, len(suppressed)) == ([], number)


def test_the_baseline_of_the_document_is_one() -> None:
    assert baseline_of(alarms("eval(y)\n", rule("no-eval", "eval("))).text() == block("json", 1)
