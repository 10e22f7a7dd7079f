"""A review of a plan that goes on in the background: what keeps it from beginning is told at once."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping
from typing import NamedTuple

from review_gate.errors import PASS, ReviewGateError
from review_gate.shell.background import Background, said_in, start_in_background
from review_gate.shell.plan_folder import PlanFolder
from review_gate.shell.plan_reviews import make_records_folder, record_of
from review_gate.workflows.plan_setup import set_up

BEGIN_SECONDS = 20.0
LOOK_SECONDS = 0.02
# How errors of the program begin.
ERRORS = ("error: ", "blocked: ")
WITHOUT_A_WORD = "the review in the background ended before it began"


class EndedEarly(NamedTuple):
    """A review that ended before it began: its exit code, and what it said."""

    exit_code: int
    said: str

    @property
    def reason(self) -> str:
        """The error among what it said."""
        errors = (line.partition(": ")[2] for line in self.said.splitlines() if line.startswith(ERRORS))
        return next(errors, WITHOUT_A_WORD)


def begin_review(
    folder: PlanFolder, answer: str | None, plan: str, environ: Mapping[str, str], *, seconds: float = BEGIN_SECONDS
) -> EndedEarly | None:
    """Start the review of a plan that was called so; back once it goes on, or has ended before it began."""
    call = secrets.token_hex(16)
    answers = [] if answer is None else [f"--answer={answer}"]
    arguments = ["expert-review", f"--call={call}", *answers, "--", plan]
    with folder.alone():
        # What cannot be reviewed is an error of this call. Its process looks again: the plan may change meanwhile.
        set_up(folder, is_to_begin=False)
        make_records_folder(folder)
        # In here, so that its log is not begun anew over that of a review which is going on.
        process = start_in_background(arguments, directory=os.getcwd(), environ=environ, log=folder.log)
    return _begun(folder, process, call, seconds)


def _begun(folder: PlanFolder, process: Background, call: str, seconds: float) -> EndedEarly | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        # In this order: one that has ended had written its record before.
        code = process.exit_code
        record = record_of(folder)
        if record is not None and record.call == call:
            return None
        if code is not None:
            # Nothing was in the way of one that approved: another review has followed it already.
            return None if code == PASS else EndedEarly(code, said_in(folder.log))
        time.sleep(LOOK_SECONDS)
    process.end()
    raise ReviewGateError(
        f"the review of {folder.plan} did not begin within {seconds:g} seconds, and was ended",
        why="nothing was reviewed; the machine may be busy",
        next_step="the same command again, or without --background",
    )
