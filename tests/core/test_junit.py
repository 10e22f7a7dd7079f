"""JUnit XML: one suite for a loop, one case for a reviewer."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from builders import COMMIT, finding, loop_result, reviewer_result, run_report
from reporting import MIXED

from review_gate.loops.report import LoopResult
from review_gate.loops.run import judge_loop
from review_gate.render.junit import junit


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
