"""Everything that a page about a run shows."""

from __future__ import annotations

from pydantic import ConfigDict

from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.models import Finding, Frozen, Snippet


class ReportView(Frozen):
    """A finished run, the gate's word on it, the source around its findings, and how many findings are shown.

    `withheld` are the files of which nothing is quoted, because there may be a secret in them.
    """

    # A decision is made on the hook path, where no model can be paid for.
    model_config = ConfigDict(arbitrary_types_allowed=True)

    report: RunReport
    decision: Decision | None
    snippets: tuple[Snippet, ...] = ()
    withheld: tuple[str, ...] = ()
    shown: int

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings that are shown, worst first."""
        return self.report.findings[: self.shown]
