"""JUnit XML: one suite for a loop, one case for a reviewer."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from builders import finding, loop_result, reviewer_result, run_report

from review_gate.loops.report import LoopResult
from review_gate.loops.run import judge_loop
from review_gate.render.junit import junit


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
