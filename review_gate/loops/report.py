"""What a run is about and what came of it."""

from __future__ import annotations

from collections import Counter

from review_gate.gate.record import INCOMPLETE, NOT_RUN, OPEN_STATUSES, have_passed
from review_gate.models import Finding, Frozen, Severity, Subject, Verdict, verdict_of, worst_first
from review_gate.pipeline.aggregate import dedupe
from review_gate.pipeline.schema import GapLogEntry
from review_gate.ports import SESSION, ModelPart, Via

TITLES = {
    1: "compilation + basic checks",
    2: "standards compliance",
    3: "security + performance",
    4: "integration + e2e",
}
LOOPS = tuple(TITLES)


class ReviewerResult(Frozen):
    """One reviewer's part in a loop; `is_kept` marks a failure taken over from an earlier run.

    `is_of_commits` marks a failure that the content has no part in: it is about messages, or versions since replaced;
    `is_vote` is not set for whoever says nothing about the content at all; `via` tells that the session which wrote the
    code answered for it.
    """

    id: str
    status: str
    is_kept: bool = False
    is_of_commits: bool = False
    is_required: bool = True
    is_vote: bool = True
    detail: str = ""
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()
    model: ModelPart | None = None
    via: Via | None = None


class LoopResult(Frozen):
    """What came of one loop; `is_kept` marks a result taken over from an earlier run of the same subject."""

    number: int
    status: str
    note: str = ""
    is_kept: bool = False
    reviewers: tuple[ReviewerResult, ...] = ()
    blockers: tuple[str, ...] = ()

    @property
    def has_passed(self) -> bool:
        """Whether this loop does not keep the gate closed."""
        return self.status in OPEN_STATUSES

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings of the loop, worst first."""
        return worst_first(dedupe([finding for reviewer in self.reviewers for finding in reviewer.findings]))


class RunHead(Frozen):
    """What a run was about; `weakened` says what was missing from the checks that are in force by default."""

    id: str
    subject: Subject
    policy: str
    started: str
    finished: str
    requested: tuple[int, ...]
    file_count: int
    weakened: tuple[str, ...] = ()


class RunReport(RunHead):
    """One finished run; `gaps` are the concerns for which somebody added a reviewer that no policy sent."""

    loops: tuple[LoopResult, ...]
    gaps: tuple[GapLogEntry, ...] = ()

    @property
    def head(self) -> RunHead:
        """What it was about, without what came of it."""
        return RunHead(**{name: getattr(self, name) for name in RunHead.model_fields})

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, worst first."""
        return worst_first(dedupe([finding for loop in self.loops for finding in loop.findings]))

    @property
    def verdict(self) -> Verdict:
        """The opinion on the content, from severity counts alone."""
        return verdict_of(finding.severity for finding in self.findings)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings of each severity."""
        counts = Counter(finding.severity for finding in self.findings)
        return {severity: counts[severity] for severity in Severity}

    @property
    def blockers(self) -> tuple[str, ...]:
        """Everything that keeps the gate closed, worst first, for people."""
        return tuple(blocker for loop in self.loops for blocker in loop.blockers)

    @property
    def models(self) -> tuple[tuple[str, ModelPart], ...]:
        """What models had to do with each reviewer, also with one whose word was kept."""
        reviewers = (one for loop in self.loops for one in loop.reviewers)
        return tuple((one.id, one.model) for one in reviewers if one.model is not None)

    @property
    def models_now(self) -> tuple[ModelPart, ...]:
        """The same of those that spoke in this run: what was kept is paid for, and a session pays itself."""
        reviewers = (one for loop in self.loops if not loop.is_kept for one in loop.reviewers if not one.is_kept)
        return tuple(one.model for one in reviewers if one.model is not None and one.model.provider != SESSION)

    @property
    def via_session(self) -> tuple[str, ...]:
        """The reviewers that the session which wrote the code answered for."""
        return tuple(dict.fromkeys(one.id for loop in self.loops for one in loop.reviewers if one.via == SESSION))

    @property
    def has_passed_all(self) -> bool:
        """Whether this review is one that can open the gate; whether it does, the gate alone says."""
        return have_passed([loop.status for loop in self.loops])

    @property
    def has_passed_requested(self) -> bool:
        """Whether the loops that were asked for passed."""
        return all(loop.has_passed for loop in self.loops if loop.number in self.requested)

    @property
    def is_complete(self) -> bool:
        """Whether no loop lacks the word of a required reviewer."""
        return all(loop.status != INCOMPLETE for loop in self.loops)

    @property
    def not_reviewed(self) -> tuple[Finding, ...]:
        """The changed files no reviewer could read."""
        return tuple(finding for finding in self.findings if finding.rule.startswith("not-reviewed"))

    @property
    def heading(self) -> dict[str, object]:
        """What was reviewed, when, by which rules, and the opinion: the common part of every plain form."""
        return {
            "id": self.id,
            "commit": self.subject.commit,
            "tree": self.subject.tree,
            "base": self.subject.base,
            "policy": self.policy,
            "started": self.started,
            "finished": self.finished,
            "verdict": self.verdict.value,
            "counts": {severity.value: count for severity, count in self.counts.items()},
        }


def not_run(number: int, note: str) -> LoopResult:
    """A loop without a result."""
    return LoopResult(number=number, status=NOT_RUN, note=note)


def blocker_text(finding: Finding) -> str:
    """A finding in one line, for lists of blockers."""
    place = f"{finding.file}:{finding.line}" if finding.file and finding.line else finding.file or finding.reviewer
    return f"{place}: {finding.message}"
