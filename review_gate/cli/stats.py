"""The history of reviews: how many, what they found, what became of it, what it cost."""

from __future__ import annotations

import argparse
import os
import sys
import time
from datetime import UTC, datetime

from review_gate.cli.output import add_format, is_terminal, print_result
from review_gate.errors import PASS
from review_gate.standard_error import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.prompts.history.stats import Stats

PATIENCE_SECONDS, PAUSE_SECONDS = 1.0, 0.2


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
    waiting = Waiting()
    stats = gather(StatsRequest(period, today, arguments.project), os.environ, waiting.read)
    waiting.end()
    _put(_formatted(stats, arguments), arguments.output)
    return PASS


def _formatted(stats: Stats, arguments: argparse.Namespace) -> str:
    if arguments.format == "json":
        return stats.model_dump_json(indent=2)
    if arguments.format == "html":
        from review_gate.render.stats_html import stats_html

        return stats_html(stats)
    from review_gate.render.bars import look_of
    from review_gate.render.stats_text import stats_text

    is_ours = arguments.output is None and sys.stdout is not None
    encoding = sys.stdout.encoding if is_ours else "utf-8"
    return stats_text(stats, look_of(encoding, _columns(), os.environ, is_terminal=is_ours and is_terminal()))


def _columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _put(text: str, path: str | None) -> None:
    if path is None:
        print_result(text)
        return
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    say(f"written to {path}\n")


class Waiting:
    """A line on a terminal for somebody who waits; the usual history is read before it would come."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE_SECONDS
        self._is_shown = False
        self._has_reader = sys.stderr is not None and sys.stderr.isatty()

    def read(self, done: int, total: int) -> None:
        """So much of the log has been read."""
        if self._has_reader and time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE_SECONDS
            self._is_shown = True
            say(f"\rreading the log: {min(99, done * 100 // max(1, total))} %")

    def end(self) -> None:
        """Take the line away."""
        if self._is_shown:
            say("\r" + " " * 30 + "\r")
