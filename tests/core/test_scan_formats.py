"""The output formats of a scan: golden files over one rich and one empty result, and what holds for any result."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from alarming import alarms, rule
from hypothesis import given
from hypothesis import strategies as st
from sarif_shape import assert_log_is_valid
from scan_results import FORMATS, empty, rich

from review_gate import __version__
from review_gate.checks.alarm import Alarm, ScanResult
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


# JUnit and GitHub


def test_github_properties_are_escaped() -> None:
    result = ScanResult()
    result.alarms = [Alarm("r,x=1:", "info", "50% :: a\nb", file="a b,c:d%.py", line=2, column=3)]
    first = scan_github(result).split("\n")[0]
    assert first == "::notice file=a b%2Cc%3Ad%25.py,line=2,col=3,title=r%2Cx=1%3A::50%25 :: a%0Ab"
    assert unquote(first.rpartition("::50")[0]).startswith("::notice file=a b,c:d%.py,line=2")
