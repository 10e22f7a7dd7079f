"""What earlier reviews of the same content mean for a run: results to keep, and failures that still stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from review_gate.embedded import CHECK_REVIEWERS
from review_gate.gate.record import FAILED, NOT_RUN
from review_gate.loops.report import LoopResult, ReviewerResult
from review_gate.loops.run import judge_loop
from review_gate.loops.state import stored_loop
from review_gate.models import Frozen, Subject
from review_gate.ports import REVIEWER_FAILED, REVIEWER_PASSED, SESSION

Failures = Mapping[str, ReviewerResult]
BY_PATTERNS, BY_SESSION, BY_MODEL = range(3)
ABSENT = "failed earlier and did not run since"
STANDING = {
    BY_SESSION: "failed by the session's word, and neither it nor a model has passed it since",
    BY_MODEL: "failed by a model's word, and no model has passed it since",
}


class StandingFailure(Frozen):
    """A reviewer that failed in a loop and has not passed since."""

    loop: int
    result: ReviewerResult


class Memory(Frozen):
    """What of earlier reviews still counts: the newest result of each loop, and the failures that nobody has ended."""

    kept: tuple[LoopResult, ...] = ()
    failures: tuple[StandingFailure, ...] = ()


def memory_of(reviews: Sequence[Mapping[str, object]], subject: Subject) -> Memory:
    """What the reviews of the same content under the same policy, oldest first, mean for another run."""
    earlier = [(review, _loops_of(review)) for review in reviews]
    standing = _standing_failures(earlier, subject.commit)
    kept = _kept([_kept_for(subject, review, found) for review, found in earlier if _is_of(review, subject)], standing)
    failures = [
        StandingFailure(loop=number, result=one) for number, found in standing.items() for one in found.values()
    ]
    return Memory(kept=tuple(kept.values()), failures=tuple(failures))


def in_the_light_of(memory: Memory, loops: Iterable[LoopResult], *, requested: Sequence[int]) -> tuple[LoopResult, ...]:
    """The loops of a run, given what is remembered of the same content.

    A loop that was not requested keeps its result for the same commit and base. A reviewer whose newest word is a
    failure, against whichever base, goes on failing its loop until it passes itself: that others passed, or that it was
    left out or could not run this time, must not hide what it found.
    """
    kept = {loop.number: loop for loop in memory.kept}
    return tuple(
        _with_failures(
            loop if loop.number in requested else kept.get(loop.number, loop),
            {one.result.id: one.result for one in memory.failures if one.loop == loop.number},
        )
        for loop in loops
    )


def _is_of(review: Mapping[str, object], subject: Subject) -> bool:
    """Whether a review is of this very subject; a commit's staged tree was the same."""
    return review.get("base") == subject.base and review.get("commit") in (subject.commit, None)


def _kept_for(subject: Subject, review: Mapping[str, object], loops: list[LoopResult]) -> list[LoopResult]:
    """The loops whose word counts for a subject: in an index the checks saw no message and no replaced version."""
    if subject.is_staged or review.get("commit") is not None:
        return loops
    return [loop for loop in loops if not any(result.id in CHECK_REVIEWERS for result in loop.reviewers)]


def _loops_of(review: Mapping[str, object]) -> list[LoopResult]:
    results = review.get("loop_results")
    entries: Sequence[object] = results if isinstance(results, list) else ()
    return [loop for loop in (stored_loop(entry) for entry in entries) if loop is not None]


def _standing_failures(
    reviews: Iterable[tuple[Mapping[str, object], list[LoopResult]]], commit: str | None
) -> dict[int, dict[str, ReviewerResult]]:
    """For each loop the reviewers that failed and have not passed since.

    A copy of a failure counts like the failure, which may be too old for the ledger; a copy of a pass says nothing.
    """
    standing: dict[int, dict[str, ReviewerResult]] = {}
    for review, loops in reviews:
        is_of_commit = commit is not None and review.get("commit") == commit
        for loop in loops:
            _take_in(standing.setdefault(loop.number, {}), loop, is_of_commit=is_of_commit)
    return standing


def _take_in(failing: dict[str, ReviewerResult], loop: LoopResult, *, is_of_commit: bool) -> None:
    """Adds who failed in a loop and takes out who passed.

    The same content may be that of several commits; a failure about one of these itself begins and ends with that one.
    """
    for result in loop.reviewers:
        if result.status == REVIEWER_FAILED and (is_of_commit or not result.is_of_commits):
            failing[result.id] = result.model_copy(update={"is_kept": True})
        elif result.status == REVIEWER_PASSED and not loop.is_kept and not result.is_kept:
            earlier = failing.get(result.id)
            if earlier is not None and (is_of_commit or not earlier.is_of_commits) and _ends(result, earlier):
                del failing[result.id]


def _ends(passed: ReviewerResult, failed: ReviewerResult) -> bool:
    """Whether a pass says that what failed is no more.

    Patterns know nothing of what a session found, and the session that wrote the code does not take back what a model
    found in it.
    """
    return _weight(passed) >= _weight(failed)


def _weight(result: ReviewerResult) -> int:
    """Who stands behind the word of a reviewer: patterns alone, the session, or a model."""
    if result.model is not None and result.model.provider != SESSION:
        return BY_MODEL
    return BY_PATTERNS if result.via is None else BY_SESSION


def _kept(reviews: list[list[LoopResult]], standing: Mapping[int, Failures]) -> dict[int, LoopResult]:
    """The newest result of each loop, but for a failure that a pass against another base has ended since."""
    newest = {loop.number: loop for loops in reviews for loop in loops if loop.status != NOT_RUN}
    return {
        number: loop.model_copy(update={"is_kept": True})
        for number, loop in newest.items()
        if loop.status != FAILED or _failing(loop) <= standing.get(number, {}).keys()
    }


def _failing(loop: LoopResult) -> set[str]:
    return {result.id for result in loop.reviewers if result.status == REVIEWER_FAILED}


def _why_it_stands(added: Sequence[ReviewerResult], passed: set[str]) -> Iterator[str]:
    """What is said of failures that others have not ended, by who would have to."""
    groups = {
        ABSENT: [one.id for one in added if one.id not in passed],
        **{
            words: [one.id for one in added if one.id in passed and _weight(one) == weight]
            for weight, words in STANDING.items()
        },
    }
    for words, names in groups.items():
        if names:
            yield f"{words}: {', '.join(sorted(names))}"


def _ended(passed: Iterable[ReviewerResult], failures: Failures) -> set[str]:
    return {one.id for one in passed if one.id not in failures or _ends(one, failures[one.id])}


def _with_failures(loop: LoopResult, failures: Failures) -> LoopResult:
    """The loop with the failures that nobody who voted in it has ended."""
    voted = {result.id for result in loop.reviewers if result.status in (REVIEWER_PASSED, REVIEWER_FAILED)}
    passed = [result for result in loop.reviewers if result.status == REVIEWER_PASSED]
    ended = _failing(loop) if loop.is_kept else _failing(loop) | _ended(passed, failures)
    added = tuple(failures[name] for name in failures if name not in ended)
    if not added:
        return loop
    names = {result.id for result in added}
    others = tuple(result for result in loop.reviewers if result.id not in names)
    is_fresh = bool(voted - names) and not loop.is_kept
    notes = _why_it_stands(added, {result.id for result in passed}) if is_fresh else ()
    judged = judge_loop(loop.number, others + added, "; ".join(filter(None, (loop.note, *notes))))
    return judged.model_copy(update={"is_kept": not is_fresh})
