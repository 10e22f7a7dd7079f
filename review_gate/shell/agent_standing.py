"""Whether an agent really asks us, from the settings that it reads; a session asks at its start, so it stays light."""

from __future__ import annotations

import os

from review_gate.registration.agents import Agent
from review_gate.registration.standing import (
    comes_by_plugin,
    missing_from,
    programs_in,
    switched_off_in,
    taken_away,
)
from review_gate.shell.agent_places import MAX_SETTINGS_BYTES, places_of, settings_of
from review_gate.shell.files import UnsafeFileError, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
NOWHERE = "{} is registered nowhere"


def gaps_of(agent: Agent, top: str | None, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What keeps an agent from asking us at every event, nothing where it does; `top` is the work tree, if any."""
    found: list[str] = []
    gaps: list[tuple[str, ...]] = []
    for place in places_of(agent, top, environ):
        try:
            settings = settings_of(place.read(), agent)
        except (UnsafeFileError, ValueError) as error:
            found.append(f"{place.shown} cannot be read: {error}")
            continue
        off = switched_off_in(settings, agent)
        found += [f"{place.shown}: {words}" for words in off]
        if comes_by_plugin(settings):
            gaps.append(())
        elif programs_in(settings, agent):
            missing = (words for words in missing_from(settings, agent) if words not in off)
            gaps.append(tuple(f"{place.shown}: {words}" for words in missing))
    found += [words for file in agent.other_files for words in _off_in(agent, file, top)]
    if () in gaps:
        return tuple(found)
    return (*found, *(gaps[0] if gaps else (NOWHERE.format(agent.title),)))


def lost_by(before: bytes | None, after: bytes | None, agent: Agent) -> tuple[str, ...]:
    """What of our registration an edit of a settings file would take away; None is no file."""
    try:
        old = settings_of(before, agent)
    except ValueError:
        # The agent reads none of it, so nothing can be lost.
        old = {}
    try:
        return taken_away(old, settings_of(after, agent), agent)
    except ValueError as error:
        return (
            (f"{agent.title} could not read it any more: {error}",)
            if programs_in(old, agent) or comes_by_plugin(old)
            else ()
        )


def _off_in(agent: Agent, file: str, top: str | None) -> list[str]:
    if top is None:
        return []
    try:
        settings = settings_of(read_plain_file(os.path.join(top, file), MAX_SETTINGS_BYTES), agent)
    except (UnsafeFileError, ValueError):
        # The agent cannot read it either, and so follows nothing that it says.
        return []
    return [f"{file}: {words}" for words in switched_off_in(settings, agent)]
