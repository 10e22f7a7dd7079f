"""What a session asks at its start: does this agent really ask the gate about everything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from review_gate.registration.agents import CLAUDE, registered_hooks
from review_gate.shell.agent_standing import gaps_of, lost_by

OFF = "disableAllHooks is true"
NO_PLUGIN = "the plugin of review-gate is not enabled"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / ".claude").mkdir(parents=True)
    return folder


def gaps(top: Path) -> tuple[str, ...]:
    return gaps_of(CLAUDE, str(top), {"HOME": str(top.parent)})


def put(folder: Path, settings: object, file: str = ".claude/settings.json") -> None:
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(settings if isinstance(settings, str) else json.dumps(settings))


WHOLE = {"hooks": registered_hooks(CLAUDE, "review-gate")}
PART = {"hooks": {event: groups for event, groups in WHOLE["hooks"].items() if event != "Stop"}}


def test_nobody_is_registered_in_nothing(top: Path) -> None:
    assert gaps(top) == ("Claude Code is registered nowhere",)
    assert gaps_of(CLAUDE, None, {}) == ("Claude Code is registered nowhere",)


def test_the_project_is_enough(top: Path) -> None:
    put(top, WHOLE)
    assert gaps(top) == ()


def test_the_plugin_is_enough(top: Path) -> None:
    put(top.parent, {"enabledPlugins": {"review-gate@review-gate": True}})
    assert gaps(top) == ()


@pytest.mark.parametrize("file", [".claude/settings.json", ".claude/settings.local.json"])
def test_one_switch_turns_all_of_them_off(top: Path, file: str) -> None:
    put(top.parent, WHOLE)
    put(top, {"disableAllHooks": True}, file)
    assert gaps(top) == (f"{file}: {OFF}",)


def test_what_the_agent_cannot_read_registers_nobody(top: Path) -> None:
    put(top, "// mine\n" + json.dumps(WHOLE))
    unreadable, nowhere = gaps(top)
    assert unreadable.startswith(".claude/settings.json cannot be read: not JSON")
    assert nowhere == "Claude Code is registered nowhere"


def data(settings: object) -> bytes:
    return json.dumps(settings).encode()


def plugin(*, on: bool) -> dict[str, Any]:
    return {"enabledPlugins": {"review-gate@review-gate": on}}


GONE = tuple(f"{event} is not registered" for event in WHOLE["hooks"])
LOSSES = {
    "the file": (data(WHOLE), None, GONE),
    "one event": (data(WHOLE), data(PART), ("Stop is not registered",)),
    "a comment, which makes Claude Code ignore all": (
        data(WHOLE),
        b"// x\n" + data(WHOLE),
        ("Claude Code could not read it any more: not JSON at character 0",),
    ),
    "all by hooks of a wrong shape": (data(WHOLE), data({"hooks": []}), ("hooks is not an object", *GONE)),
    "all by one switch": (data(WHOLE), data(WHOLE | {"disableAllHooks": True}), (OFF,)),
    "all by one switch elsewhere": (None, data({"disableAllHooks": True}), (OFF,)),
    "the plugin": (data(plugin(on=True)), data(plugin(on=False)), (NO_PLUGIN,)),
    "the plugin that the user's settings enable": (None, data({"model": "opus"} | plugin(on=False)), (NO_PLUGIN,)),
    "the plugin, by what nobody can read": (
        data(plugin(on=True)),
        b"// x\n" + data(plugin(on=True)),
        ("Claude Code could not read it any more: not JSON at character 0",),
    ),
}
NO_LOSSES = {
    "nothing": (data(WHOLE), data(WHOLE)),
    "another setting": (data(WHOLE), data(WHOLE | {"model": "opus"})),
    "what is mended": (data(PART), data(WHOLE)),
    "what was broken already": (b"{", b"{{"),
    "a value that the agent may not like": (data(WHOLE), data(WHOLE | {"model": 5})),
    "a file of a wrong shape without us": (None, data({"hooks": []})),
    "settings without us": (data({"model": "opus"}), b"{"),
    "a new file": (None, data({"model": "opus"})),
    "another plugin": (None, data({"enabledPlugins": {"other@x": False}})),
    "a plugin that was off already": (data(plugin(on=False)), data({"model": "opus"} | plugin(on=False))),
    "a plugin beside a whole registration": (data(WHOLE), data(WHOLE | plugin(on=False))),
}


@pytest.mark.parametrize(("before", "after", "words"), LOSSES.values(), ids=LOSSES)
def test_an_edit_that_takes_something_of_ours_away_is_seen(
    before: bytes | None, after: bytes | None, words: tuple[str, ...]
) -> None:
    assert lost_by(before, after, CLAUDE) == words


@pytest.mark.parametrize(("before", "after"), NO_LOSSES.values(), ids=NO_LOSSES)
def test_an_edit_that_leaves_ours_alone_is_none_of_our_business(before: bytes | None, after: bytes | None) -> None:
    assert lost_by(before, after, CLAUDE) == ()
