"""What a scan found, as JUnit XML: a case for each check that found something, and for each thing not looked at."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from review_gate.checks.alarm import Alarm, ScanResult, worst_first
from review_gate.models import Severity, verdict_of
from review_gate.render.junit_parts import add_counts, add_output, document_text, joined, new_case, problem_text
from review_gate.render.scan_text import count_line
from review_gate.safe_text import safe


def scan_junit(result: ScanResult) -> str:
    """The scan as one XML document; a check that found only warnings has passed, and shows them."""
    root = Element("testsuites", name="review-gate scan")
    suite = SubElement(root, "testsuite", name="review-gate scan")
    suite.extend([*_check_cases(result), *map(_failed_case, result.failures)])
    if not len(suite):
        # Readers take a suite without a case for a broken run.
        suite.append(new_case("scan", "every check", 0.0))
    add_counts(suite, 0.0)
    add_output(suite, count_line(result), *result.notes)
    add_counts(root, 0.0)
    return document_text(root)


def _check_cases(result: ScanResult) -> list[Element]:
    by_rule: dict[str, list[Alarm]] = {}
    for alarm in worst_first(result.alarms):
        by_rule.setdefault(alarm.rule, []).append(alarm)
    return [_check_case(rule, alarms, fails=result.fails(alarms[0])) for rule, alarms in by_rule.items()]


def _check_case(rule: str, alarms: list[Alarm], *, fails: bool) -> Element:
    """The case of one check, given its alarms worst first."""
    case = new_case("scan", rule, 0.0)
    text = "\n".join(map(_alarm_text, alarms))
    if fails:
        verdict = verdict_of(Severity(alarm.severity) for alarm in alarms)
        failure = SubElement(case, "failure", message=safe(alarms[0].message), type=verdict.value)
        failure.text = joined(text)
    else:
        add_output(case, text)
    return case


def _failed_case(failure: str) -> Element:
    case = new_case("scan", failure, 0.0)
    SubElement(case, "error", message=safe(f"could not look at {failure}"), type="could_not_run")
    return case


def _alarm_text(alarm: Alarm) -> str:
    return problem_text(
        alarm.severity,
        (alarm.file, alarm.line, alarm.column),
        alarm.message,
        alarm.rule,
        advice=f"fix: {alarm.fix}" if alarm.fix is not None else "",
        evidence=alarm.evidence,
    )
