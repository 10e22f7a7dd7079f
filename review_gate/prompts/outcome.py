"""What came of a review of a prompt, as it is shown, kept until somebody decides, and logged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from pydantic import Field

from review_gate.fingerprint import fingerprint_of
from review_gate.models import Finding, Frozen, worst_first
from review_gate.prompts.editor.edit import Edited
from review_gate.prompts.history.audit import MOST_MILLISECONDS, AuditEntry, Cost, Mode, Outcome, Trigger
from review_gate.prompts.schema import Critique, PromptFinding, Role, Weight

# `proposed` waits for a decision; the prompt goes on as it is after all others.
Status = Literal["proposed", "unchanged", "not_reviewed", "editor_failed"]
OUTCOMES: dict[Status, Outcome] = {
    "proposed": "undecided",
    "unchanged": "unchanged",
    "not_reviewed": "not_reviewed",
    "editor_failed": "editor_failed",
}


class PromptRequest(Frozen):
    """A prompt, and how it came here."""

    prompt: str
    # By which it is known already, if it is.
    id: str = ""
    trigger: Trigger = "cli"
    preset: str = ""
    # Whether a model may give other words to what is put in.
    polishes: bool = False
    # Whether the caller can have the questions answered by subagents of its own.
    may_hand_out: bool = False


class Reviewed(Frozen):
    """What came of one reviewer: a critique, or why there is none."""

    role: Role
    critique: Critique | None = None
    problem: str = ""
    # It was asked about exactly this before.
    is_known: bool = False


class PromptReview(Frozen):
    """One review of one prompt."""

    version: Literal[1] = 1
    id: str
    created: str
    status: Status
    trigger: Trigger
    mode: Mode
    project: str
    prompt: str
    edited: Edited | None = None
    reviewers: tuple[Reviewed, ...] = ()
    # Reviewers that were not asked, and why.
    passed_over: tuple[tuple[Role, str], ...] = ()
    # Why there was no review, in a sentence, and in a word for the log.
    why: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    cost: Cost = Cost()
    duration_ms: int = Field(default=0, ge=0)
    logs_costs: bool = True

    def noted(self, note: str) -> PromptReview:
        """The same with one more note."""
        return self.model_copy(update={"notes": (*self.notes, note)})

    @property
    def refined(self) -> str:
        """The prompt as it would go on."""
        return self.edited.text if self.edited is not None else self.prompt

    @property
    def critiques(self) -> tuple[Critique, ...]:
        """What counts of the reviewers' answers."""
        return tuple(one.critique for one in self.reviewers if one.critique is not None)

    @property
    def failed(self) -> tuple[Reviewed, ...]:
        """Who was asked and gave no critique."""
        return tuple(one for one in self.reviewers if one.critique is None)

    @property
    def is_known(self) -> bool:
        """Whether nobody had to be asked."""
        return bool(self.reviewers) and all(one.is_known for one in self.reviewers)

    @property
    def findings_count(self) -> int:
        """How much was found."""
        return sum(len(one.findings) for one in self.critiques)

    @property
    def remarks(self) -> tuple[tuple[Role, PromptFinding], ...]:
        """What was found without an edit that would mend it."""
        return tuple(
            (one.role, finding) for one in self.critiques for finding in one.findings if not finding.suggested_ops
        )

    @property
    def severity_max(self) -> Weight | None:
        """The worst of it."""
        worst = [one.severity_max for one in self.critiques if one.severity_max is not None]
        return min(worst, key=lambda one: one.rank, default=None)

    @property
    def dropped(self) -> int:
        """How many findings were malformed."""
        return sum(one.dropped for one in self.critiques)


class Task(NamedTuple):
    """What one reviewer is asked, and by what its answer is known again, whatever the nonce."""

    role: Role
    text: str
    key: str


class HandOut(Frozen):
    """The questions for the subagents of a session, and what has to be known to use their answers."""

    review: PromptReview
    # Of the project, whose status line tells of it.
    top: str
    # Whether answers may be kept for the next time.
    may_keep: bool
    nonce: str
    order: tuple[Role, ...]
    tasks: tuple[Task, ...]
    known: tuple[Reviewed, ...]
    shared: str
    model: str
    seconds: float


class Decided(Frozen):
    """What somebody said of a proposal, and the prompt that goes on."""

    id: str
    decision: Literal["yes", "no", "edit"]
    prompt: str


def entry_of(review: PromptReview, outcome: Outcome, prompt_hash: str) -> AuditEntry:
    """What the log has of a review."""
    counts = {one.role: Counter(finding.severity for finding in one.findings) for one in review.critiques}
    return AuditEntry(
        timestamp=review.created,
        project=review.project,
        trigger=review.trigger,
        mode=review.mode,
        original_prompt_hash=prompt_hash,
        reviewers_active=tuple(one.role for one in review.reviewers),
        findings_count=review.findings_count,
        severity_max=review.severity_max,
        conflicts=len(review.edited.conflicts) if review.edited is not None else 0,
        outcome=outcome,
        cost=review.cost if review.logs_costs else None,
        # The question may have been left open over the holidays.
        duration_ms=min(review.duration_ms, MOST_MILLISECONDS),
        findings={role: dict(found) for role, found in counts.items() if found},
        reviewers_failed=tuple(one.role for one in review.failed),
        dropped=review.dropped,
        is_cached=review.is_known,
        reason=review.reason,
    )


class CheckedPrompt(Frozen):
    """One file."""

    path: str
    review: PromptReview

    @property
    def problem(self) -> str:
        """Why nothing can be said of it, empty where something can."""
        return self.review.why

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in the shape of all other findings."""
        return worst_first(
            self._finding(one.role, finding) for one in self.review.critiques for finding in one.findings
        )

    def _finding(self, role: Role, said: PromptFinding) -> Finding:
        rule = f"prompt-{role.value.replace('_', '-')}"
        fingerprint = fingerprint_of(rule, self.path, said.evidence or said.issue)
        place = self.review.prompt.find(said.evidence) if said.evidence else -1
        return Finding(
            id=f"{rule}-{fingerprint[:8]}",
            rule=rule,
            severity=said.severity.severity,
            category="security" if role is Role.SECURITY else "prompt",
            message=said.issue,
            file=self.path,
            line=self.review.prompt.count("\n", 0, place) + 1 if place >= 0 else 1,
            evidence=said.evidence,
            recommendation="; ".join(f"{one.op.value}: {one.value}" for one in said.suggested_ops),
            reviewer=role.value,
            confidence=said.confidence,
            fingerprint=fingerprint,
        )


class PromptChecks(Frozen):
    """All files; without `fail_on` nothing fails."""

    files: tuple[CheckedPrompt, ...]
    fail_on: Weight | None = None

    def fails(self, one: CheckedPrompt) -> bool:
        """Whether a file is not good enough; one that nobody could review is not, where anything can fail."""
        if self.fail_on is None:
            return False
        worst = one.review.severity_max
        return bool(one.problem or one.review.failed) or (worst is not None and worst.rank <= self.fail_on.rank)

    @property
    def has_passed(self) -> bool:
        """Whether every file is good enough."""
        return not any(map(self.fails, self.files))

    @property
    def failing(self) -> Iterator[CheckedPrompt]:
        """The files that are not."""
        return filter(self.fails, self.files)
