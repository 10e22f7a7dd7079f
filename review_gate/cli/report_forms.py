"""The forms in which the report of a run is printed; the code of each is loaded when somebody wants it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.render import run_text

if TYPE_CHECKING:
    from review_gate.render.report_view import ReportView

REPORT_FORMATS = ("sarif", "junit", "github", "markdown", "html")


def formatted(
    form: str, report: RunReport, decision: Decision | None, *, shown: int, view: Callable[[], ReportView]
) -> str:
    """A report in one of its forms; only the page needs more than the report, and asks for it."""
    if form == "text":
        return run_text.report_text(report, decision, shown=shown)
    if form == "html":
        from review_gate.render.html_report import html

        return html(view())
    if form == "markdown":
        from review_gate.render.markdown_report import markdown

        return markdown(report, decision, shown=shown)
    if form == "sarif":
        from review_gate.render.sarif import sarif

        return sarif(report, decision)
    if form == "github":
        from review_gate.render.github import github

        return github(report, decision)
    if form == "junit":
        from review_gate.render.junit import junit

        return junit(report)
    return run_text.report_json(report, decision)
