"""No text from a reviewed repository breaks SARIF, JUnit XML or GitHub workflow commands."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from builders import NO, finding, reviewer_result, run_report
from hypothesis import given, settings
from hypothesis import strategies as st
from reporting import github_lines
from sarif_shape import assert_log_is_valid

from review_gate.loops.report import RunReport, not_run
from review_gate.loops.run import judge_loop
from review_gate.render.github import github
from review_gate.render.junit import junit
from review_gate.render.sarif import sarif

HOSTILE = {
    "a new command on a new line": "a\n::error::b",
    "a new command after a carriage return": "a\r::error::b",
    "a command after a line separator": "a\u2028::error::b\x85::error::c",
    "an old-style command": "x ##[add-path]/tmp/evil ###[set-env name=A]b",
    "percent escapes": "100% %0A %25 %3A",
    "the end of a CDATA section": "a]]>b<![CDATA[c",
    "markup": "</failure><testcase name='x'/>&amp;&#0;",
    "control characters": "a\x00b\x07c\x1b[31md\x7f",
    "lone surrogates": "a\ud800b\udcffc",
    "hidden and bidi characters": "a\u202eb\u200bc\ufeffd",
    "characters that are none": "a\ufffeb\uffffc",
    "a link": "see [here](https://evil.example) or [there](0)",
    "nothing but space": " \t\n ",
}
with_hostile_texts = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


def hostile_report(text: str) -> RunReport:
    """A run in which every text that can come from outside is `text`."""
    bad = finding(rule=text, category=text, message=text, file=text, evidence=text, recommendation=text, reviewer=text)
    reviewers = (
        reviewer_result(id=text, status="failed", detail=text, findings=(bad,)),
        reviewer_result(id=text, status="could_not_run", detail=text),
    )
    return run_report(loops=(judge_loop(1, reviewers, note=text), *(not_run(number, text) for number in (2, 3, 4))))


def assert_visible(value: Any) -> None:
    """No text of the document holds a character that a viewer would obey or hide."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            assert_visible(item)
    if isinstance(value, str):
        assert value.replace("\n", "").replace("\t", "").isprintable()


def runner_reads(line: str) -> tuple[str, dict[str, str], str]:
    """A command as a GitHub runner takes it apart: name, properties, message."""
    assert line.startswith("::")
    info, message = line[2:].split("::", 1)
    name, properties = info.split(" ", 1)
    pairs = (pair.split("=", 1) for pair in properties.split(","))
    return name, {key: unquote(value) for key, value in pairs}, unquote(message)


@with_hostile_texts
def test_sarif_of_hostile_content_is_valid_ascii_json_without_hidden_characters(text: str) -> None:
    written = sarif(hostile_report(text), NO)
    assert written.isascii()
    assert_log_is_valid(json.loads(written))
    assert_visible(json.loads(written))


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


@with_hostile_texts
def test_github_of_hostile_content_has_one_command_for_each_thing_to_say(text: str) -> None:
    read = [runner_reads(line) for line in github_lines(hostile_report(text))]
    assert [(name, list(properties)) for name, properties, _ in read] == [
        ("error", ["file", "line", "title"]),
        ("error", ["title"]),
        ("error", ["title"]),
    ]
    assert_visible([[*properties.values(), message] for _, properties, message in read])


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1))
def test_no_text_breaks_any_format(text: str) -> None:
    report = hostile_report(text)
    lines = github(report, NO).splitlines()
    assert len(lines) == 3
    assert not any("##[" in line for line in lines)
    assert [runner_reads(line)[0] for line in lines] == ["error", "error", "error"]
    assert_log_is_valid(json.loads(sarif(report, NO)))
    assert len(ElementTree.fromstring(junit(report)).findall("testsuite/testcase")) == 5
