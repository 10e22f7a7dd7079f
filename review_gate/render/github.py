"""A run as GitHub workflow commands: one annotation a line, the decision last."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.models import Finding
from review_gate.ports import COULD_NOT_RUN, SESSION
from review_gate.render.github_command import COMMANDS, command
from review_gate.render.report_words import INHERITED, leave, opinion, subject_words


def github(report: RunReport, decision: Decision | None) -> str:
    """Every finding worst first, every reviewer that could not run, and one command that states the decision."""
    findings = [_annotation(finding, report.via_session) for finding in report.findings]
    return "\n".join([*findings, *_absences(report), _decision(report, decision)]) + "\n"


def _annotation(finding: Finding, via_session: tuple[str, ...]) -> str:
    by = f"{finding.reviewer}, via: {SESSION}" if finding.reviewer in via_session else finding.reviewer
    message = f"{finding.message}\n{finding.recommendation}" if finding.recommendation else finding.message
    has_line = finding.file and finding.line
    return command(
        COMMANDS[finding.severity],
        message,
        file=finding.file,
        line=finding.line if has_line else None,
        col=finding.column if has_line else None,
        title=f"{finding.severity.value} {finding.rule} ({by})",
    )


def _absences(report: RunReport) -> Iterator[str]:
    for loop in report.loops:
        for reviewer in loop.reviewers:
            if reviewer.status == COULD_NOT_RUN:
                yield command(
                    "error" if reviewer.is_required else "warning",
                    f"{reviewer.id} could not run: {reviewer.detail}",
                    title=f"could not run ({reviewer.id})",
                )


def _decision(report: RunReport, decision: Decision | None) -> str:
    """The gate's word; an error when the run did not pass, a warning when it did and the gate is closed anyway."""
    loops = ", ".join(f"loop {loop.number} {loop.status.replace('_', ' ')}" for loop in report.loops)
    message = f"{leave(report, decision)}: {subject_words(report)} {opinion(report)} ({loops})"
    session = [f"via: {SESSION}: {', '.join(report.via_session)}"] if report.via_session else []
    words = "\n".join([message, *session, *_unlike_the_run(report, decision)])
    return command(_level(report, decision), words, title="review-gate")


def _level(report: RunReport, decision: Decision | None) -> str:
    if not report.has_passed_requested:
        return "error"
    is_closed = decision is not None and not decision.allowed
    return "warning" if report.has_passed_all and is_closed else "notice"


def _unlike_the_run(report: RunReport, decision: Decision | None) -> Iterator[str]:
    """What the gate says where the run alone would suggest something else."""
    if decision is None:
        yield INHERITED
    elif decision.allowed != report.has_passed_all:
        words = decision.leading.words
        yield words.what
        if words.next_step:
            yield f"next: {words.next_step}"
