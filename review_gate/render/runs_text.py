"""The runs that can be looked at again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from review_gate.gate.record import short
from review_gate.loops.report import RunReport

NONE = "no run is kept in this work tree\n"


def runs_text(reports: Sequence[RunReport]) -> str:
    """A line for each run."""
    return "".join(_line(report) for report in reports) or NONE


def _line(report: RunReport) -> str:
    what = "staged " if report.subject.is_staged else ""
    loops = ",".join(map(str, report.requested))
    verdict = report.verdict.value if report.is_complete else "incomplete"
    word = "passed" if report.has_passed_requested else "did not pass"
    return f"{report.id}  {report.finished}  {what}{short(report.subject.name)}  loops {loops} {word}: {verdict}\n"


def runs_json(reports: Sequence[RunReport]) -> str:
    """The same for programs."""
    runs = [
        {
            **report.heading,
            "requested": list(report.requested),
            "passed": report.has_passed_requested,
            "complete": report.is_complete,
        }
        for report in reports
    ]
    return json.dumps({"runs": runs}, indent=2)
