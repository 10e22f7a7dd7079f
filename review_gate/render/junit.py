"""A run as JUnit XML: a suite for each loop, a case for each reviewer."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from review_gate.gate.record import NOT_RUN, NOTHING_TO_RUN
from review_gate.loops.report import TITLES, LoopResult, ReviewerResult, RunReport
from review_gate.models import Finding, verdict_of, worst_first
from review_gate.ports import COULD_NOT_RUN, REVIEWER_PASSED
from review_gate.render.junit_parts import add_counts, add_output, document_text, joined, new_case, problem_text
from review_gate.render.report_words import named
from review_gate.safe_text import safe


def junit(report: RunReport) -> str:
    """The run as one XML document."""
    root = Element("testsuites", name=f"review-gate {report.subject.name}")
    root.extend([_suite(loop) for loop in report.loops])
    add_counts(root, sum(reviewer.seconds for loop in report.loops for reviewer in loop.reviewers))
    return document_text(root)


def _suite(loop: LoopResult) -> Element:
    suite = Element("testsuite", name=f"loop {loop.number}: {TITLES[loop.number]}")
    suite.extend([_case(loop, reviewer) for reviewer in loop.reviewers] or [_empty_case(loop)])
    add_counts(suite, sum(reviewer.seconds for reviewer in loop.reviewers))
    kept = "kept from an earlier run of the same content" if loop.is_kept else ""
    add_output(suite, kept, loop.note if loop.reviewers else "")
    return suite


def _empty_case(loop: LoopResult) -> Element:
    """The one case of a loop in which nobody ran: skipped, but never when the loop says it came to a bad end."""
    case = new_case(f"loop{loop.number}", TITLES[loop.number], 0.0)
    is_skipped = loop.status in (NOT_RUN, NOTHING_TO_RUN)
    words = loop.status.replace("_", " ")
    SubElement(case, "skipped" if is_skipped else "error", message=safe(loop.note or words))
    return case


def _case(loop: LoopResult, reviewer: ReviewerResult) -> Element:
    case = new_case(f"loop{loop.number}", named(reviewer), reviewer.seconds)
    findings = worst_first(reviewer.findings)
    text = "\n".join(_finding_text(finding) for finding in findings)
    if reviewer.status == COULD_NOT_RUN:
        weight = "" if reviewer.is_required else "this reviewer is optional: the loop can pass without it"
        error = SubElement(case, "error", message=safe(reviewer.detail), type=COULD_NOT_RUN)
        error.text = joined(weight, text)
    elif reviewer.status == REVIEWER_PASSED:
        add_output(case, reviewer.detail, text)
    else:
        message = findings[0].message if findings else "failed, and its findings were not kept"
        verdict = verdict_of(finding.severity for finding in findings)
        failure = SubElement(case, "failure", message=safe(message), type=verdict.value if findings else "failed")
        failure.text = joined(reviewer.detail, text)
    return case


def _finding_text(finding: Finding) -> str:
    return problem_text(
        finding.severity.value,
        (finding.file, finding.line, finding.column),
        finding.message,
        finding.rule,
        advice=f"next: {finding.recommendation}" if finding.recommendation else "",
        evidence=finding.evidence,
    )
