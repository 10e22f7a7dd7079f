"""Put the gate into git's hooks, beside whatever is there already."""

from __future__ import annotations

import argparse

from review_gate.cli.output import print_result
from review_gate.errors import PASS
from review_gate.safe_text import safe_line
from review_gate.shell.repository import open_repository
from review_gate.standard_error import say
from review_gate.workflows.install import install

NEXT = "next:  work as usual, and before git push: review-gate run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of install."""
    parser.add_argument("--git", action="store_true", help="the git hooks (the default)")
    parser.add_argument(
        "--watch", action="store_true", help="also a reference-transaction hook that notes pushes made with --no-verify"
    )


def run(arguments: argparse.Namespace) -> int:
    """Install and say what was done."""
    done = install(open_repository("."), with_watcher=arguments.watch)
    for warning in done.warnings:
        say(f"warning: {safe_line(warning)}\n")
    lines = [
        f"installed in {safe_line(done.folder)}",
        *(f"  {safe_line(line)}" for line in done.lines),
        NEXT,
    ]
    print_result("\n".join(lines))
    return PASS
