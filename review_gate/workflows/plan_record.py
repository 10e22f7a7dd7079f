"""A plan review that keeps a record, so that `--status` can tell how it ended, or that it never did."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from shlex import quote
from typing import NamedTuple

from pydantic import ValidationError

from review_gate.errors import PASS, ReviewGateError, explained
from review_gate.plans.marker import Ended, LastReview, ReviewRecord, Standing, standing_of, standing_with
from review_gate.plans.outcome import PlanOutcome
from review_gate.plans.schema import Phase
from review_gate.render.plan_result import PlanResult, failure, result_of
from review_gate.safe_text import safe, safe_line
from review_gate.shell.background import said_in, start_in_background
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.kept_files import kept_files, remove, surplus
from review_gate.shell.own_folder import make_own_folder
from review_gate.shell.plan_folder import PlanFolder, digest_of
from review_gate.strict_json import StrictJsonError, parse
from review_gate.workflows.plan_run import AskPerson, review_plan
from review_gate.workflows.plan_setup import named, set_up, wanted_of

LONGEST_CALL = 64
INTERRUPTED = "it was interrupted"
KEPT = "edits and answers so far are kept, and the same command goes on from there"
MAX_RECORD_BYTES = 8_000_000
# Of each plan there is a record, and a log where it was reviewed in the background.
MOST_FILES = 1_000
MOST_BYTES = 50_000_000
_FILE = re.compile(r"[0-9a-f]{32}\.(?:json|log)")
BEGIN_SECONDS = 20.0
LOOK_SECONDS = 0.02
# How errors of the program begin.
ERRORS = ("error: ", "blocked: ")


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
        keep_record(folder, began)
        try:
            outcome = review_plan(folder, ask, environ)
        except (Exception, KeyboardInterrupt) as error:
            is_interrupt = isinstance(error, KeyboardInterrupt)
            reason = INTERRUPTED if is_interrupt else explained(error).what
            with contextlib.suppress(OSError):
                keep_record(folder, _ended(began, failure(reason), _text_of(folder)))
            raise KeyboardInterrupt(KEPT) if is_interrupt else error from None
        result = result_of(outcome)
        keep_record(folder, _ended(began, result, _text_at_end(folder, outcome)))
    return Reviewed(result, outcome.warnings, outcome.took)


def standing_now(folder: PlanFolder) -> PlanStanding:
    """The status of a plan now, with its last review; nothing is written."""
    last, setup = last_review(folder), set_up(folder, is_to_begin=False)
    plan = digest_of(setup.plan)
    found = standing_with(standing_of(folder.read(folder.marker), wanted_of(setup)), last, plan)
    is_told = found.status != "approved" and last is not None and last.state != "running" and last.is_about(plan)
    has_log = last is not None and last.record is not None and last.record.call != ""
    return PlanStanding(found, last, plan, said_in(folder.log) if is_told and has_log else "")


def _ended(began: ReviewRecord, result: PlanResult, plan: str | None) -> ReviewRecord:
    # A match in a plan that is no UTF-8 can be no part of a record, byte for byte.
    document = json.loads(json.dumps(result.document, ensure_ascii=False).encode("utf-8", "replace"))
    words = {"reason": safe_line(result.reason), "text": safe(result.text)}
    return began.model_copy(
        update={"ended": Ended(at=_now(), plan=plan, verdict=result.ending, document=document, **words)}
    )


def _text_at_end(folder: PlanFolder, outcome: PlanOutcome) -> str | None:
    """Digest of the plan that the verdict is about: after the last edit, the edited plan."""
    review = outcome.review
    return _text_of(folder) if review.phase is Phase.INCOMPLETE or not review.plans else review.plans[-1]


def _text_of(folder: PlanFolder) -> str | None:
    with contextlib.suppress(ReviewGateError):
        data = folder.read_plan()
        return None if data is None else digest_of(data)
    return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def keep_record(folder: PlanFolder, record: ReviewRecord) -> None:
    """Keep the record of the review that is under way; of too many plans the oldest go."""
    data = json.dumps(record.model_dump(mode="python"), indent=1).encode("ascii") + b"\n"
    make_own_folder(folder.records)
    replace_file(folder.record, data, scratch=folder.records, mode=0o600, outlasts_crash=False)
    files = kept_files([folder.records], _FILE)
    remove(surplus(files, most=MOST_FILES, most_bytes=MOST_BYTES, spare=folder.record))


def record_of(folder: PlanFolder) -> ReviewRecord | None:
    """What is kept of the last review of a plan, None where nothing is that can be used."""
    try:
        data = read_plain_file(folder.record, MAX_RECORD_BYTES)
        return None if data is None else ReviewRecord.model_validate(parse(data))
    except (UnsafeFileError, StrictJsonError, ValidationError):
        return None


def last_review(folder: PlanFolder) -> LastReview | None:
    """The last review of a plan as it is now, None where nothing is known of any; nothing is written."""
    # In this order: one that has ended had written its record before.
    is_running, record = folder.is_under_way(), record_of(folder)
    if is_running:
        return LastReview("running", record if record is not None and record.ended is None else None)
    return None if record is None else LastReview("lost" if record.ended is None else "ended", record)


def begin_review(
    folder: PlanFolder, answer: str | None, plan: str, environ: Mapping[str, str], *, seconds: float = BEGIN_SECONDS
) -> None:
    """Start the review of a plan that was called so; back once it goes on, an error if it ended before it began."""
    call = secrets.token_hex(16)
    answers = [] if answer is None else [f"--answer={answer}"]
    arguments = ["expert-review", f"--call={call}", *answers, "--", plan]
    with folder.alone():
        # What cannot be reviewed is an error of this call. Its process looks again: the plan may change meanwhile.
        set_up(folder, is_to_begin=False)
        make_own_folder(folder.records)
        # In here, so that its log is not begun anew over that of a review which is going on.
        process = start_in_background(arguments, directory=os.getcwd(), environ=environ, log=folder.log)
    until, problem = time.monotonic() + seconds, f"did not begin within {seconds:g} seconds, and was ended"
    while time.monotonic() < until:
        # In this order: one that has ended had written its record before.
        code, record = process.exit_code, record_of(folder)
        # Nothing was in the way of one that approved: another review has followed it already.
        if (record is not None and record.call == call) or code == PASS:
            return
        if code is not None:
            errors = [line.partition(": ")[2] for line in said_in(folder.log).splitlines() if line.startswith(ERRORS)]
            problem = f"ended before it began: {errors[0] if errors else 'it said nothing'}"
            break
        time.sleep(LOOK_SECONDS)
    process.end()
    raise ReviewGateError(
        f"the review of {folder.plan} in the background {problem}",
        why="nothing was reviewed",
        next_step="the same command again, or without --background",
    )


def approval_problem(plan: str, path: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Why it is not approved, and what to type; two empty texts where it is."""
    if not path or not os.path.isfile(path):
        where = f"its file {path} is not there" if path else "the agent names no file of it"
        return (
            f"nobody can say that this plan was approved: {where}",
            "write the plan to its file, then review-gate expert-review FILE",
        )
    review = f"review-gate expert-review {quote(path)}"
    try:
        now = standing_now(named(path, environ))
    except ReviewGateError as error:
        # What plans are judged by is the user's to write.
        return f"the approval of this plan cannot be read: {error.what}", f"ask the user: {error.next_step}"
    if now.plan != digest_of(plan.encode("utf-8", "surrogatepass")):
        return "the plan is not the text that its file holds", f"write it to {path}, then {review}"
    return ("", "") if now.standing.status == "approved" else (now.standing.reason, review)
