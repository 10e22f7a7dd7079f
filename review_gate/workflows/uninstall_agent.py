"""review-gate uninstall --claude and the like: our part of an agent's settings goes, everything else stays."""

from __future__ import annotations

import os

from review_gate.registration.agents import Agent
from review_gate.registration.merge import holds_nothing, without_ours
from review_gate.shell.agent_places import Place, bytes_of, settings_of, text_of
from review_gate.shell.agent_record import RecordPlace, Registration, digest_of
from review_gate.shell.files import UnsafeFileError, remove_empty
from review_gate.shell.folder_lock import alone_in
from review_gate.shell.heartbeat import forget_heartbeat
from review_gate.shell.plugin_files import plugin_texts
from review_gate.workflows.agent_settings import (
    read_settings,
    read_shipped,
    refuse_read_only,
    replace_settings,
    unusable,
)


def uninstall_agent(place: Place, record_place: RecordPlace) -> list[str]:
    """Undo what install did in one settings file; says what was done."""
    with alone_in(place.lock):
        return undo(place, record_place)


def undo(place: Place, record_place: RecordPlace) -> list[str]:
    """The same for somebody who is alone there already."""
    record = record_place.read()
    known = record.of(place.agent.name, place.shown)
    done = _settings(place, known, record_place.scratch)
    if place.agent.has_texts:
        # Without a record only what is word for word ours goes: somebody else may have committed it.
        own = known.texts if known else {name: digest_of(text) for name, text in plugin_texts().items()}
        done += _texts(place, own, is_known=known is not None)
    forget_heartbeat(os.path.dirname(record_place.path), place.agent.name)
    if known is not None:
        remove_empty(tuple(os.path.normpath(os.path.join(os.path.realpath(place.base), made)) for made in known.made))
        record_place.write(record.without(place.agent.name, place.shown))
    return done


def _settings(place: Place, known: Registration | None, scratch: str) -> list[str]:
    data = read_settings(place)
    if data is None:
        return []
    try:
        left = _left(place.agent, data, known)
    except ValueError as error:
        raise unusable(place, str(error)) from None
    if left == data:
        return []
    refuse_read_only(place)
    replace_settings(place, data, left, scratch)
    return [f"{place.shown}: {'removed, it held nothing else' if left is None else 'our part is out of it'}"]


def _left(agent: Agent, data: bytes, known: Registration | None) -> bytes | None:
    """What is to be left of the settings; None for no file."""
    if known is not None and data == known.change.new:
        return known.change.old
    before = known.change.old if known else None
    text = text_of(data, agent)
    left = without_ours(text, agent, settings_of(before, agent))
    is_all_ours = left != text and holds_nothing(left) and before is None
    return None if is_all_ours else bytes_of(left, like=data)


def _texts(place: Place, own: dict[str, str], *, is_known: bool) -> list[str]:
    removed, kept = 0, []
    for name, digest in own.items():
        path = os.path.join(place.folder, *name.split("/"))
        try:
            there = read_shipped(place, path)
        except UnsafeFileError:
            continue
        if there is not None and digest_of(there) == digest:
            os.unlink(place.real(path))
            removed += 1
        elif there is not None and is_known:
            kept.append(f"kept: {os.path.join(os.path.dirname(place.shown), name)}, which was changed")
    if not removed:
        return kept
    counted = "1 text" if removed == 1 else f"{removed} texts"
    return [f"{os.path.dirname(place.shown)}: {counted} removed (commands, skills, agents)", *kept]
