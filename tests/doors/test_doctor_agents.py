"""The doctor on agents: whatever keeps one from asking the gate is a problem with a next step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from time import time

import pytest
from conftest import Repo
from installing import complaints
from registering import CLAUDE, SETTINGS, register, take_out

from review_gate.registration.agents import AGENTS
from review_gate.shell.heartbeat import leave_heartbeat
from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine

pytestmark = pytest.mark.usefixtures("same_world")

AGAIN = "review-gate install --claude --project"
PROJECT_SETTINGS = "Claude Code does not ask the gate about everything: .claude/settings.json: "
Complaints = list[tuple[str, str]]


def edit(repo: Repo, file: str, old: str, new: str) -> None:
    path = repo.path / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def called(repo: Repo, *agents: str) -> None:
    """The heartbeats of sessions that began a minute from now, after whatever has changed."""
    for name in agents:
        leave_heartbeat(open_repository(str(repo.path)), name, time() + 60)


def test_an_agent_that_asks_the_gate_is_healthy(gated: Repo) -> None:
    for name in AGENTS:
        register(gated, f"--{name}")
    register(gated, "--claude", "--user")
    called(gated, *AGENTS)
    found = examine(open_repository(str(gated.path)))
    home = gated.environ["HOME"]
    assert (found.complaints, found.notes) == ((), ())
    last = r", last heard of 20\d\d-\d\d-\d\d \d\d:\d\d UTC"
    expected = [
        *(f"{agent.title} asks the gate ({agent.project_file})" for agent in AGENTS.values()),
        f"Claude Code asks the gate ({home}/.claude/settings.json)",
    ]
    for line, words in zip(found.healthy[6:], expected, strict=True):
        assert re.fullmatch(re.escape(words) + last, line)


def test_an_agent_that_never_called_is_noted_until_it_does(gated: Repo) -> None:
    register(gated, "--codex")
    step = "start a session here; if this note stays, it does not read the file"
    never = f"Codex: installed in .codex/hooks.json, never heard of in this work tree: {step}"
    found = examine(open_repository(str(gated.path)))
    assert (found.notes, found.complaints, len(found.healthy)) == ((never,), (), 6)
    payload = {"session_id": "s", "cwd": str(gated.path), "hook_event_name": "SessionStart", "source": "startup"}
    assert gated.run("review-gate", "hook", "codex", stdin=json.dumps(payload)).returncode == 0
    assert len(examine(open_repository(str(gated.path))).healthy) == 7
    heard = 1_700_000_000
    leave_heartbeat(open_repository(str(gated.path)), "codex", heard)
    since = f"Codex: .codex/hooks.json has changed, and Codex was not heard of since 2023-11-14 22:13 UTC: {step}"
    assert examine(open_repository(str(gated.path))).notes == (since,)
    # Before the program is taken out, everything of it is there; then nothing is.
    take_out(gated, "--codex")
    assert not (gated.path / ".git/review-gate/heard").exists()


def test_without_an_agent_the_doctor_says_nothing_about_them(gated: Repo) -> None:
    gated.write(CLAUDE, '{"model": "opus"}')
    gated.write(SETTINGS["gemini"], "no JSON")
    found = examine(open_repository(str(gated.path)))
    assert len(found.healthy) == 6
    assert found.complaints == ()


def _gone(repo: Repo) -> Complaints:
    (repo.path / CLAUDE).unlink()
    return [(f"{PROJECT_SETTINGS}no hook of review-gate is registered", AGAIN)]


def _one_event_gone(repo: Repo) -> Complaints:
    edit(repo, CLAUDE, '"PreToolUse"', '"PostToolUse"')
    return [(f"{PROJECT_SETTINGS}PreToolUse is not registered", AGAIN)]


def _of_another_version(repo: Repo) -> Complaints:
    edit(repo, CLAUDE, '"timeout": 20', '"timeout": 5')
    events = [hook.event for hook in AGENTS["claude"].hooks]
    words = "; ".join(f"{event} is not registered as this version does it" for event in events)
    return [(PROJECT_SETTINGS + words, AGAIN)]


def _unreadable(repo: Repo) -> Complaints:
    repo.write(CLAUDE, "{\n// mine\n}")
    what = "Claude Code cannot read .claude/settings.json: not JSON: Expecting property name enclosed in double quotes"
    return [(what, f"mend .claude/settings.json, then {AGAIN}")]


def _all_off(repo: Repo) -> Complaints:
    edit(repo, CLAUDE, '{\n  "hooks"', '{\n  "disableAllHooks": true,\n  "hooks"')
    what = "Claude Code runs no hook: .claude/settings.json: disableAllHooks is true"
    return [(what, "take that out of .claude/settings.json")]


def _all_off_in_local_settings(repo: Repo) -> Complaints:
    repo.write(".claude/settings.local.json", '{"disableAllHooks": true}')
    what = "Claude Code runs no hook: .claude/settings.local.json: disableAllHooks is true"
    return [(what, "take that out of .claude/settings.local.json")]


def _of_a_wrong_shape(repo: Repo) -> Complaints:
    edit(repo, CLAUDE, '"hooks": {', '"hooks": {\n    "Other": 5,')
    return [(f"{PROJECT_SETTINGS}hooks.Other is not a list", AGAIN)]


def _text_gone(repo: Repo) -> Complaints:
    (repo.path / ".claude/commands/ship.md").unlink()
    (repo.path / ".claude/commands/review.md").unlink()
    return [("Claude Code: .claude/commands/review.md is gone (1 more)", AGAIN)]


def _text_of_another_version(repo: Repo) -> Complaints:
    record = repo.path / ".git/review-gate/agents.json"
    known = json.loads(record.read_bytes())
    from review_gate.shell.agent_record import digest_of

    known["registrations"][0]["texts"]["commands/ship.md"] = digest_of(b"old\n")
    record.write_text(json.dumps(known))
    repo.write(".claude/commands/ship.md", "old\n")
    return [("Claude Code: .claude/commands/ship.md is of another version", AGAIN)]


DAMAGES: dict[str, Callable[[Repo], Complaints]] = {
    function.__name__.strip("_"): function
    for function in (
        _gone,
        _one_event_gone,
        _of_another_version,
        _unreadable,
        _all_off,
        _all_off_in_local_settings,
        _of_a_wrong_shape,
        _text_gone,
        _text_of_another_version,
    )
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damage_is_found_and_its_next_step_mends_it(gated: Repo, damage: Callable[[Repo], Complaints]) -> None:
    register(gated, "--claude")
    assert complaints(gated) == []
    expected = damage(gated)
    found = complaints(gated)
    assert [step for _, step in found] == [step for _, step in expected]
    for (what, _), (words, _) in zip(found, expected, strict=True):
        assert what.startswith(words)
    if found[0][1] == AGAIN and damage is not _of_a_wrong_shape:
        register(gated, "--claude", "--project")
        assert complaints(gated) == []


def test_switched_off_by_the_user_counts_for_the_project_too(gated: Repo) -> None:
    register(gated, "--claude", "--user")
    gated.write(CLAUDE, '{"disableAllHooks": true}')
    assert complaints(gated) == [
        (
            "Claude Code runs no hook: .claude/settings.json: disableAllHooks is true",
            "take that out of .claude/settings.json",
        )
    ]


def test_a_program_that_is_not_on_the_path_is_found(gated: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    register(gated, "--claude")
    git = Path(gated.run("sh", "-c", "command -v git").stdout.strip()).parent
    monkeypatch.setenv("PATH", str(git))
    [(what, step)] = complaints(gated)
    assert what == "Claude Code cannot start review-gate: it is not on the PATH, so every tool call is blocked"
    assert step.startswith("PATH=")


def test_a_text_that_was_changed_is_only_noted(gated: Repo) -> None:
    register(gated, "--claude")
    called(gated, "claude")
    gated.write(".claude/commands/ship.md", "mine\n")
    found = examine(open_repository(str(gated.path)))
    assert found.complaints == ()
    assert found.notes == (".claude/commands/ship.md was changed, and stays so",)
