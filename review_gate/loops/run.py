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
# Who reviews in a loop; asked when the loop begins, and who is to be added to it when they all are done.
ReviewersOf = Callable[[int], Sequence[Reviewer]]
# What a loop is about while those look who were added to it.
ADDED = "reviewers that were missing"


def nobody(_: int) -> Sequence[Reviewer]:
    """No reviewer."""
    return ()


def run_loops(
    reviewers_of: ReviewersOf,
    requested: Sequence[int],
    notes: Mapping[int, str],
    *,
    dispatch: Dispatch,
    progress: Progress,
    added_to: ReviewersOf = nobody,
) -> tuple[LoopResult, ...]:
    """The results of all four loops, without those that earlier runs have for the loops not requested.

    One of the reviewers may find that somebody is missing: whoever is added to a loop looks after the others, and the
    word of one that looked already is replaced.
    """
    results: dict[int, LoopResult] = {}
    stopped_by = 0
    for number in LOOPS:
        if number not in requested:
            results[number] = not_run(number, "not requested, and no earlier result to keep")
        elif stopped_by:
            results[number] = not_run(number, f"not run: loop {stopped_by} did not pass")
        else:
            voted = _voted(number, reviewers_of, added_to, dispatch, progress)
            results[number] = _loop_of(number, voted, notes.get(number, ""))
            if voted:
                progress.loop_finished(number, results[number].status)
            if not results[number].has_passed:
                stopped_by = number
    return tuple(results[number] for number in LOOPS)


def _voted(
    number: int, reviewers_of: ReviewersOf, added_to: ReviewersOf, dispatch: Dispatch, progress: Progress
) -> tuple[ReviewerResult, ...]:
    """What the reviewers of a loop say, those too that are added to it."""
    first = _asked(number, TITLES[number], reviewers_of(number), dispatch, progress)
    later = _asked(number, ADDED, added_to(number), dispatch, progress)
    again = {result.id for result in later}
    return (*(result for result in first if result.id not in again), *later)


def _asked(
    number: int, title: str, reviewers: Sequence[Reviewer], dispatch: Dispatch, progress: Progress
) -> tuple[ReviewerResult, ...]:
    if not reviewers:
        return ()
    progress.loop_started(number, title, tuple(reviewer.id for reviewer in reviewers))
    outcomes = dispatch(reviewers)
    return tuple(
        result_of(reviewer.id, outcome, seconds, is_required=reviewer.is_required)
        for reviewer, (outcome, seconds) in zip(reviewers, outcomes, strict=True)
    )


def _loop_of(number: int, voted: tuple[ReviewerResult, ...], note: str) -> LoopResult:
    if not voted:
        return LoopResult(number=number, status=NOTHING_TO_RUN, note=note or "nothing to run")
    return judge_loop(number, voted, note)


def result_of(name: str, outcome: Outcome, seconds: float, *, is_required: bool) -> ReviewerResult:
    """A reviewer's part in a loop."""
    return ReviewerResult(
        id=name,
        status=outcome.status,
        is_of_commits=outcome.is_of_commits,
        is_required=is_required,
        is_vote=outcome.is_vote,
        detail=outcome.could_not_run or outcome.detail,
        seconds=round(seconds, 3),
        findings=outcome.findings,
        model=outcome.model,
        via=outcome.via,
    )


def judge_loop(number: int, results: tuple[ReviewerResult, ...], note: str = "") -> LoopResult:
    """A loop fails on what reviewers found; without a required reviewer it is incomplete; else it passes."""
    failing = [result for result in results if result.status == REVIEWER_FAILED]
    absent = [result for result in results if result.status == COULD_NOT_RUN and result.is_required]
    ran = [result for result in results if result.status != COULD_NOT_RUN and result.is_vote]
    status = FAILED if failing else INCOMPLETE if absent else PASSED if ran else NOTHING_TO_RUN
    return LoopResult(number=number, status=status, note=note, reviewers=results, blockers=_blockers(failing, absent))


def _blockers(failing: list[ReviewerResult], absent: list[ReviewerResult]) -> tuple[str, ...]:
    blocking = worst_first(finding for result in failing for finding in result.findings if finding.severity.is_blocking)
    # What keeps one model away keeps all of them, and is read once.
    why: dict[str, list[str]] = {}
    for result in absent:
        why.setdefault(result.detail, []).append(result.id)
    could_not = [f"{', '.join(names)} could not run: {detail}" for detail, names in why.items()]
    return (*(blocker_text(finding) for finding in blocking), *could_not)
