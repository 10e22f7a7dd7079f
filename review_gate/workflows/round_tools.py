"""What the check engine finds in a change under review in rounds: a fact beside the votes, which only a fix settles."""

from __future__ import annotations

from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.schema import Issue
from review_gate.embedded import CHECK_REVIEWERS
from review_gate.models import Finding, Subject
from review_gate.shell.check_reviewers import CheckReviewer, ScanProcess, SharedScan
from review_gate.shell.process import Commands
from review_gate.shell.repository import Repository
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration

TOOL = "checks"


class ToolFindings(NamedTuple):
    """What was found, or why the checks could not look."""

    issues: tuple[Issue, ...] = ()
    problem: str = ""


def tool_findings(repository: Repository | None, subject: Subject | None, config: Config) -> ToolFindings:
    """The findings of the checks in force in what a change adds; nothing of a text, which has checks of its own."""
    if repository is None or subject is None or not config.checks.enabled:
        return ToolFindings()
    policy, _ = policy_of(repository, load_configuration(repository))
    process, commands = ScanProcess(repository), Commands()
    scan = SharedScan(process, subject, policy.policy, config.limits.command_seconds, commands)
    try:
        outcomes = [CheckReviewer(name, scan).review() for name in CHECK_REVIEWERS]
    finally:
        commands.end_all()
        process.close()
    problem = next((one.could_not_run for one in outcomes if one.could_not_run), "")
    return ToolFindings(tuple(_issue(one) for outcome in outcomes for one in outcome.findings), problem)


def _issue(finding: Finding) -> Issue:
    return Issue(
        fingerprint=finding.fingerprint,
        severity=finding.severity,
        message=f"{finding.rule}: {finding.message}",
        file=finding.file,
        line=finding.line,
        quote=finding.evidence,
        recommendation=finding.recommendation,
        reviewers=(TOOL,),
        source="tool",
    )
