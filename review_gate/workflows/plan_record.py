"""A review of a plan with a record of it: who asks later is told how it ended, or that it never did."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.errors import ReviewGateError, explained
from review_gate.plans.last_review import Ended, LastReview, ReviewRecord, standing_with
from review_gate.plans.marker import Standing
from review_gate.plans.outcome import PlanOutcome
from review_gate.plans.schema import Phase
from review_gate.render.plan_result import PlanResult, failure, result_of
from review_gate.safe_text import safe, safe_line
from review_gate.shell.background import said_in
from review_gate.shell.plan_folder import PlanFolder, digest_of
from review_gate.shell.plan_reviews import keep_record, last_review
from review_gate.workflows.expert_review import review_plan, standing
from review_gate.workflows.plan_run import AskPerson
from review_gate.workflows.plan_setup import set_up

LONGEST_CALL = 64
# Reviews that follow each other at each look are told as the last look saw them.
MOST_LOOKS = 3
INTERRUPTED = "it was interrupted"
KEPT = "edits and answers so far are kept, and the same command goes on from there"


class Reviewed(NamedTuple):
    """How a call ended, what was odd, and what the models took."""

    result: PlanResult
    warnings: tuple[str, ...]
    took: str


class PlanStanding(NamedTuple):
    """How a plan stands, by its marker and by its last review; `plan` is its digest.

    `said` is what a review in the background that did not approve wrote to standard error.
    """

    standing: Standing
    last: LastReview | None
    plan: str
    said: str = ""

    @property
    def ended(self) -> Ended | None:
        """How the last review of this very text ended."""
        return self.last.ended_with(self.plan) if self.last else None


def reviewed_on_record(folder: PlanFolder, ask: AskPerson, environ: Mapping[str, str], call: str = "") -> Reviewed:
    """Review a plan as `review_plan` does, and keep a record of when it began and how it ended."""
    with folder.alone():
        began = ReviewRecord(began=_now(), pid=os.getpid(), call=call[:LONGEST_CALL])
        keeper = _Keeper(folder)
        keeper.keep(began)
        if keeper.trouble and call:
            # Its caller waits for the record, and nobody else would learn how it ended.
            raise ReviewGateError(
                keeper.trouble[0],
                why="how a review in the background goes is told by it",
                next_step="the same command again without --background",
            )
        with _failures_kept(folder, keeper, began):
            outcome = review_plan(folder, ask, environ)
        result = result_of(outcome)
        keeper.keep(_ended(began, result, _text_at_end(folder, outcome)))
    return Reviewed(result, (*outcome.warnings, *keeper.trouble), outcome.took)


def standing_now(folder: PlanFolder) -> PlanStanding:
    """How a plan stands, and what its last review has to do with it; nothing is written."""
    for _ in range(MOST_LOOKS):
        last = last_review(folder)
        found = _standing_after(folder, last)
        # A review that began or ended meanwhile may have changed the plan between two things that were read here.
        if last_review(folder) == last:
            break
    return found


def _standing_after(folder: PlanFolder, last: LastReview | None) -> PlanStanding:
    setup = set_up(folder, is_to_begin=False)
    plan = digest_of(setup.plan)
    found = standing_with(standing(setup), last, plan)
    is_told = found.status != "approved" and last is not None and last.state != "running" and last.is_about(plan)
    has_log = last is not None and last.record is not None and last.record.call != ""
    return PlanStanding(found, last, plan, said_in(folder.log) if is_told and has_log else "")


class _Keeper:
    """Keeps the record; a review in the foreground goes on where that cannot be done."""

    def __init__(self, folder: PlanFolder) -> None:
        self._folder = folder
        self.trouble: tuple[str, ...] = ()

    def keep(self, record: ReviewRecord) -> None:
        try:
            keep_record(self._folder, record)
        except OSError as error:
            self.trouble = (f"no record of the review is kept: {error.filename or 'the cache'}: {error.strerror}",)


@contextlib.contextmanager
def _failures_kept(folder: PlanFolder, keeper: _Keeper, began: ReviewRecord) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        keeper.keep(_ended(began, failure(INTERRUPTED), _text_of(folder)))
        raise KeyboardInterrupt(KEPT) from None
    except Exception as error:
        keeper.keep(_ended(began, failure(explained(error).what), _text_of(folder)))
        raise


def _ended(began: ReviewRecord, result: PlanResult, plan: str | None) -> ReviewRecord:
    # A match in a plan that is no UTF-8 can be no part of a record, byte for byte.
    document = json.loads(json.dumps(result.document, ensure_ascii=False).encode("utf-8", "replace"))
    words = {"reason": safe_line(result.reason), "text": safe(result.text)}
    return began.model_copy(
        update={"ended": Ended(at=_now(), plan=plan, verdict=result.ending, document=document, **words)}
    )


def _text_at_end(folder: PlanFolder, outcome: PlanOutcome) -> str | None:
    """The digest of the text that a verdict is about; one after an edit that was the last is about what came of it."""
    review = outcome.review
    return _text_of(folder) if review.phase is Phase.INCOMPLETE or not review.plans else review.plans[-1]


def _text_of(folder: PlanFolder) -> str | None:
    with contextlib.suppress(ReviewGateError):
        data = folder.read_plan()
        return None if data is None else digest_of(data)
    return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
