"""review-gate install --agents-md: what agents without hooks have to know, as a block of ours in AGENTS.md."""

from __future__ import annotations

import os

from review_gate.errors import ReviewGateError
from review_gate.registration.agents import Agent
from review_gate.registration.document import DocumentError
from review_gate.registration.marked_block import with_block, without_block
from review_gate.shell.agent_places import Place, project_place
from review_gate.shell.agent_record import RecordPlace, Registration, change_of
from review_gate.shell.folder_lock import alone_in
from review_gate.workflows.agent_settings import read_settings, refuse_read_only, replace_settings, unusable
from review_gate.workflows.install_agent import AgentInstalled

AGENTS_MD = Agent("agents-md", "Agents without hooks", project_file="AGENTS.md", home_file="AGENTS.md")


def agents_block() -> str:
    """The text for agents."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(package, "registration", "agents-block.md"), encoding="utf-8") as file:
        return file.read()


def install_agents_md(top: str, record_place: RecordPlace) -> AgentInstalled:
    """Put the block at the end of AGENTS.md, or today's in the place of an earlier one."""
    place = project_place(AGENTS_MD, top)
    with alone_in(place.lock):
        return _install(place, record_place)


def _install(place: Place, record_place: RecordPlace) -> AgentInstalled:
    record = record_place.read()
    known = record.of(AGENTS_MD.name, place.shown)
    data = read_settings(place)
    is_untouched = known is not None and data == known.change.new
    before = known.change.old if known is not None and is_untouched else _without(place, data)
    after = with_block(_text(before or b""), agents_block()) if is_untouched else _with(place, data)
    refuse_read_only(place)
    change = change_of(place.shown, before, _data(after))
    record_place.write(record.with_one(Registration(agent=AGENTS_MD.name, change=change)))
    try:
        replace_settings(place, data, change.new, record_place.scratch)
    except (OSError, ReviewGateError):
        if known is None:
            record_place.write(record)
        raise
    return AgentInstalled(
        title=AGENTS_MD.title, file=place.shown, lines=("a block between two marks says what agents have to do",)
    )


def uninstall_agents_md(top: str, record_place: RecordPlace) -> list[str]:
    """Take the block out again; says what was done."""
    place = project_place(AGENTS_MD, top)
    with alone_in(place.lock):
        return _uninstall(place, record_place)


def _uninstall(place: Place, record_place: RecordPlace) -> list[str]:
    record = record_place.read()
    known = record.of(AGENTS_MD.name, place.shown)
    data = read_settings(place)
    left = known.change.old if known is not None and data == known.change.new else _without(place, data)
    done = []
    if left != data:
        refuse_read_only(place)
        replace_settings(place, data, left, record_place.scratch)
        done.append(f"{place.shown}: our block is out of it" if left is not None else f"{place.shown}: removed")
    if known is not None:
        record_place.write(record.without(AGENTS_MD.name, place.shown))
    return done


def _with(place: Place, data: bytes | None) -> str:
    try:
        return with_block(_text(data or b""), agents_block())
    except DocumentError as error:
        raise unusable(place, str(error)) from None


def _without(place: Place, data: bytes | None) -> bytes | None:
    """The file without the block; None where it held nothing else."""
    try:
        left = without_block(_text(data or b""))
    except DocumentError as error:
        raise unusable(place, str(error)) from None
    is_all_ours = not left.strip() and _data(left) != (data or b"")
    return None if data is None or is_all_ours else _data(left)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _data(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
