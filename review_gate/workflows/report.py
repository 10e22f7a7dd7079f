"""review-gate report: the report of an earlier run, worked out again from what everybody said in it."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from pydantic import ValidationError

from review_gate.errors import MisuseError
from review_gate.gate.decision import Decision
from review_gate.loops.archive import RunArchive, decision_then, replay
from review_gate.loops.report import RunReport
from review_gate.render.report_view import ReportView
from review_gate.shell.repository import Repository
from review_gate.shell.run_archive import damaged, id_of, list_runs, read_run
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration


class EarlierRun(NamedTuple):
    """A run that was kept: its report, what the gate said then, and how many findings are shown of it."""

    report: RunReport
    decision: Decision | None
    shown: int


def earlier_run(repository: Repository, name: str) -> EarlierRun:
    """The run of that id, or the last one of this work tree."""
    run_id = id_of(repository, name)
    document = read_run(repository, run_id)
    try:
        archive = RunArchive.model_validate(document)
        if archive.head.id != run_id:
            raise damaged(run_id, "it is another run")
        return EarlierRun(replay(archive), decision_then(archive), archive.shown)
    except ValidationError:
        raise damaged(run_id, "it has another shape") from None


def earlier_runs(repository: Repository) -> list[EarlierRun]:
    """Every run of this work tree that is kept and whole, newest first."""
    found = []
    for kept in list_runs(repository):
        with contextlib.suppress(MisuseError):
            found.append(earlier_run(repository, kept.id))
    return found


def page_of(repository: Repository, run: EarlierRun) -> ReportView:
    """What the page about an earlier run shows; whether a file holds a secret is asked of the checks of today."""
    from review_gate.workflows.report_view import view_of

    loaded = load_configuration(repository)
    _, checks = policy_of(repository, loaded)
    return view_of(repository, loaded.config, checks, run.report, run.decision, shown=run.shown)
