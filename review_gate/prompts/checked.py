"""Prompts in files, what was found in each, and whether that is too much."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.fingerprint import fingerprint_of
from review_gate.models import Finding, Frozen, worst_first
from review_gate.prompts.outcome import PromptReview
from review_gate.prompts.schema import PromptFinding, Role, Weight


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
