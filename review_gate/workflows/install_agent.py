"""review-gate install --claude and the like: our hooks in an agent's settings, everything that was there kept."""

from __future__ import annotations

import os

from pydantic import Field

from review_gate.errors import ReviewGateError
from review_gate.models import Frozen
from review_gate.registration.agents import AGENTS, TRUST_IS_OF_PROJECTS, Agent
from review_gate.registration.merge import (
    has_status_line_of_others,
    holds_nothing,
    settings_in,
    with_ours,
    without_ours,
)
from review_gate.registration.standing import programs_in, switched_off_in
from review_gate.shell.agent_places import PROJECT, Place, bytes_of, settings_of, text_of
from review_gate.shell.agent_record import Change, RecordPlace, Registration, change_of, digest_of
from review_gate.shell.files import UnsafeFileError, missing_folders, replace_file
from review_gate.shell.folder_lock import alone_in
from review_gate.shell.plugin_files import plugin_texts
from review_gate.workflows.agent_settings import (
    read_settings,
    read_shipped,
    refuse_read_only,
    replace_settings,
    unusable,
)
from review_gate.workflows.uninstall_agent import undo


class AgentInstalled(Frozen):
    """What to tell the user."""

    title: str
    file: str
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    # What only the user can do.
    trust: str = ""


class Texts(Frozen):
    """Commands, skills and subagents: those to write, the digests of all that are ours then, and what is not ours."""

    write: dict[str, bytes] = Field(default_factory=dict)
    remove: tuple[str, ...] = ()
    digests: dict[str, str] = Field(default_factory=dict)
    kept: tuple[str, ...] = ()


def install_agent(place: Place, record_place: RecordPlace, program: str) -> AgentInstalled:
    """Register with one agent; a second call changes nothing but what an earlier version wrote."""
    with alone_in(place.lock):
        return _install(place, record_place, program)


def _install(place: Place, record_place: RecordPlace, program: str) -> AgentInstalled:
    record = record_place.read()
    known = record.of(place.agent.name, place.shown)
    data = read_settings(place)
    change = _planned_change(place, data, known, program)
    refuse_read_only(place)
    texts = _planned_texts(place, known) if place.agent.has_texts else Texts()
    registration = Registration(
        agent=place.agent.name,
        change=change,
        texts=texts.digests,
        made=tuple(dict.fromkeys((*(known.made if known else ()), *_missing(place, texts)))),
    )
    # Written before anything else: from here on uninstall can clean up whatever a crash leaves behind.
    if registration != known:
        record_place.write(record.with_one(registration))
    try:
        replace_settings(place, data, change.new, record_place.scratch)
        _write_texts(place, texts, record_place.scratch)
    except (OSError, ReviewGateError):
        if known is None:
            undo(place, record_place)
        raise
    return _told(place, change, texts, program)


def _planned_change(place: Place, data: bytes | None, known: Registration | None, program: str) -> Change:
    try:
        # As we left it, so what we add today takes the place of what we added then.
        is_untouched = known is not None and data == known.change.new
        before = known.change.old if known is not None and is_untouched else _before(data, place.agent, known)
        base = (before if is_untouched else data) or b""
        after = with_ours(text_of(base, place.agent), place.agent, program)
    except ValueError as error:
        raise unusable(place, str(error)) from None
    return change_of(place.shown, before, bytes_of(after, like=base))


def _before(data: bytes | None, agent: Agent, known: Registration | None) -> bytes | None:
    """What the settings would be without us, as far as that can be told; None where they held nothing else."""
    if data is None or not programs_in(settings_in(text_of(data, agent), agent), agent):
        return data
    old = known.change.old if known else None
    left = without_ours(text_of(data, agent), agent, settings_of(old, agent))
    return None if old is None and holds_nothing(left) else bytes_of(left, like=data)


def _planned_texts(place: Place, known: Registration | None) -> Texts:
    shipped = plugin_texts()
    earlier = known.texts if known else {}
    write: dict[str, bytes] = {}
    digests: dict[str, str] = {}
    kept: list[str] = []
    instead = f"to have ours, move it away, then review-gate install --{place.agent.name} --{place.scope}"
    for name, text in shipped.items():
        path = _path(place, name)
        try:
            there = read_shipped(place, path)
        except UnsafeFileError as error:
            kept.append(f"{_shown(place, name)} is not written: {error}")
            continue
        if there is None or there == text or digest_of(there) == earlier.get(name):
            digests[name] = digest_of(text)
            write |= {name: text} if there != text else {}
        else:
            kept.append(f"{_shown(place, name)} stays as it is, because it is not ours; {instead}")
    gone = tuple(name for name in earlier if name not in shipped and _is_still(place, name, earlier[name]))
    return Texts(write=write, remove=gone, digests=digests, kept=tuple(kept))


def _is_still(place: Place, name: str, digest: str) -> bool:
    try:
        there = read_shipped(place, _path(place, name))
    except UnsafeFileError:
        return False
    return there is not None and digest_of(there) == digest


def _write_texts(place: Place, texts: Texts, scratch: str) -> None:
    for name, text in texts.write.items():
        replace_file(place.real(_path(place, name)), text, scratch=scratch)
    for name in texts.remove:
        os.unlink(place.real(_path(place, name)))


def _missing(place: Place, texts: Texts) -> tuple[str, ...]:
    """The folders that have to be made, outermost first, as seen from the base."""
    paths = [place.file, *(_path(place, name) for name in texts.write)]
    found = [folder for path in paths for folder in missing_folders(os.path.dirname(place.real(path)))]
    real_base = os.path.realpath(place.base)
    return tuple(os.path.relpath(folder, real_base) for folder in dict.fromkeys(found))


def _path(place: Place, name: str) -> str:
    return os.path.join(place.folder, *name.split("/"))


def _shown(place: Place, name: str) -> str:
    return os.path.join(os.path.dirname(place.shown), name)


def _told(place: Place, change: Change, texts: Texts, program: str) -> AgentInstalled:
    agent = AGENTS[place.agent.name]
    settings = settings_of(change.new, agent)
    lines = [f"hooks: {', '.join(hook.event for hook in agent.hooks)}"]
    warnings = [f"{place.shown}: {words}, so no hook runs; take that out" for words in switched_off_in(settings, agent)]
    if agent.has_texts and has_status_line_of_others(settings):
        ours = f"{program} statusline"
        warnings.append(f"the status line stays yours; to have ours too, let its command print what `{ours}` prints")
    elif agent.has_texts:
        lines.append(f"status line: {program} statusline")
    for kind in ("commands", "skills", "agents"):
        names = [name for name in texts.digests if name.startswith(f"{kind}/")]
        lines += [f"{kind}: {', '.join(sorted(map(_name_of, names)))}"] if names else []
    return AgentInstalled(
        title=agent.title,
        file=place.shown,
        lines=tuple(lines),
        warnings=(*warnings, *texts.kept),
        trust=agent.trust if place.scope == PROJECT or agent.name not in TRUST_IS_OF_PROJECTS else "",
    )


def _name_of(text: str) -> str:
    """How a user calls a text by its path: /ship for commands/ship.md."""
    kind, _, rest = text.partition("/")
    name = rest.removesuffix(".md").removesuffix("/SKILL")
    return f"/{name}" if kind == "commands" else name
