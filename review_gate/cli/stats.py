"""The history of reviews: how many, what they found, what became of it, what it cost."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from review_gate.cli.output import add_format, is_terminal, print_result
from review_gate.errors import PASS
from review_gate.standard_error import say

if TYPE_CHECKING:
    from review_gate.prompts.history.stats import Stats


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of stats."""
    parser.add_argument("--since", metavar="DATE", help="from this day (YYYY-MM-DD, UTC), or 30d for the last 30 days")
    parser.add_argument("--until", metavar="DATE", help="up to this day")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--project", metavar="NAME", help="prompt reviews of one project only")
    which.add_argument("--all", action="store_true", help="of all projects, as without --project")
    add_format(parser, "html")
    parser.add_argument("--output", metavar="FILE", help="write it there instead of to standard output")


def run(arguments: argparse.Namespace) -> int:
    """Show the history; that there is none is no error."""
    from review_gate.prompts.history.period import period_of
    from review_gate.workflows.stats import StatsRequest, gather

    today = datetime.now(UTC).date()
    period = period_of(arguments.since, arguments.until, today)
    stats = gather(StatsRequest(period, today, arguments.project), os.environ)
    _put(_formatted(stats, arguments), arguments.output)
    return PASS


def _formatted(stats: Stats, arguments: argparse.Namespace) -> str:
    if arguments.format == "json":
        return stats.model_dump_json(indent=2)
    if arguments.format == "html":
        from review_gate.render.stats_html import stats_html

        return stats_html(stats)
    from shutil import get_terminal_size

    from review_gate.render.bars import look_of
    from review_gate.render.stats_text import stats_text

    is_ours = arguments.output is None and sys.stdout is not None
    encoding = sys.stdout.encoding if is_ours else "utf-8"
    look = look_of(encoding, get_terminal_size().columns, is_terminal=is_ours and is_terminal())
    return stats_text(stats, look)


def _put(text: str, path: str | None) -> None:
    if path is None:
        print_result(text)
        return
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    say(f"written to {path}\n")
