"""The output formats of a scan: golden files over one rich and one empty result, and what holds for any result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from alarming import alarms, hits, rule
from conftest import GOLDEN
from hypothesis import given
from hypothesis import strategies as st
from sarif_shape import assert_log_is_valid
from scan_results import FORMATS, empty, rich

from review_gate import __version__
from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.render.json_pieces import document_pieces
from review_gate.render.scan_github import scan_github
from review_gate.render.scan_json import scan_json
from review_gate.render.scan_junit import scan_junit
from review_gate.render.scan_sarif import scan_sarif
from review_gate.render.scan_text import scan_text

Compare = Callable[[str, str], None]


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


@pytest.mark.parametrize("render", [scan_json, scan_sarif])
def test_the_long_formats_come_finding_by_finding(render: Callable[[ScanResult], Iterator[str]]) -> None:
    result = rich()
    result.alarms *= 100
    pieces = list(render(result))
    assert len(pieces) > len(result.alarms)
    assert max(map(len, pieces)) < 10_000


DOCUMENTS: dict[str, list[object]] = {
    "nothing": [],
    "one": [{"a": [1, {}], "b": []}],
    "several": [{}, [], [[1], 2], None, {"results": []}],
    "what looks like the document": ['"results": []', {"x": '\n      "results": [\n'}],
}


@pytest.mark.parametrize("items", DOCUMENTS.values(), ids=DOCUMENTS)
def test_the_pieces_of_a_document_are_the_document(items: list[object]) -> None:
    before, after = {"name": '"results": []'}, {"end": [1]}
    pieces = document_pieces({"runs": [before | {"results": []} | after]}, "results", items, depth=3)
    assert "".join(pieces) == json.dumps({"runs": [before | {"results": items} | after]}, indent=2) + "\n"


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
    written = "".join(scan_json(hostile(text)))
    assert written.isascii()
    for finding in json.loads(written)["findings"]:
        assert json.dumps(finding, ensure_ascii=False).encode()


@given(ANY_TEXT)
def test_no_text_breaks_sarif(text: str) -> None:
    written = "".join(scan_sarif(hostile(text)))
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
    assert json.loads("".join(scan_json(result)))["summary"]["passed"] is passed
    assert json.loads("".join(scan_sarif(result)))["runs"][0]["properties"]["passed"] is passed
    assert scan_github(result).split("\n")[1].startswith("::notice" if passed else "::error")
    assert ("<failure" in scan_junit(result)) is not passed


def test_formats_agree_on_the_findings() -> None:
    result = rich()
    findings = json.loads("".join(scan_json(result)))["findings"]
    log = json.loads("".join(scan_sarif(result)))["runs"][0]["results"]
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
