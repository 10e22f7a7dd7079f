"""What reviewers found in prompts that are kept in files: text, JSON, SARIF, JUnit and GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from review_gate.models import Finding, verdict_of
from review_gate.prompts.outcome import CheckedPrompt, PromptChecks
from review_gate.prompts.schema import Weight
from review_gate.render.github_command import COMMANDS, command
from review_gate.render.junit_parts import add_counts, add_output, document_text, joined, new_case, problem_text
from review_gate.render.prompt_json import review_document
from review_gate.render.prompt_words import remarks_of
from review_gate.render.sarif_parts import LEVELS, Json, artifact, frame, log_pieces, message
from review_gate.safe_text import safe_line

NAME = "review-gate prompt-review"


def checks_text(checks: PromptChecks) -> str:
    """Each file with its findings worst first, and the count."""
    return "\n".join([*(line for one in checks.files for line in _lines(one)), count_line(checks)])


def _lines(one: CheckedPrompt) -> Iterator[str]:
    path = safe_line(one.path)
    if one.problem:
        yield f"{path}: not reviewed: {safe_line(one.problem)}"
    for finding in one.findings:
        weight = Weight.of(finding.severity).value
        yield f"{path}:{finding.line}: {weight} [{finding.reviewer}] {safe_line(finding.message)}"
        if finding.recommendation:
            yield f"  fix: {safe_line(finding.recommendation)}"
    yield from (f"{path}: note: {safe_line(remark)}" for remark in remarks_of(one.review))


def count_line(checks: PromptChecks) -> str:
    """How many files, findings and failures there are."""
    found = sum(len(one.findings) for one in checks.files)
    unread = sum(bool(one.problem) for one in checks.files)
    parts = [_count(len(checks.files), "prompt"), _count(found, "finding")]
    parts += [f"{unread} not reviewed"] if unread else []
    if checks.fail_on is not None:
        failing = len(list(checks.failing))
        parts.append(f"{failing} failed (--fail-on {checks.fail_on.value})" if failing else "all passed")
    return ", ".join(parts)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def checks_json(checks: PromptChecks) -> str:
    """Everything about every file."""
    return json.dumps(
        {
            "version": 1,
            "passed": checks.has_passed,
            "fail_on": checks.fail_on.value if checks.fail_on is not None else None,
            "files": [
                {
                    "path": one.path,
                    "failed": checks.fails(one),
                    "findings": [finding.model_dump(mode="json") for finding in one.findings],
                    "review": review_document(one.review),
                }
                for one in checks.files
            ],
        },
        indent=2,
    )


def checks_github(checks: PromptChecks) -> str:
    """One annotation for each finding, the counts last."""
    lines = [
        command(COMMANDS[finding.severity], finding.message, file=finding.file, line=finding.line, title=finding.rule)
        for one in checks.files
        for finding in one.findings
    ]
    lines += [
        command("error", f"not reviewed: {one.problem}", file=one.path, title="prompt-review")
        for one in checks.files
        if one.problem
    ]
    return (
        "\n".join([*lines, command("notice" if checks.has_passed else "error", count_line(checks), title=NAME)]) + "\n"
    )


def checks_junit(checks: PromptChecks) -> str:
    """A case for each file."""
    root = Element("testsuites", name=NAME)
    suite = SubElement(root, "testsuite", name=NAME)
    suite.extend([_case(checks, one) for one in checks.files])
    add_counts(suite, 0.0)
    add_output(suite, count_line(checks))
    add_counts(root, 0.0)
    return document_text(root)


def _case(checks: PromptChecks, one: CheckedPrompt) -> Element:
    case = new_case("prompt-review", one.path, one.review.duration_ms / 1000)
    text = "\n".join(_problem(finding) for finding in one.findings)
    if one.problem:
        SubElement(case, "error", message=safe_line(f"not reviewed: {one.problem}"), type="could_not_run")
    elif checks.fails(one):
        verdict = verdict_of(finding.severity for finding in one.findings)
        first = one.findings[0].message if one.findings else "; ".join(remarks_of(one.review))
        SubElement(case, "failure", message=safe_line(first), type=verdict.value).text = joined(text)
    elif text:
        add_output(case, text)
    return case


def _problem(finding: Finding) -> str:
    return problem_text(
        finding.severity.value,
        (finding.file or "", finding.line, None),
        finding.message,
        finding.rule,
        advice=f"fix: {finding.recommendation}" if finding.recommendation else "",
        evidence=finding.evidence,
    )


def checks_sarif(checks: PromptChecks) -> Iterator[str]:
    """One SARIF log, in pieces."""
    findings = [finding for one in checks.files for finding in one.findings]
    rules = sorted({finding.rule for finding in findings})
    unread = [one for one in checks.files if one.problem]
    notes = [{"level": "error", "message": message(f"{one.path}: not reviewed: {one.problem}")} for one in unread]
    described: list[Json] = [
        {"id": rule, "shortDescription": message(f"what the {rule.removeprefix('prompt-')} reviewer finds in a prompt")}
        for rule in rules
    ]
    invocation = {"executionSuccessful": not unread, "toolExecutionNotifications": notes}
    run = {**frame("review-gate-prompt-review/", described, invocation), "results": []}
    return log_pieces(run, (_result(finding, rules.index(finding.rule)) for finding in findings))


def _result(finding: Finding, rule_index: int) -> Json:
    place = {"artifactLocation": artifact(finding.file), "region": {"startLine": finding.line}}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": LEVELS[finding.severity],
        "message": message(finding.message),
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"reviewGate/v1": finding.fingerprint},
        "properties": {"severity": finding.severity.value, "category": finding.category},
    }
