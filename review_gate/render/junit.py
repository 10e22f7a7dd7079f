"""A run as JUnit XML: a suite for each loop, a case for each reviewer."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from review_gate.gate.record import NOT_RUN, NOTHING_TO_RUN
from review_gate.loops.report import TITLES, LoopResult, ReviewerResult, RunReport
from review_gate.models import Finding, verdict_of, worst_first
from review_gate.ports import COULD_NOT_RUN, REVIEWER_PASSED
from review_gate.safe_text import safe, safe_line

COUNTED = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def junit(report: RunReport) -> str:
    """The run as one XML document, in ASCII so that it survives any terminal, pipe or file."""
    root = Element("testsuites", name=f"review-gate {report.subject.name}")
    root.extend([_suite(loop) for loop in report.loops])
    _add_counts(root, (reviewer for loop in report.loops for reviewer in loop.reviewers))
    indent(root)
    # Asked for text, Python 3.11 declares the encoding of the locale, which need not be that of the reader.
    document: bytes = tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii") + "\n"


def _suite(loop: LoopResult) -> Element:
    suite = Element("testsuite", name=f"loop {loop.number}: {TITLES[loop.number]}")
    suite.extend([_case(loop, reviewer) for reviewer in loop.reviewers] or [_empty_case(loop)])
    _add_counts(suite, loop.reviewers)
    kept = "kept from an earlier run of the same content" if loop.is_kept else ""
    _add_output(suite, kept, loop.note if loop.reviewers else "")
    return suite


def _add_counts(element: Element, reviewers: Iterable[ReviewerResult]) -> None:
    element.set("tests", str(_count(element, "testcase")))
    for attribute, tag in COUNTED:
        element.set(attribute, str(_count(element, tag)))
    element.set("time", f"{sum(reviewer.seconds for reviewer in reviewers):.3f}")


def _count(element: Element, tag: str) -> int:
    return sum(1 for _ in element.iter(tag))


def _new_case(loop: LoopResult, name: str, seconds: float) -> Element:
    return Element("testcase", classname=f"review-gate.loop{loop.number}", name=safe_line(name), time=f"{seconds:.3f}")


def _empty_case(loop: LoopResult) -> Element:
    """The one case of a loop in which nobody ran: skipped, but never when the loop says it came to a bad end."""
    case = _new_case(loop, TITLES[loop.number], 0.0)
    is_skipped = loop.status in (NOT_RUN, NOTHING_TO_RUN)
    words = loop.status.replace("_", " ")
    SubElement(case, "skipped" if is_skipped else "error", message=safe(loop.note or words))
    return case


def _case(loop: LoopResult, reviewer: ReviewerResult) -> Element:
    case = _new_case(loop, reviewer.id, reviewer.seconds)
    findings = worst_first(reviewer.findings)
    text = "\n".join(_finding_text(finding) for finding in findings)
    if reviewer.status == COULD_NOT_RUN:
        weight = "" if reviewer.is_required else "this reviewer is optional: the loop can pass without it"
        error = SubElement(case, "error", message=safe(reviewer.detail), type=COULD_NOT_RUN)
        error.text = _joined(weight, text)
    elif reviewer.status == REVIEWER_PASSED:
        _add_output(case, reviewer.detail, text)
    else:
        message = findings[0].message if findings else "failed, and its findings were not kept"
        verdict = verdict_of(finding.severity for finding in findings)
        failure = SubElement(case, "failure", message=safe(message), type=verdict.value if findings else "failed")
        failure.text = _joined(reviewer.detail, text)
    return case


def _finding_text(finding: Finding) -> str:
    """One finding with its evidence: for a failed command that is the end of what it printed."""
    place = ":".join(str(part) for part in (finding.file, finding.line, finding.column) if part)
    lines = [f"{finding.severity.value}: {f'{place}: ' if place else ''}{finding.message} [{finding.rule}]"]
    if finding.recommendation:
        lines.append(f"  next: {finding.recommendation}")
    lines += [f"    {line}" for line in finding.evidence.splitlines()]
    return "\n".join(lines)


def _add_output(element: Element, *texts: str) -> None:
    text = _joined(*texts)
    if text:
        SubElement(element, "system-out").text = text


def _joined(*texts: str) -> str | None:
    """The texts that are there; `safe` leaves no character that XML 1.0 forbids, whatever a finding holds."""
    return safe("\n".join(text for text in texts if text)) or None
