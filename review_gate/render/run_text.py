"""The preview and the summary of a run, for people and as JSON."""

from __future__ import annotations

import json
from typing import Any

from review_gate.gate.decision import Decision
from review_gate.gate.record import short
from review_gate.loops.plan import LoopPlan, RunPlan
from review_gate.loops.report import LoopResult, RunReport
from review_gate.models import Finding
from review_gate.ports import COULD_NOT_RUN, REVIEWER_PASSED
from review_gate.render.decision import decision_document
from review_gate.render.pipeline_text import model_lines, plan_document, plan_lines
from review_gate.render.report_words import named
from review_gate.safe_text import safe_line

PATHS_SHOWN = 8
WORDS = {"passed": "pass", "failed": "FAIL", "incomplete": "INCOMPLETE", "nothing_to_run": "pass", "not_run": "-"}


def plan_text(plan: RunPlan) -> str:
    """The preview: what is reviewed, by whom, where, and how long it may take."""
    subject = plan.subject
    what = f"staged tree {short(subject.tree)}" if subject.is_staged else f"commit {short(subject.name)}"
    lines = [
        f"review of {what} against {safe_line(subject.base_label)} ({short(subject.base)})",
        f"scope: {plan.scope} files, {_paths(plan)}",
    ]
    lines += [line for loop in plan.loops for line in _plan_loop(loop)]
    if plan.pipeline is not None:
        lines += plan_lines(plan.pipeline)
    lines.append(f"estimate: {_estimate(plan)}")
    lines += [f"note: {safe_line(warning)}" for warning in plan.warnings]
    return "\n".join(lines) + "\n"


def _paths(plan: RunPlan) -> str:
    shown = ", ".join(safe_line(path) for path in plan.paths[:PATHS_SHOWN])
    more = f", and {len(plan.paths) - PATHS_SHOWN} more" if len(plan.paths) > PATHS_SHOWN else ""
    count = f"{len(plan.paths)} in all" if plan.scope == "all" else f"{len(plan.paths)} changed"
    return f"{count}: {shown}{more}" if plan.paths else "none changed"


def _plan_loop(loop: LoopPlan) -> list[str]:
    if not loop.is_requested:
        return [f"loop {loop.number}  {loop.title}: not requested"]
    note = f" ({safe_line(loop.note)})" if loop.note else ""
    lines = [f"loop {loop.number}  {loop.title}{note}"]
    for one in loop.reviewers:
        optional = "" if one.is_required else ", optional"
        via = f", via: {one.via}" if one.via else ""
        lines.append(f"  {safe_line(one.id)}: {safe_line(one.what)} [{one.where}{optional}{via}]")
    return lines


def _estimate(plan: RunPlan) -> str:
    if plan.estimate_seconds is None:
        return "no earlier run to judge by"
    seconds = f"{max(plan.estimate_seconds, 0.1):.1f} s, by earlier runs"
    unknown = ", ".join(safe_line(name) for name in plan.unknown_duration)
    return f"at least {seconds} (never run here before: {unknown})" if unknown else f"about {seconds}"


def plan_json(plan: RunPlan) -> str:
    """The preview for programs."""
    loops = [
        {
            "loop": loop.number,
            "title": loop.title,
            "requested": loop.is_requested,
            "note": loop.note,
            "reviewers": [
                one.model_dump(mode="json", exclude={"command", "loop", "is_agent", "is_vote"})
                for one in loop.reviewers
            ],
        }
        for loop in plan.loops
    ]
    return json.dumps(
        {
            "subject": plan.subject.model_dump(),
            "scope": plan.scope,
            "files": list(plan.paths),
            "loops": loops,
            "offered_tests": [found.model_dump() for found in plan.offered_tests],
            "estimate_seconds": plan.estimate_seconds,
            "warnings": list(plan.warnings),
            **(plan_document(plan.pipeline, plan.subject) if plan.pipeline is not None else {}),
        },
        indent=2,
    )


def report_text(report: RunReport, decision: Decision | None, *, shown: int) -> str:
    """The summary: each loop, every finding worst first, and the ship decision."""
    lines = [line for loop in report.loops for line in _loop_lines(loop)]
    findings = report.findings
    lines += [_finding_line(finding) for finding in findings[:shown]]
    if len(findings) > shown:
        lines.append(f"... and {len(findings) - shown} more findings; --format json has them all")
    lines += model_lines(report)
    if report.weakened:
        lines.append(f"checks weakened: {safe_line('; '.join(report.weakened))}")
    lines.append(_count_line(report))
    lines += _ship_lines(report, decision)
    return "\n".join(lines) + "\n"


