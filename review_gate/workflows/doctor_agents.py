"""The doctor's look at coding agents: is everything still there by which they ask the gate."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping

from review_gate.models import Frozen
from review_gate.registration.document import DocumentError
from review_gate.registration.marked_block import block_in
from review_gate.registration.standing import (
    comes_by_plugin,
    missing_from,
    programs_in,
    switched_off_in,
)
from review_gate.shell.agent_places import PROJECT, Place, places_of, project_place, settings_of
from review_gate.shell.agent_record import Registration, digest_of, project_record
from review_gate.shell.files import UnsafeFileError
from review_gate.shell.heartbeat import last_heartbeat, shown_time
from review_gate.shell.plugin_files import plugin_texts
from review_gate.shell.repository import Repository
from review_gate.workflows.agent_settings import read_shipped
from review_gate.workflows.agents_here import is_startable, registered_here
from review_gate.workflows.agents_md import AGENTS_MD, agents_block

FIRST_SESSION = "start a session here; if this note stays, it does not read the file"

# What is said about a text of ours.
GONE, OLD, CHANGED = "is gone", "is of another version", "was changed"


class Complaint(Frozen):
    """One thing that is wrong, and what to type about it."""

    what: str
    next_step: str


class AgentsExamination(Frozen):
    """What was found out about agents; nothing where none is registered."""

    healthy: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()


def examine_agents(repository: Repository, environ: Mapping[str, str]) -> AgentsExamination:
    """Look at every settings file in which we are, or were, registered."""
    healthy: list[str] = []
    notes: list[str] = []
    complaints: list[Complaint] = []
    for target in registered_here(repository, environ):
        place = target.place
        known = target.record_place.read().of(place.agent.name, place.shown)
        found = _look_at(place, known, repository.top, environ)
        if found is None:
            continue
        notes += _changed_texts(place, known)
        complaints += found
        if not found:
            is_heard, words = _last_call(repository, place)
            (healthy if is_heard else notes).append(words)
    complaints += _agents_md(repository)
    # One switch may turn off what is registered in two places.
    once = tuple(dict.fromkeys(complaints))
    return AgentsExamination(healthy=tuple(healthy), notes=tuple(notes), complaints=once)


def _last_call(repository: Repository, place: Place) -> tuple[bool, str]:
    """Whether an agent has called since its settings last changed, and when it did, in words.

    Agents ignore a file of settings in silence, each version for other reasons; only a call proves that they read it.
    """
    title, agent = place.agent.title, place.agent.name
    heard = last_heartbeat(repository, agent)
    if heard is None:
        return False, f"{title}: installed in {place.shown}, never heard of in this work tree: {FIRST_SESSION}"
    when = shown_time(heard)
    if heard < int(os.stat(place.file).st_mtime):
        return False, f"{title}: {place.shown} has changed, and {title} was not heard of since {when}: {FIRST_SESSION}"
    return True, f"{title} asks the gate ({place.shown}), last heard of {when}"


def _look_at(place: Place, known: Registration | None, top: str, environ: Mapping[str, str]) -> list[Complaint] | None:
    """What is wrong with one settings file; None where it has nothing to do with us."""
    try:
        settings = settings_of(place.read(), place.agent)
    except (UnsafeFileError, ValueError) as error:
        if known is None:
            return None
        what = f"{place.agent.title} cannot read {place.shown}: {error}"
        return [Complaint(what=what, next_step=f"mend {shlex.quote(place.shown)}, then {_again(place)}")]
    programs = programs_in(settings, place.agent)
    off = switched_off_in(settings, place.agent)
    if known is None and (not programs or comes_by_plugin(settings)):
        return None
    missing = [words for words in missing_from(settings, place.agent) if words not in off]
    return [
        *_gone(place, missing, is_all=not programs),
        *(_switched_off(place.agent.title, place.shown, words) for words in off),
        *_switched_off_elsewhere(place, top, environ),
        *(_not_startable(place, program) for program in programs if not is_startable(program)),
        *_texts(place, known),
    ]


def _again(place: Place) -> str:
    return f"review-gate install --{place.agent.name} --{place.scope}"


def _gone(place: Place, missing: list[str], *, is_all: bool) -> Iterator[Complaint]:
    if not missing:
        return
    words = "no hook of review-gate is registered" if is_all else "; ".join(missing)
    what = f"{place.agent.title} does not ask the gate about everything: {place.shown}: {words}"
    yield Complaint(what=what, next_step=_again(place))


def _switched_off(title: str, file: str, words: str) -> Complaint:
    what = f"{title} runs no hook: {file}: {words}"
    return Complaint(what=what, next_step=f"take that out of {shlex.quote(file)}")


def _switched_off_elsewhere(place: Place, top: str, environ: Mapping[str, str]) -> Iterator[Complaint]:
    """Files in which nothing of ours has to be, and which can switch off all hooks nevertheless."""
    agent = place.agent
    others = [*places_of(agent, top, environ), *(Place(agent, PROJECT, top, file) for file in agent.other_files)]
    for other in others:
        if os.path.abspath(other.file) == os.path.abspath(place.file):
            continue
        try:
            settings = settings_of(other.read(), agent)
        except (UnsafeFileError, ValueError):
            continue
        # Where we are registered there too, it is told about that one.
        if not programs_in(settings, agent):
            yield from (_switched_off(agent.title, other.shown, words) for words in switched_off_in(settings, agent))


def _not_startable(place: Place, program: str) -> Complaint:
    title, folder = place.agent.title, os.path.dirname(os.path.abspath(sys.executable))
    if os.path.isabs(program.strip("'")):
        what = f"{title} cannot start {program}: it is gone, so every tool call is blocked"
        return Complaint(what=what, next_step=_again(place))
    what = f"{title} cannot start {program}: it is not on the PATH, so every tool call is blocked"
    return Complaint(
        what=what, next_step=f'PATH={shlex.quote(folder)}:"$PATH"; export PATH, then start the agent from there'
    )


def _texts(place: Place, known: Registration | None) -> Iterator[Complaint]:
    """Commands, skills and subagents of ours that are gone, or of another version."""
    for state in (GONE, OLD):
        names = [name for name, found in _states(place, known) if found == state]
        if names:
            words = f"{os.path.join(os.path.dirname(place.shown), names[0])} {state}"
            more = f" ({len(names) - 1} more)" if len(names) > 1 else ""
            yield Complaint(what=f"{place.agent.title}: {words}{more}", next_step=_again(place))


def _changed_texts(place: Place, known: Registration | None) -> list[str]:
    changed = [name for name, found in _states(place, known) if found == CHANGED]
    return [f"{os.path.join(os.path.dirname(place.shown), name)} was changed, and stays so" for name in changed]


def _states(place: Place, known: Registration | None) -> Iterator[tuple[str, str]]:
    """Each text that was written, and what is to be said about it; nothing where it is as this version writes it."""
    written = known.texts if known else {}
    today = {name: digest_of(text) for name, text in plugin_texts().items()} if written else {}
    for name, digest in {**today, **written}.items():
        try:
            there = read_shipped(place, _path(place, name))
        except UnsafeFileError:
            there = None
        if there is None:
            yield name, GONE if name in written else OLD
        elif name in written and digest_of(there) != digest:
            yield name, CHANGED
        elif name in written and digest != today.get(name):
            yield name, OLD


def _path(place: Place, name: str) -> str:
    return os.path.join(place.folder, *name.split("/"))


def _agents_md(repository: Repository) -> list[Complaint]:
    if repository.is_bare or project_record(repository).read().of(AGENTS_MD.name, AGENTS_MD.project_file) is None:
        return []
    place = project_place(AGENTS_MD, repository.top)
    try:
        block = block_in((place.read() or b"").decode("utf-8", "surrogateescape"))
    except (UnsafeFileError, DocumentError) as error:
        what = f"{place.shown} cannot be used: {error}"
        return [Complaint(what=what, next_step=f"mend {place.shown}, then review-gate install --agents-md")]
    if block is not None and block.strip() == agents_block().strip():
        return []
    words = "is gone from it" if block is None else "is not that of this version"
    return [Complaint(what=f"{place.shown}: our block {words}", next_step="review-gate install --agents-md")]
