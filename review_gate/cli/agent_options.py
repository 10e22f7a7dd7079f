"""The options by which install and uninstall name coding agents and whose settings are meant."""

from __future__ import annotations

import argparse

from review_gate.errors import MisuseError
from review_gate.registration.agents import AGENTS

AGENTS_MD = "agents-md"


def add_agent_options(parser: argparse.ArgumentParser, doing: str) -> None:
    """One option for each agent, and one for each place."""
    for agent in AGENTS.values():
        parser.add_argument(f"--{agent.name}", action="store_true", help=f"{doing} {agent.title}")
    parser.add_argument(
        "--agents-md", action="store_true", help="a block in AGENTS.md, for agents that have no hooks", dest="agents_md"
    )
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--project", action="store_true", help="in the settings of this project (the default)")
    scope.add_argument("--user", action="store_true", help="in your own settings, for all projects")


def agents_in(arguments: argparse.Namespace) -> list[str]:
    """The agents that were named."""
    named = [name for name in AGENTS if getattr(arguments, name)]
    return [*named, AGENTS_MD] if arguments.agents_md else named


def refuse_mixture(arguments: argparse.Namespace, agents: list[str]) -> None:
    """Options that mean nothing together are a mistake, and not something to guess about."""
    if arguments.user and AGENTS_MD in agents:
        raise MisuseError(
            "AGENTS.md belongs to a project",
            why="--user is about your own settings",
            next_step="the same command without --user",
        )
    if (arguments.user or arguments.project) and not agents:
        raise MisuseError(
            "--user and --project are about the settings of coding agents",
            why="git hooks belong to one repository",
            next_step="name an agent too, such as --claude",
        )
