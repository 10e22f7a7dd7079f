"""Check that nothing can slip past the gate; one line and a next step for each problem."""

from __future__ import annotations

import argparse
import json

from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, PASS
from review_gate.safe_text import safe_line
from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import Examination, examine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of doctor."""
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine, print, and exit 1 when something is wrong."""
    found = examine(open_repository("."))
    print_result(json.dumps(found.model_dump(), indent=2) if arguments.format == "json" else _text(found))
    return BLOCKED if found.complaints else PASS


def _text(found: Examination) -> str:
    lines = [f"ok       {safe_line(line)}" for line in found.healthy]
    lines += [f"note     {safe_line(line)}" for line in found.notes]
    for complaint in found.complaints:
        lines.append(f"PROBLEM  {safe_line(complaint.what)}")
        lines.append(f"         next: {safe_line(complaint.next_step)}")
    return "\n".join(lines)
