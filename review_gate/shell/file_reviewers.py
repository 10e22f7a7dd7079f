"""The embedded reviewers as reviewers of a run: three opinions out of one pass over the files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from review_gate.embedded import EMBEDDED
from review_gate.fingerprint import fingerprint_of
from review_gate.models import Finding, Severity
from review_gate.ports import Outcome
from review_gate.reviewers.problem import Problem
from review_gate.safe_text import written_out
from review_gate.shell.changes import Change
from review_gate.shell.contents import Contents
from review_gate.shell.file_pass import FilePass
from review_gate.shell.git import Git
from review_gate.shell.process import Commands


class SharedPass:
    """The pass over the changed files, made by whichever reviewer asks first."""

    def __init__(
        self,
        git: Git,
        changes: Sequence[Change],
        config: dict[str, object],
        on_file: Callable[[int, int], None],
        commands: Commands,
    ) -> None:
        self._commands = commands
        self._git = git
        self._changes = changes
        self._pass = FilePass(config)
        self._on_file = on_file
        self._lock = threading.Lock()
        self._is_done = False

    def opinion_of(self, reviewer: str) -> Outcome:
        """What one of the embedded reviewers says."""
        with self._lock:
            if not self._is_done:
                total = sum(change.has_content for change in self._changes)
                with self._commands.ended_by_interrupt(self._pass.stop), Contents(self._git, self._changes) as contents:
                    self._pass.review(contents, lambda done: self._on_file(done, total))
                self._is_done = True
        findings = tuple(to_finding(reviewer, path, problem) for path, problem in self._pass.problems[reviewer])
        return Outcome(findings=findings, could_not_run=self._pass.failures.get(reviewer, ""))


class FileReviewer:
    """One of the embedded reviewers."""

    is_required = True

    def __init__(self, name: str, shared: SharedPass) -> None:
        self.id = name
        self._shared = shared

    def review(self) -> Outcome:
        """Its part of the shared pass."""
        return self._shared.opinion_of(self.id)


def to_finding(reviewer: str, path: str, problem: Problem) -> Finding:
    """A light problem as a finding."""
    fingerprint = fingerprint_of(problem.rule, path, problem.evidence or problem.message)
    return Finding(
        id=f"{problem.rule}-{fingerprint[:8]}",
        rule=problem.rule,
        severity=Severity(problem.severity),
        category=EMBEDDED[reviewer][0],
        message=problem.message,
        file=written_out(path),
        line=problem.line,
        column=problem.column,
        evidence=problem.evidence,
        recommendation=problem.recommendation,
        reviewer=reviewer,
        fingerprint=fingerprint,
    )
