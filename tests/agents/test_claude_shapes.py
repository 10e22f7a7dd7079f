"""The real Claude Code and wrong values in its settings: it ignores a file exactly where our table says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from claude_code import installed, talk
from conftest import Repo
from scripted import say, shell

from review_gate.registration.agents import CLAUDE
from review_gate.registration.dropped import faults_in

GUARD = {"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}
# Three at a time: those of the project, of the user in this project, and of the user.
IGNORED: dict[str, list[dict[str, Any]]] = {
    "plain values": [{"model": 5}, {"verbose": "true"}, {"tui": "big"}],
    "null": [{"statusLine": None}, {"env": None}, {"cleanupPeriodDays": None}],
    "deep inside": [
        {"permissions": {"allow": "Bash"}},
        {"sandbox": {"network": {"allowedDomains": [5]}}},
        {"enabledPlugins": {"a@b": "yes"}},
    ],
    "guards": [
        {"hooks_off": {"PreToolUse": [GUARD]}},
        {"a": {"b": {"hooks": [GUARD]}}},
        {"PermissionRequest": [GUARD]},
    ],
}
READ: dict[str, list[dict[str, Any]]] = {
    "what is ignored alone": [{"effortLevel": 5}, {"modelPricing": "x"}, {"extraKnownMarketplaces": {"a": 5}}],
    "null": [{"channelsEnabled": None}, {"disableAutoMode": None}, {"env": {"A": None}}],
    "what nobody knows": [{"other": 5}, {"permissions": {"allow": [5]}}, {"hooks_off": {"Stop": [GUARD]}}],
}


def files_of(repo: Repo) -> list[Path]:
    """Every settings file of a session."""
    home = Path(repo.environ["HOME"])
    return [
        repo.path / ".claude/settings.json",
        repo.path / ".claude/settings.local.json",
        home / ".claude/settings.json",
    ]


def read_by_claude(repo: Repo, every: list[dict[str, Any]]) -> list[bool]:
    """Whether a hook beside each of these settings ran."""
    marks = [repo.path.parent / f"ran-{number}" for number in range(len(every))]
    for file, own, mark in zip(files_of(repo), every, marks, strict=True):
        hooks = {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": f"touch '{mark}'"}]}]}
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"hooks": hooks} | own))
    assert talk(repo, ["hello"], [say("Hello.")]).answers == ["Hello."]
    return [mark.exists() for mark in marks]


@pytest.mark.parametrize("every", IGNORED.values(), ids=IGNORED)
def test_what_our_table_calls_a_fault_takes_the_whole_file_along(repo: Repo, every: list[dict[str, Any]]) -> None:
    assert all(faults_in(own, CLAUDE) for own in every)
    assert read_by_claude(repo, every) == [False] * 3


@pytest.mark.parametrize("every", READ.values(), ids=READ)
def test_what_our_table_lets_pass_is_read(repo: Repo, every: list[dict[str, Any]]) -> None:
    assert not any(faults_in(own, CLAUDE) for own in every)
    assert read_by_claude(repo, every) == [True] * 3


def test_each_file_is_ignored_by_itself(repo: Repo) -> None:
    assert read_by_claude(repo, [{}, {"model": 5, "disableAllHooks": True}, {}]) == [True, False, True]


# Nothing in the line that runs it tells of what it does; the pause is for the program to see it.
SPOIL = """
import json, pathlib
file = pathlib.Path(".claude", "settings" + ".json")
file.write_text(json.dumps({"model": 5} | json.loads(file.read_text())))
"""


def test_hooks_in_a_file_that_comes_to_be_ignored_stay_for_the_session(repo: Repo) -> None:
    installed(repo).write("spoil.py", SPOIL)
    done = talk(repo, ["go on"], [shell("python3 spoil.py; sleep 3"), shell("git push"), say("Refused.")])
    assert json.loads((repo.path / ".claude/settings.json").read_text())["model"] == 5
    assert done.results[1].startswith("PreToolUse:Bash hook error: blocked: No review state found.")
