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
    from review_gate.prompts.period import period_of
    from review_gate.workflows.stats import StatsRequest, gather

    period = period_of(arguments.since, arguments.until, datetime.now(UTC).date())
    waiting = Waiting()
    stats = gather(StatsRequest(period, arguments.project), os.environ, waiting.read)
    waiting.end()
    if arguments.format == "json":
        text = stats.model_dump_json(indent=2)
    elif arguments.format == "html":
        from review_gate.render.stats_html import stats_html

        text = stats_html(stats)
    else:
        from review_gate.render.bars import look_of
        from review_gate.render.stats_text import stats_text

        has_terminal = is_terminal() and not arguments.output
        encoding = "utf-8" if arguments.output or sys.stdout is None else sys.stdout.encoding
        text = stats_text(stats, look_of(encoding, _columns(), os.environ, is_terminal=has_terminal))
    _put(text, arguments.output)
    return PASS


def _columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _put(text: str, path: str | None) -> None:
    if path is None:
        print_result(text)
        return
    from review_gate.shell.files import replace_file

    # A folder or a device is no place for a file, and what is there by then is another version of the same.
    replace_file(path, text.encode("utf-8", "backslashreplace"), scratch=os.path.dirname(path) or ".")
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
