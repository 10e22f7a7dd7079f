"""What the core may ask of the world: a reviewer, and someone to tell about progress."""

from __future__ import annotations

from typing import Protocol

from review_gate.models import Finding, Frozen, verdict_of

REVIEWER_PASSED = "passed"
REVIEWER_FAILED = "failed"
COULD_NOT_RUN = "could_not_run"


class Outcome(Frozen):
    """What a reviewer says: findings, or that it could not run and why; never silently nothing."""

    findings: tuple[Finding, ...] = ()
    could_not_run: str = ""
    detail: str = ""
    # Whether all that fails is in the commits alone, such as a message: then it is not in the content.
    is_of_commits: bool = False

    @property
    def status(self) -> str:
        """The outcome in one word."""
        if self.could_not_run:
            return COULD_NOT_RUN
        is_passing = verdict_of(finding.severity for finding in self.findings).is_passing
        return REVIEWER_PASSED if is_passing else REVIEWER_FAILED


class Reviewer(Protocol):
    """One opinion on the subject of a run."""

    @property
    def id(self) -> str:
        """The name it has in reports."""

    @property
    def is_required(self) -> bool:
        """Whether the loop is incomplete without it."""

    def review(self) -> Outcome:
        """Look at the subject; called once, perhaps in a thread of its own."""


class Progress(Protocol):
    """Someone who watches a run."""

    def loop_started(self, number: int, title: str, reviewers: tuple[str, ...]) -> None:
        """A loop begins."""

    def reviewer_finished(self, reviewer: str, status: str, seconds: float) -> None:
        """A reviewer is done."""

    def files_done(self, done: int, total: int) -> None:
        """So many of the changed files were looked at."""

    def loop_finished(self, number: int, status: str) -> None:
        """A loop is done."""
