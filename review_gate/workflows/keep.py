"""After a run: all that was said in it is kept, so that its report can be had again in every form."""

from __future__ import annotations

from review_gate.errors import ReviewGateError
from review_gate.gate.decision import Decision
from review_gate.loops.archive import Part, archive_of
from review_gate.loops.earlier import Memory
from review_gate.pipeline.vote import AgentPart, GapPart
from review_gate.shell.run_archive import write_run
from review_gate.workflows.agents import ground_of
from review_gate.workflows.cast import Cast
from review_gate.workflows.prepare import Prepared
from review_gate.workflows.run import Executed


def keep(prepared: Prepared, executed: Executed, memory: Memory, decision: Decision | None) -> ReviewGateError | None:
    """Keep the run; what went wrong with that, if anything, for the review itself is in the ledger."""
    archive = archive_of(
        executed.report,
        _parts(executed.cast),
        ground_of(prepared),
        memory,
        decision,
        shown=prepared.loaded.config.limits.max_findings,
    )
    try:
        write_run(prepared.repository, executed.report.id, archive.model_dump())
    except ReviewGateError as error:
        return error
    return None


def _parts(cast: Cast) -> dict[str, Part]:
    parts = {name: getattr(one, "part", None) for name, one in cast.seen.items()}
    return {name: part for name, part in parts.items() if isinstance(part, AgentPart | GapPart)}
