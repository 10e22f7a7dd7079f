"""What earlier reviews of the same content mean for the loops of a run: results to keep, and failures to remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from review_gate.gate.record import FAILED, NOT_RUN, PASSED
from review_gate.loops.report import LoopResult
from review_gate.loops.state import stored_loop


def earlier_results(
    reviews: Sequence[Mapping[str, object]], base: str
) -> tuple[dict[int, LoopResult], dict[int, LoopResult]]:
    """Out of the reviews of one content under one policy, oldest first: the results to keep, and the failures.

    A result is kept for the same base only. A loop counts as failed when its newest real result failed, against
    whichever base: a run that finds nothing to do in it must not hide that, and a real pass ends it.
    """
    kept: dict[int, LoopResult] = {}
    newest: dict[int, LoopResult] = {}
    for review in reversed(reviews):
        for loop in _loops_of(review):
            taken_over = loop.model_copy(update={"is_kept": True})
            if not loop.is_kept and loop.status in (PASSED, FAILED):
                newest.setdefault(loop.number, taken_over)
            if review.get("base") == base and loop.status != NOT_RUN:
                kept.setdefault(loop.number, taken_over)
    failures = {number: loop for number, loop in newest.items() if loop.status == FAILED}
    outdated = {number for number, loop in kept.items() if loop.status == FAILED} - failures.keys()
    return {number: loop for number, loop in (kept | failures).items() if number not in outdated}, failures


def _loops_of(review: Mapping[str, object]) -> list[LoopResult]:
    results = review.get("loop_results")
    entries: Sequence[object] = results if isinstance(results, list) else ()
    return [loop for loop in (stored_loop(entry) for entry in entries) if loop is not None]
