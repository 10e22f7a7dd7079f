"""The loops of a prepared run, over objects and in the folder where commands see exactly these."""

from __future__ import annotations

import secrets
from contextlib import closing
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.checks.weakened import ALL_OFF
from review_gate.loops.report import RunReport
from review_gate.loops.run import run_loops
from review_gate.ports import Progress
from review_gate.shell.dispatch import dispatch_in_threads
from review_gate.workflows.agents import closing_panel
from review_gate.workflows.cast import Cast
from review_gate.workflows.command_folder import command_folder
from review_gate.workflows.prepare import Prepared
from review_gate.workflows.withheld import veiled


class Executed(NamedTuple):
    """What came of the loops, and the reviewers that know what it was made of."""

    report: RunReport
    cast: Cast


def execute(prepared: Prepared, progress: Progress) -> Executed:
    """Run the loops; the result is bound to the object ids taken at the start."""
    started = _now()
    with command_folder(prepared) as folder, closing_panel(prepared), closing(prepared.scan_process):
        cast = Cast(prepared, folder, progress)
        loops = run_loops(
            cast.of,
            prepared.plan.requested,
            {loop.number: loop.note for loop in prepared.plan.loops},
            dispatch=lambda reviewers: dispatch_in_threads(reviewers, progress, prepared.commands),
            progress=progress,
            added_to=cast.added_to,
        )
    report = RunReport(
        id=secrets.token_hex(16),
        subject=prepared.subject,
        policy=prepared.policy.policy,
        started=started,
        finished=_now(),
        requested=prepared.plan.requested,
        file_count=len(prepared.changes),
        loops=veiled(prepared, loops),
        weakened=tuple(prepared.checks.weakened) if prepared.checks is not None else (ALL_OFF,),
        gaps=(*prepared.stages.gaps, *cast.gaps),
    )
    return Executed(report, cast)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
