"""Take the gate out of git's hooks; what was there before returns, and the review records stay."""

from __future__ import annotations

import argparse

from review_gate.cli.output import print_result
from review_gate.errors import PASS
from review_gate.safe_text import safe_line
from review_gate.shell.repository import open_repository
from review_gate.workflows.configure import state_file_of
from review_gate.workflows.uninstall import leftovers, uninstall


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of uninstall."""
    parser.add_argument("--git", action="store_true", help="the git hooks (the default)")


def run(_: argparse.Namespace) -> int:
    """Uninstall and say what was done."""
    repository = open_repository(".")
    state_file = state_file_of(repository)
    done = uninstall(repository)
    lines = [*done, *leftovers(repository, state_file)] if done else ["nothing of review-gate was installed"]
    print_result("\n".join(map(safe_line, lines)))
    return PASS
