"""Take the gate out of git's hooks, or an agent's; what was there before returns, and the review records stay."""

from __future__ import annotations

import argparse
import os

from review_gate.cli.agent_options import add_agent_options, agents_in, refuse_mixture
from review_gate.cli.output import print_result
from review_gate.errors import PASS
from review_gate.safe_text import safe_line
from review_gate.shell.repository import open_repository
from review_gate.workflows.configure import state_file_of
from review_gate.workflows.uninstall import leftovers, uninstall


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of uninstall."""
    parser.add_argument("--git", action="store_true", help="the git hooks (the default)")
    add_agent_options(parser, "take it out of")


def run(arguments: argparse.Namespace) -> int:
    """Uninstall and say what was done."""
    agents = agents_in(arguments)
    refuse_mixture(arguments, agents)
    lines: list[str] = []
    for name in agents:
        done = _uninstall_agent(name, for_user=arguments.user)
        lines += done or [f"nothing of review-gate was registered with --{name}"]
    if arguments.git or not agents:
        lines += _uninstall_git() or ["nothing of review-gate was installed"]
    print_result("\n".join(map(safe_line, lines)))
    return PASS


def _uninstall_git() -> list[str]:
    repository = open_repository(".")
    state_file = state_file_of(repository)
    done = uninstall(repository)
    return [*done, *leftovers(repository, state_file), *_still_registered()] if done else []


def _still_registered() -> list[str]:
    from review_gate.shell.agent_record import project_record

    names = [one.agent for one in project_record(open_repository(".")).read().registrations]
    return [f"kept: what is registered with agents (review-gate uninstall --{' --'.join(names)})"] if names else []


def _uninstall_agent(name: str, *, for_user: bool) -> list[str]:
    from review_gate.shell.agent_record import project_record
    from review_gate.workflows.agents_here import project_target, user_target
    from review_gate.workflows.agents_md import AGENTS_MD, uninstall_agents_md
    from review_gate.workflows.uninstall_agent import uninstall_agent

    if for_user:
        target = user_target(name, os.environ)
    else:
        repository = open_repository(".")
        if name == AGENTS_MD.name:
            return uninstall_agents_md(repository.top, project_record(repository))
        target = project_target(name, repository)
    return uninstall_agent(target.place, target.record_place)
