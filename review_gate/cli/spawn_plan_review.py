"""Begin rounds of independent reviewers over a plan, or over an artifact that was made from drafts."""

from __future__ import annotations

import argparse
import json
import os
from datetime import UTC, datetime

from review_gate.cli.output import add_format, print_result
from review_gate.cli.rounds_output import add_round_options, spawned
from review_gate.consensus.scope import Scope
from review_gate.errors import PASS, MisuseError
from review_gate.safe_text import safe_line
from review_gate.standard_error import say
from review_gate.workflows.round_place import default_plan, known_plans, place_here


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of spawn-plan-review."""
    parser.add_argument("plan", nargs="?", metavar="PATH", help="a plan; without it, that of this session")
    parser.add_argument("--artifact", metavar="FILE", help="a document that was made from drafts, instead of a plan")
    parser.add_argument("--list", action="store_true", help="the plans of this user, newest first")
    add_round_options(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Begin a review and return at once, or with --wait when its round is decided."""
    if arguments.list:
        return _list(arguments.format)
    return spawned(place_here(os.environ), _scope(arguments), arguments)


def _scope(arguments: argparse.Namespace) -> Scope:
    if None not in (arguments.artifact, arguments.plan):
        raise MisuseError(
            "a plan and an artifact were named",
            why="a review is of one text",
            next_step="review-gate spawn-plan-review PATH, or --artifact FILE",
        )
    if arguments.artifact is not None:
        return Scope(kind="artifact", value=_path(arguments.artifact))
    path, note = (arguments.plan, "") if arguments.plan is not None else default_plan(os.environ)
    if note:
        say(f"warning: {safe_line(note)}\n")
    return Scope(kind="plan", value=_path(path))


def _path(name: str) -> str:
    """Where a file is; no name is none, and not that of the folder."""
    return os.path.abspath(name) if name else ""


def _list(form: str) -> int:
    plans = known_plans(os.environ)
    if form == "json":
        print_result(json.dumps([{"path": one.path, "written": _time(one.written)} for one in plans], indent=2))
    else:
        print_result("".join(f"{_time(one.written)}  {safe_line(one.path)}\n" for one in plans) or "no plan is known\n")
    return PASS


def _time(written: float) -> str:
    return datetime.fromtimestamp(written, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
