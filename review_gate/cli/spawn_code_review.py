"""Begin rounds of independent reviewers over a change; they vote in the background until they agree."""

from __future__ import annotations

import argparse
import os

from review_gate.cli.output import add_format
from review_gate.cli.rounds_output import add_round_options, spawned
from review_gate.consensus.scope import Scope
from review_gate.errors import MisuseError
from review_gate.workflows.round_place import place_here


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of spawn-code-review."""
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--uncommitted", action="store_true", help="all that differs from HEAD, untracked files too")
    scope.add_argument("--base", metavar="B", help="HEAD since it left B")
    scope.add_argument("--commit", metavar="SHA", help="what one commit changes")
    scope.add_argument("range", nargs="?", metavar="RANGE", help="A..B, or A...B")
    add_round_options(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Begin a review and return at once, or with --wait when its round is decided."""
    return spawned(place_here(os.environ), _scope(arguments), arguments)


def _scope(arguments: argparse.Namespace) -> Scope:
    if arguments.uncommitted:
        return Scope(kind="uncommitted")
    for kind in ("base", "commit", "range"):
        value = getattr(arguments, kind)
        if value:
            return Scope.model_validate({"kind": kind, "value": value})
    raise MisuseError(
        "no scope was given",
        why="what is reviewed is never guessed",
        next_step="review-gate spawn-code-review --uncommitted, --base BRANCH, --commit SHA, or A..B",
    )
