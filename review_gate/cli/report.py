"""Show the report of an earlier run again, in any form, from what was kept of it."""

from __future__ import annotations

import argparse

from review_gate.cli.output import add_format, print_result
from review_gate.cli.report_forms import REPORT_FORMATS, formatted
from review_gate.errors import BLOCKED, PASS
from review_gate.gate.record import short
from review_gate.render.runs_text import runs_json, runs_text
from review_gate.shell.repository import open_repository
from review_gate.standard_error import say
from review_gate.workflows.report import EarlierRun, earlier_run, earlier_runs, page_of

LAST = "last"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of report."""
    parser.add_argument("run", nargs="?", default=LAST, metavar="RUN", help="the id of a run; without it, the last one")
    parser.add_argument("--list", action="store_true", help="the runs of this work tree that are kept, newest first")
    add_format(parser, *REPORT_FORMATS)


def run(arguments: argparse.Namespace) -> int:
    """Print the report; the exit code is that of the run."""
    repository = open_repository(".")
    if arguments.list:
        found = [one.report for one in earlier_runs(repository)]
        print_result(runs_json(found) if arguments.format == "json" else runs_text(found))
        return PASS
    earlier = earlier_run(repository, arguments.run)
    text = formatted(
        arguments.format,
        earlier.report,
        earlier.decision,
        shown=earlier.shown,
        view=lambda: page_of(repository, earlier),
    )
    print_result(text)
    say(_heading(earlier))
    return PASS if earlier.report.has_passed_requested else BLOCKED


def _heading(earlier: EarlierRun) -> str:
    """Which run it is, apart from the report, which is as it was."""
    report = earlier.report
    kind = "staged tree" if report.subject.is_staged else "commit"
    what = f"run {report.id} of {kind} {short(report.subject.name)}, finished {report.finished}"
    return f"{what}; what the gate says now: review-gate verify\n"
