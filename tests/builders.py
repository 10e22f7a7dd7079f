"""Valid-by-default objects: a test names only the fields it is about."""

from __future__ import annotations

from typing import Any

from review_gate.gate.decision import APPROVED, FAILED, UNCOVERED, Decision, RefDecision, Words
from review_gate.gate.push import RefUpdate
from review_gate.loops.report import LOOPS, LoopResult, ReviewerResult, RunReport
from review_gate.models import Finding, Subject

COMMIT = "c0ffee11" * 5
TREE = "7ee7ee22" * 5
BASE = "ba5eba33" * 5
POLICY = "90110c44" * 8


def subject(**changes: Any) -> Subject:
    """A commit against the remote's main branch."""
    return Subject.model_validate(
        {"commit": COMMIT, "tree": TREE, "base": BASE, "base_label": "origin/main", **changes}
    )


def finding(**changes: Any) -> Finding:
    """A major finding of the syntax reviewer in one line of one file."""
    fields = {
        "id": "python-syntax-0f0f0f0f",
        "rule": "python-syntax",
        "severity": "major",
        "category": "correctness",
        "message": "invalid syntax",
        "file": "app.py",
        "line": 3,
        "reviewer": "syntax",
        "fingerprint": "0f0f0f0f0f0f0f0f0f0f",
    }
    return Finding.model_validate({**fields, **changes})


def reviewer_result(**changes: Any) -> ReviewerResult:
    """The syntax reviewer, which ran and found nothing."""
    return ReviewerResult.model_validate({"id": "syntax", "status": "passed", "seconds": 0.25, **changes})


def loop_result(**changes: Any) -> LoopResult:
    """A passed loop 1 with one reviewer."""
    return LoopResult.model_validate({"number": 1, "status": "passed", "reviewers": (reviewer_result(),), **changes})


def empty_loop(number: int) -> LoopResult:
    """A loop for which nothing is configured."""
    return loop_result(number=number, status="nothing_to_run", note="nothing to run", reviewers=())


def run_report(**changes: Any) -> RunReport:
    """A run of all four loops that passed: loop 1 did, the others had nothing to run."""
    fields = {
        "id": "1d" * 16,
        "subject": subject(),
        "policy": POLICY,
        "started": "2026-01-02T03:04:05.000Z",
        "finished": "2026-01-02T03:04:06.500Z",
        "requested": LOOPS,
        "file_count": 1,
        "loops": (loop_result(), *(empty_loop(number) for number in LOOPS[1:])),
    }
    return RunReport.model_validate({**fields, **changes})


def decided(reason: str, words: Words) -> Decision:
    """The gate's word on the commit."""
    ref = RefDecision(reason, RefUpdate("HEAD", COMMIT, "HEAD", None, commit=COMMIT), words)
    return Decision(ref, (ref,), () if reason == APPROVED else (ref,))


YES = decided(APPROVED, Words("Commit c0ffee11 passed its review."))
NO = decided(
    FAILED, Words("Loop 1 failed: app.py:3: bad.", why="it did not pass", next_step="fix, commit, then review-gate run")
)
NOT_COVERED = decided(
    UNCOVERED,
    Words(
        "The review starts at ba5eba33, but 1 commit (ba5eba33) below it would leave unreviewed.",
        why="the remote does not have ba5eba33, and no passing review covers it",
        next_step="review-gate run --scope all",
    ),
)
