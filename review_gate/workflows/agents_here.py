"""Which agents' settings a command is about, and where what was done to them is kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.registration.agents import AGENTS
from review_gate.shell.agent_places import USER, Place, program_of, project_place, user_place
from review_gate.shell.agent_record import RecordPlace, project_record, user_record
from review_gate.shell.hooks_folder import hooks_folder
from review_gate.shell.managers import way_to_us
from review_gate.shell.repository import Repository
from review_gate.shell.shims import acting_hook_file


class Target(NamedTuple):
    """One settings file, and the record of what was done to it."""

    place: Place
    record_place: RecordPlace


def project_target(name: str, repository: Repository) -> Target:
    """The settings of a project."""
    if repository.is_bare:
        raise MisuseError(
            "this is a bare repository",
            why="an agent reads the settings of a project in its work tree, and there is none",
            next_step=f"review-gate install --{name} --user, or the same command in a work tree",
        )
    return Target(project_place(AGENTS[name], repository.top), project_record(repository))


def user_target(name: str, environ: Mapping[str, str]) -> Target:
    """The settings of the user."""
    place, record_place = user_place(AGENTS[name], environ), user_record(environ, sys.platform)
    if place is None or record_place is None:
        raise MisuseError(
            "there is no home folder",
            why="HOME is not set to a full path, so nobody knows where your settings are",
            next_step=f"HOME=/your/home review-gate install --{name} --user",
        )
    return Target(place, record_place)


def program_for(place: Place) -> str:
    """The program as these settings have to name it."""
    program = program_of(place.scope, sys.executable)
    if program is None:
        raise ReviewGateError(
            f"there is no review-gate beside {sys.executable}",
            why="your own settings name the program by its full path, and it is not where it should be",
            next_step="install review-gate again (pipx install, or pip install in a virtual environment)",
        )
    return program


def is_pushed_through_us(repository: Repository) -> bool:
    """Whether git runs our pre-push hook here; without it an agent's hooks are only a friendly warning."""
    folder = hooks_folder(repository)
    if acting_hook_file(folder, "pre-push") is not None:
        return True
    return way_to_us(repository.top, folder.path, "pre-push") is not None


def registered_here(repository: Repository, environ: Mapping[str, str]) -> list[Target]:
    """Every settings file in which something of ours may be."""
    targets = [] if repository.is_bare else [project_target(name, repository) for name in AGENTS]
    own = user_record(environ, sys.platform)
    if own is None:
        return targets
    places = (user_place(agent, environ) for agent in AGENTS.values())
    return [*targets, *(Target(place, own) for place in places if place is not None and place.scope == USER)]


def is_startable(program: str) -> bool:
    """Whether the program that settings name can be started: by its path, or because the PATH leads to it."""
    from shutil import which

    path = program.strip("'")
    return os.access(path, os.X_OK) if os.path.isabs(path) else which(path) is not None
