"""Put the gate into git's hooks, or into those of coding agents, beside whatever is there already."""

from __future__ import annotations

import argparse
import os

from review_gate.cli.agent_options import add_agent_options, agents_in, refuse_mixture
from review_gate.cli.output import print_result
from review_gate.errors import PASS
from review_gate.safe_text import safe_line
from review_gate.shell.repository import open_repository
from review_gate.standard_error import say
from review_gate.workflows.install import install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.workflows.install_agent import AgentInstalled

NEXT = "next:  work as usual, and before git push: review-gate run"
BOUNDARY = "next:  review-gate install (the git hooks are missing here, and they are the boundary)"
EVERYWHERE = "next:  in each repository: review-gate install (the git hooks are the boundary)"
SHARED = "note:  the project shares these files: commit them, and everyone who works on it needs review-gate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of install."""
    parser.add_argument("--git", action="store_true", help="the git hooks (the default)")
    parser.add_argument(
        "--watch", action="store_true", help="also a reference-transaction hook that notes pushes made with --no-verify"
    )
    add_agent_options(parser, "register with")


def run(arguments: argparse.Namespace) -> int:
    """Install and say what was done."""
    agents = agents_in(arguments)
    refuse_mixture(arguments, agents)
    lines: list[str] = []
    if arguments.git or arguments.watch or not agents:
        lines += [*_install_git(with_watcher=arguments.watch), NEXT]
    if agents:
        lines += _install_agents(agents, for_user=arguments.user)
    print_result("\n".join(lines))
    return PASS


def _install_git(*, with_watcher: bool) -> list[str]:
    done = install(open_repository("."), with_watcher=with_watcher)
    _warn(done.warnings)
    return [f"installed in {safe_line(done.folder)}", *(f"  {safe_line(line)}" for line in done.lines)]


def _install_agents(agents: list[str], *, for_user: bool) -> list[str]:
    from review_gate.workflows.agents_here import is_pushed_through_us

    lines: list[str] = []
    for name in agents:
        done = _install_one(name, for_user=for_user)
        _warn(done.warnings)
        lines += [
            f"{done.title}: registered in {safe_line(done.file)}",
            *(f"  {safe_line(line)}" for line in done.lines),
        ]
        lines += [f"  yours to do: {done.trust}"] if done.trust else []
    if for_user:
        return [*lines, EVERYWHERE]
    lines.append(SHARED)
    return lines if is_pushed_through_us(open_repository(".")) else [*lines, BOUNDARY]


def _install_one(name: str, *, for_user: bool) -> AgentInstalled:
    from review_gate.workflows.agents_here import program_for, project_target, user_target
    from review_gate.workflows.agents_md import AGENTS_MD, install_agents_md
    from review_gate.workflows.install_agent import install_agent

    if for_user:
        target = user_target(name, os.environ)
    else:
        repository = open_repository(".")
        if name == AGENTS_MD.name:
            from review_gate.shell.agent_record import project_record

            return install_agents_md(repository.top, project_record(repository))
        target = project_target(name, repository)
    return install_agent(target.place, target.record_place, program_for(target.place))


def _warn(warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        say(f"warning: {safe_line(warning)}\n")
