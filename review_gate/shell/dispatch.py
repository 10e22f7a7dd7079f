"""Stage 5: the reviewers of a loop look at the same time, and one that breaks takes nobody with it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from review_gate.ports import Outcome, Progress, Reviewer
from review_gate.shell.process import Commands


def dispatch_in_threads(
    reviewers: Sequence[Reviewer], progress: Progress, commands: Commands
) -> list[tuple[Outcome, float]]:
    """Run reviewers at the same time; an interrupt ends their processes first."""
    with ThreadPoolExecutor(max_workers=max(1, len(reviewers))) as pool:
        try:
            return list(pool.map(lambda reviewer: _timed(reviewer, progress), reviewers))
        except BaseException:
            commands.end_all()
            raise


def _timed(reviewer: Reviewer, progress: Progress) -> tuple[Outcome, float]:
    started = time.monotonic()
    try:
        outcome = reviewer.review()
    except Exception as error:
        # One broken reviewer must not take the others' findings with it; it has not voted.
        outcome = Outcome(could_not_run=f"{type(error).__name__}: {error}")
    seconds = time.monotonic() - started
    progress.reviewer_finished(reviewer.id, outcome.status, seconds)
    return outcome, seconds
