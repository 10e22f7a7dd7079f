"""The order of a run: loop after loop, the reviewers of a loop side by side, and the first failing loop ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from review_gate.gate.record import FAILED, INCOMPLETE, NOTHING_TO_RUN, PASSED
from review_gate.loops.report import (
    LOOPS,
    TITLES,
    LoopResult,
    ReviewerResult,
    blocker_text,
    not_run,
)
from review_gate.models import worst_first
from review_gate.ports import COULD_NOT_RUN, REVIEWER_FAILED, Outcome, Progress, Reviewer

# Runs reviewers at the same time and reports each with its seconds; given by the shell.
Dispatch = Callable[[Sequence[Reviewer]], Sequence[tuple[Outcome, float]]]


def run_loops(
    reviewers: Mapping[int, Sequence[Reviewer]],
    requested: Sequence[int],
    notes: Mapping[int, str],
    *,
    dispatch: Dispatch,
    progress: Progress,
) -> tuple[LoopResult, ...]:
    """The results of all four loops, without those that earlier runs have for the loops not requested."""
    results: dict[int, LoopResult] = {}
    stopped_by = 0
    for number in LOOPS:
        if number not in requested:
            results[number] = not_run(number, "not requested, and no earlier result to keep")
        elif stopped_by:
            results[number] = not_run(number, f"not run: loop {stopped_by} did not pass")
        else:
            results[number] = _run_loop(number, reviewers.get(number, ()), notes.get(number, ""), dispatch, progress)
            if not results[number].has_passed:
                stopped_by = number
    return tuple(results[number] for number in LOOPS)


def _run_loop(
    number: int, reviewers: Sequence[Reviewer], note: str, dispatch: Dispatch, progress: Progress
) -> LoopResult:
    if not reviewers:
        return LoopResult(number=number, status=NOTHING_TO_RUN, note=note or "nothing to run")
    progress.loop_started(number, TITLES[number], tuple(reviewer.id for reviewer in reviewers))
    outcomes = dispatch(reviewers)
    results = tuple(
        _result(reviewer, outcome, seconds) for reviewer, (outcome, seconds) in zip(reviewers, outcomes, strict=True)
    )
    loop = judge_loop(number, results, note)
    progress.loop_finished(number, loop.status)
    return loop


def _result(reviewer: Reviewer, outcome: Outcome, seconds: float) -> ReviewerResult:
    return ReviewerResult(
        id=reviewer.id,
        status=outcome.status,
        is_of_commits=outcome.is_of_commits,
        is_required=reviewer.is_required,
        detail=outcome.could_not_run or outcome.detail,
        seconds=round(seconds, 3),
        findings=outcome.findings,
        model=outcome.model,
    )


def judge_loop(number: int, results: tuple[ReviewerResult, ...], note: str = "") -> LoopResult:
    """A loop fails on what reviewers found; without a required reviewer it is incomplete; else it passes."""
    failing = [result for result in results if result.status == REVIEWER_FAILED]
    absent = [result for result in results if result.status == COULD_NOT_RUN and result.is_required]
    ran = [result for result in results if result.status != COULD_NOT_RUN]
    status = FAILED if failing else INCOMPLETE if absent else PASSED if ran else NOTHING_TO_RUN
    return LoopResult(number=number, status=status, note=note, reviewers=results, blockers=_blockers(failing, absent))


def _blockers(failing: list[ReviewerResult], absent: list[ReviewerResult]) -> tuple[str, ...]:
    blocking = worst_first(finding for result in failing for finding in result.findings if finding.severity.is_blocking)
    could_not = [f"{result.id} could not run: {result.detail}" for result in absent]
    return (*(blocker_text(finding) for finding in blocking), *could_not)
