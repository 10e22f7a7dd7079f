"""What a page about a run shows, gathered after the run was recorded."""

from __future__ import annotations

from review_gate.checks.applies import Page
from review_gate.checks.plan import CheckPlan
from review_gate.checks.rule import REDACTED_CATEGORIES
from review_gate.checks.scan import Scan
from review_gate.config.schema import Config
from review_gate.gate.decision import Decision
from review_gate.loops.report import RunReport
from review_gate.render.report_view import ReportView
from review_gate.shell.deadline import watch
from review_gate.shell.repository import Repository
from review_gate.shell.snippets import read_snippets
from review_gate.workflows.secret_search import secrets_plan


def view_of(
    repository: Repository,
    config: Config,
    checks: CheckPlan | None,
    report: RunReport,
    decision: Decision | None,
    *,
    shown: int,
) -> ReportView:
    """The report with the source around its findings, from the very tree that was reviewed."""
    secrets = _Secrets(checks, config.checks.seconds_per_file)
    read = read_snippets(repository.git, report.subject.tree, report.findings, shown=shown, look_at=secrets.look_at)
    withheld = secrets.withheld(report)
    snippets = tuple(snippet for snippet in read if snippet.file not in withheld)
    return ReportView(
        report=report, decision=decision, snippets=snippets, withheld=tuple(sorted(withheld)), shown=shown
    )


class _Secrets:
    """Which files are not quoted because of a secret in them.

    The run itself may not know: it stops at the first loop that fails, and of a file it looks at new lines only.
    """

    def __init__(self, plan: CheckPlan | None, seconds: float) -> None:
        in_time = watch(seconds)
        self._scan = Scan(secrets_plan(plan), watch=in_time)
        self._paths: list[str] = []

    def look_at(self, path: str, data: bytes) -> None:
        """Look at all of a file that may be quoted."""
        self._paths.append(path)
        self._scan.look_at(Page(path, data, is_change=True, is_new=True))

    def withheld(self, report: RunReport) -> set[str]:
        """The files with something that looks like a secret; a comment that lets one pass does not make it public."""
        result = self._scan.finish()
        if result.failures:
            found = set(self._paths)
        else:
            found = {*result.unseen, *(alarm.file for alarm in (*result.alarms, *self._scan.suppressed))}
        known = (one.file for one in report.findings if one.file and one.category in REDACTED_CATEGORIES)
        return found.union(known)
