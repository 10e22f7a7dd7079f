"""Ask the gate: may this commit, or this range, be pushed."""

from __future__ import annotations

import argparse

from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, PASS, MisuseError
from review_gate.gate.decision import Decision
from review_gate.render.decision import decision_json, decision_text, uncovered_text
from review_gate.shell.known_remotes import KnownRemotes
from review_gate.shell.repository import Repository, open_repository
from review_gate.workflows import verify
from review_gate.workflows.policy import policy_in_force


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of verify."""
    parser.add_argument("revision", nargs="?", metavar="REV", help="the commit to judge (default: HEAD)")
    parser.add_argument("--range", metavar="A..B", help="judge B, taking A as what the remote has")
    parser.add_argument("--remote", metavar="NAME", help="the remote it would be pushed to")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judge, print, and exit 0 when the gate is open."""
    if arguments.range is not None and arguments.revision is not None:
        raise MisuseError(
            "REV and --range were both given", why="the gate judges one thing at a time", next_step="give one of them"
        )
    decision = _decide(open_repository("."), arguments)
    if arguments.format == "json":
        print_result(decision_json(decision))
    else:
        print_result(decision_text(decision) + uncovered_text(decision))
    return PASS if decision.allowed else BLOCKED


def _decide(repository: Repository, arguments: argparse.Namespace) -> Decision:
    if arguments.remote is not None and arguments.remote not in KnownRemotes(repository.git).names():
        raise MisuseError(
            f"there is no remote {arguments.remote!r}",
            why="the gate has to know what the remote already has",
            next_step="git remote -v",
        )
    compiled = policy_in_force(repository)
    if arguments.range is not None:
        base, tip = verify.split_range(arguments.range)
        ends = verify.resolve(repository, base), verify.resolve(repository, tip)
        return verify.judge_range(repository, *ends, compiled, name=tip)
    revision = "HEAD" if arguments.revision is None else arguments.revision
    commit = verify.resolve(repository, revision)
    return verify.judge_commit(repository, commit, compiled, remote=arguments.remote, name=revision)
