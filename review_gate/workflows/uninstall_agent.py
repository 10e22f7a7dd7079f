"""review-gate uninstall --claude and the like: our part of an agent's settings goes, everything else stays."""

from __future__ import annotations

import os

from review_gate.registration.document import DocumentError
from review_gate.registration.merge import holds_nothing, settings_in, without_ours
from review_gate.shell.agent_places import Place
from review_gate.shell.agent_record import RecordPlace, Registration, digest_of
from review_gate.shell.files import UnsafeFileError, remove_empty
from review_gate.shell.plugin_files import plugin_texts
from review_gate.workflows.agent_settings import read_shipped, read_text, refuse_read_only, replace_settings, unusable


def uninstall_agent(place: Place, record_place: RecordPlace) -> list[str]:
    """Undo what install did in one settings file; says what was done."""
    record = record_place.read()
    known = record.of(place.agent.name, place.shown)
    done = _settings(place, known, record_place.scratch)
    if place.agent.has_texts:
        # Without a record only what is word for word ours goes: somebody else may have committed it.
        own = known.texts if known else {name: digest_of(text) for name, text in plugin_texts().items()}
        done += _texts(place, own, is_known=known is not None)
    if known is not None:
        remove_empty(tuple(os.path.join(os.path.realpath(place.base), folder) for folder in known.made))
        record_place.write(record.without(place.agent.name, place.shown))
    return done


def _settings(place: Place, known: Registration | None, scratch: str) -> list[str]:
    text = read_text(place)
    if text is None:
        return []
    data = text.encode("utf-8")
    left = _left(place, text, known)
    if left == data:
        return []
    refuse_read_only(place)
    replace_settings(place, data, left, scratch)
    return [f"{place.shown}: {'removed, it held nothing else' if left is None else 'our part is out of it'}"]


def _left(place: Place, text: str, known: Registration | None) -> bytes | None:
    """What is to be left of the settings; None for no file."""
    if known is not None and text.encode("utf-8") == known.change.new:
        return known.change.old
    before = known.change.old if known else None
    try:
        left = without_ours(text, place.agent, settings_in(before.decode("utf-8")) if before else {})
    except DocumentError as error:
        raise unusable(place, str(error)) from None
    is_all_ours = left != text and holds_nothing(left) and before is None
    return None if is_all_ours else left.encode("utf-8")


def _texts(place: Place, own: dict[str, str], *, is_known: bool) -> list[str]:
    removed, done = 0, []
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
            done.append(f"kept: {os.path.join(os.path.dirname(place.shown), name)}, which was changed")
    if removed:
        counted = "1 text" if removed == 1 else f"{removed} texts"
        done.append(f"{os.path.dirname(place.shown)}: {counted} removed (commands, skills, agents)")
    return done