def _loop_lines(loop: LoopResult) -> list[str]:
    """One line for what went well, one more for those who did not and have the same to say."""
    notes = [loop.note] if loop.note else []
    if loop.is_kept:
        notes.append("kept from an earlier run")
    note = f" ({safe_line('; '.join(notes))})" if notes else ""
    passed = ", ".join(safe_line(named(one)) for one in loop.reviewers if one.status == REVIEWER_PASSED)
    names = f": {passed}" if passed and loop.has_passed else ""
    lines = [f"loop {loop.number}  {WORDS[loop.status]}{names}{note}"]
    if passed and not loop.has_passed:
        lines.append(f"  {passed} passed")
    alike: dict[tuple[str, str], list[str]] = {}
    for one in loop.reviewers:
        if one.status != REVIEWER_PASSED or one.detail:
            alike.setdefault((one.status, one.detail), []).append(safe_line(named(one)))
    return [*lines, *(_told_line(status, detail, names) for (status, detail), names in alike.items())]


def _told_line(status: str, detail: str, names: list[str]) -> str:
    word = "could not run" if status == COULD_NOT_RUN else status
    return f"  {', '.join(names)} {word}{': ' + safe_line(detail) if detail else ''}"


def _finding_line(finding: Finding) -> str:
    place = ":".join(str(part) for part in (finding.file, finding.line, finding.column) if part is not None)
    where = f"{safe_line(place)}: " if place else ""
    who = "" if finding.file else f"{safe_line(finding.reviewer)}: "
    line = f"{finding.severity.value}: {where}{who}{safe_line(finding.message)} [{safe_line(finding.rule)}]"
    if finding.rule == "command-failed" and finding.evidence:
        line += "\n" + "\n".join(f"    | {safe_line(part)}" for part in finding.evidence.splitlines())
    elif finding.recommendation:
        line += f"\n    {safe_line(finding.recommendation)}"
    return line


def _count_line(report: RunReport) -> str:
    counts = ", ".join(f"{count} {severity.value}" for severity, count in report.counts.items() if count)
    files = "1 file" if report.file_count == 1 else f"{report.file_count} files"
    unread = len({finding.file for finding in report.not_reviewed})
    left_out = f", {unread} of them not reviewed" if unread else ""
    verdict = report.verdict.value if report.is_complete else "incomplete"
    return f"{files} changed{left_out}; {counts or 'no findings'}; verdict: {verdict}"


def _ship_lines(report: RunReport, decision: Decision | None) -> list[str]:
    if decision is None:
        word = "passed" if report.has_passed_all else "did not pass"
        tree = short(report.subject.tree)
        return [f"ship: the staged tree {tree} {word}; a commit of exactly this tree on this HEAD inherits the result"]
    if decision.allowed:
        # A run that is incomplete takes nothing back.
        earlier = "" if report.has_passed_all else " by an earlier review, not by this run"
        return [f"ship: approved{earlier} ({safe_line(decision.leading.words.what)})"]
    words = decision.leading.words
    return [f"ship: BLOCKED ({safe_line(words.what)})", f"  next:  {safe_line(words.next_step)}"]


def report_json(report: RunReport, decision: Decision | None) -> str:
    """The whole result for programs."""
    data: dict[str, Any] = {
        **report.heading,
        "complete": report.is_complete,
        "passed": report.has_passed_all,
        "ship_allowed": decision is not None and decision.allowed,
        "blockers": list(report.blockers),
        "loops": [_loop_entry(loop) for loop in report.loops],
        "findings": [finding.model_dump(mode="json") for finding in report.findings],
        "not_reviewed": [finding.file for finding in report.not_reviewed],
        "weakened": list(report.weakened),
        "gaps": [gap.model_dump(mode="json") for gap in report.gaps],
        "decision": decision_document(decision) if decision is not None else None,
    }
    return json.dumps(data, indent=2)


def _loop_entry(loop: LoopResult) -> dict[str, Any]:
    return {
        "loop": loop.number,
        "status": loop.status,
        "passed": loop.has_passed,
        "note": loop.note,
        "kept": loop.is_kept,
        "reviewers": [one.model_dump(mode="json", exclude={"findings"}) for one in loop.reviewers],
    }
