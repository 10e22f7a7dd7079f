"""Where this commit stands, in one screen."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from review_gate.cli.output import add_format, print_result
from review_gate.errors import PASS
from review_gate.render.status import status_json, status_text
from review_gate.shell.repository import open_repository
from review_gate.workflows.status import status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of status."""
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the status; looking is never an error."""
    now = status(open_repository("."))
    print_result(status_json(now) if arguments.format == "json" else status_text(now, datetime.now(UTC)))
    return PASS
