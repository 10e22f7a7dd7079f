"""Print one line for Claude Code's status line, which tells on standard input where its session is."""

from __future__ import annotations

import os
import sys

from review_gate.cli.output import print_result
from review_gate.errors import PASS
from review_gate.workflows.statusline import status_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

MAX_BYTES = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are no options."""


def usual_arguments(arguments: list[str]) -> argparse.Namespace | None:
    """Without the parser, which takes longer than the answer."""
    return object() if not arguments else None  # type: ignore[return-value]  # nothing is read from it


def run(_arguments: argparse.Namespace) -> int:
    """Print the line; whatever stands on standard input, there is one."""
    is_told = sys.stdin is not None and not sys.stdin.isatty()
    print_result(status_line(sys.stdin.buffer.read(MAX_BYTES) if is_told else b"", os.environ))
    return PASS
