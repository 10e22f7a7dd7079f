"""What is registered with agents, and whether a text of settings still holds all of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from review_gate import __version__
from review_gate.registration.agents import (
    AGENTS,
    CLAUDE,
    COPILOT,
    CURSOR,
    GEMINI,
    PROGRAM,
    Agent,
    command_of,
    registered_hooks,
)
from review_gate.registration.standing import (
    comes_by_plugin,
    is_program,
    missing_from,
    program_in,
    programs_in,
    switched_off_in,
    taken_away,
)

PROJECT = Path(__file__).resolve().parents[2]
Settings = dict[str, Any]
Change = Callable[[Settings], object]
EVERY_AGENT = pytest.mark.parametrize("agent", AGENTS.values(), ids=AGENTS)


def whole(agent: Agent = CLAUDE, program: str = PROGRAM) -> Settings:
    """Settings with everything of ours and nothing else."""
    return {**agent.first_keys, "hooks": registered_hooks(agent, program)}


def tool_hook(settings: Settings) -> Settings:
    """Our hook before a tool call of Claude Code."""
    hook: Settings = settings["hooks"]["PreToolUse"][0]["hooks"][0]
    return hook


def test_the_plugin_registers_exactly_what_the_table_says() -> None:
    plugin = json.loads((PROJECT / "plugin/hooks/hooks.json").read_bytes())
    assert plugin["hooks"] == registered_hooks(CLAUDE, PROGRAM)


def test_the_plugin_has_the_version_of_the_program_and_is_on_the_market() -> None:
    manifest = json.loads((PROJECT / "plugin/.claude-plugin/plugin.json").read_bytes())
    assert (manifest["name"], manifest["version"]) == (PROGRAM, __version__)
    market = json.loads((PROJECT / ".claude-plugin/marketplace.json").read_bytes())
    assert [(plugin["name"], plugin["source"]) for plugin in market["plugins"]] == [(PROGRAM, "./plugin")]


def test_claude_is_asked_at_five_events() -> None:
    hooks = registered_hooks(CLAUDE, PROGRAM)
    assert list(hooks) == ["UserPromptSubmit", "PreToolUse", "Stop", "SessionStart", "ConfigChange"]
    group = hooks["PreToolUse"][0]
    assert group["matcher"] == "Bash|ExitPlanMode|Write|Edit|MultiEdit|NotebookEdit"
    hook = tool_hook({"hooks": hooks})
    assert (hook["timeout"], hook["onFailure"]) == (20, "block")


def test_gemini_counts_in_milliseconds_and_copilot_spells_it_otherwise() -> None:
    assert registered_hooks(GEMINI, PROGRAM)["BeforeTool"][0]["hooks"][0]["timeout"] == 20000  # type: ignore[index]  # a group is a mapping of anything
    assert registered_hooks(COPILOT, PROGRAM)["preToolUse"][0]["timeoutSec"] == 20


def test_cursor_does_not_go_on_when_a_guard_fails() -> None:
    hooks = registered_hooks(CURSOR, PROGRAM)
    closed = {event for event, groups in hooks.items() if groups[0].get("failClosed")}
    assert closed == {"beforeShellExecution", "preToolUse"}


PROMPTS = ("UserPromptSubmit", "beforeSubmitPrompt")
FAILURES = {
    "missing": "exit 127",
    "an error": "exit 1",
    "a bug": "exit 3",
    "blocked without a word": "exit 2",
    "killed": "kill -9 $$",
    "interrupted": "kill -2 $$; sleep 1",
}


@EVERY_AGENT
@pytest.mark.parametrize("end", FAILURES.values(), ids=FAILURES)
def test_only_a_guard_that_fails_blocks_and_says_what_to_do(agent: Agent, end: str, tmp_path: Path) -> None:
    program = tmp_path / "review-gate"
    program.write_text(f"#!/bin/sh\n{end}\n")
    program.chmod(0o755)
    for hook in agent.hooks:
        command = command_of(agent, hook, str(program))
        ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
        # A prompt is stopped by a 2 of ours alone, and of Gemini CLI by any code but 0 and 1.
        assert ended.returncode == 2 if hook.guards else (ended.returncode == 1 or hook.event in PROMPTS)
        assert hook.guards or (ended.returncode == 2) == (end == "exit 2" and hook.event in PROMPTS)
        if hook.guards:
            assert ended.stderr.endswith(
                "review-gate is missing or broken, so this is blocked. "
                "The user has to run review-gate doctor, or to install it again.\n"
            )


@pytest.mark.parametrize("shell", ["sh", "bash", "dash", "zsh"])
def test_a_program_that_is_nowhere_blocks_under_any_shell(shell: str, tmp_path: Path) -> None:
    command = command_of(CLAUDE, CLAUDE.hooks[1], str(tmp_path / "gone/review-gate"))
    try:
        ended = subprocess.run([shell, "-c", command], capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        pytest.skip(f"there is no {shell} here")
    assert ended.returncode == 2
    assert "review-gate doctor" in ended.stderr


@EVERY_AGENT
def test_a_guard_that_answers_is_left_alone(agent: Agent, tmp_path: Path) -> None:
    program = tmp_path / "review-gate"
    program.write_text('#!/bin/sh\necho "$@"; cat\n')
    program.chmod(0o755)
    for hook in agent.hooks:
        # Events of Copilot CLI do not say which one they are.
        called = f"{agent.name} {hook.event}" if agent is COPILOT else agent.name
        ended = subprocess.run(
            ["sh", "-c", command_of(agent, hook, str(program))], input="{}", capture_output=True, text=True, check=False
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"hook {called}\n{{}}", "")


OURS = {
    "by name": "review-gate",
    "by path": "/usr/local/bin/review-gate",
    "a path in quotes": "'/home/a user/bin/review-gate'",
    "a path with a quote": "'/home/o'\"'\"'neill/bin/review-gate'",
}
NOT_OURS = {
    "another program": "review-gates",
    "a longer name": "my-review-gate",
    "a relative path": "bin/review-gate",
    "behind another command": "cd /x && review-gate",
    "a path and a command": "/bin/true /usr/bin/review-gate",
    "two commands": "/bin/true;/usr/bin/review-gate",
    "a variable": "/$HOME/review-gate",
    "a comment": "# review-gate",
    "broken quotes": "'/a'b'/review-gate'",
    "nothing": "",
}


@pytest.mark.parametrize("word", OURS.values(), ids=OURS)
def test_a_command_line_of_ours_is_known(word: str) -> None:
    assert is_program(word)
    for hook in CLAUDE.hooks:
        assert program_in(command_of(CLAUDE, hook, word), CLAUDE) == word


@pytest.mark.parametrize("word", NOT_OURS.values(), ids=NOT_OURS)
def test_a_command_line_of_somebody_else_is_not_ours(word: str) -> None:
    assert not is_program(word)
    assert program_in(f"{word} hook claude", CLAUDE) == ""


@pytest.mark.parametrize(
    "command", ["review-gate hook claudette", "review-gate hook codex", "review-gate statusline", 3]
)
def test_a_call_of_something_else_is_no_hook_of_ours(command: object) -> None:
    assert program_in(command, CLAUDE) == ""


@EVERY_AGENT
def test_nothing_is_missing_from_a_whole_registration(agent: Agent) -> None:
    for program in OURS.values():
        settings = whole(agent, program)
        assert missing_from(settings, agent) == ()
        assert missing_from(settings, agent, program) == ()
        assert programs_in(settings, agent) == (program,)


@EVERY_AGENT
def test_everything_is_missing_from_empty_settings(agent: Agent) -> None:
    expected = tuple(f"{hook.event} is not registered" for hook in agent.hooks)
    assert missing_from({}, agent) == expected
    assert missing_from({"hooks": []}, agent) == ("hooks is not an object", *expected)
    strange = {"hooks": {hook.event: [7, {"hooks": 7}] for hook in agent.hooks}}
    assert missing_from(strange, agent)[-len(expected) :] == expected


def test_hooks_of_others_beside_ours_change_nothing() -> None:
    settings = whole()
    settings["hooks"]["PreToolUse"].insert(0, {"matcher": "Bash", "hooks": [{"type": "command", "command": "log"}]})
    settings["hooks"]["PreToolUse"][1]["hooks"].append({"type": "command", "command": "log"})
    assert missing_from(settings, CLAUDE) == ()


def _without_event(settings: Settings) -> None:
    del settings["hooks"]["PreToolUse"]


def _emptied(settings: Settings) -> None:
    settings["hooks"]["PreToolUse"] = []


def _let_through(settings: Settings) -> None:
    tool_hook(settings)["command"] += " || true"


def _without_refusal(settings: Settings) -> None:
    tool_hook(settings)["command"] = "review-gate hook claude"


def _too_short(settings: Settings) -> None:
    tool_hook(settings)["timeout"] = 0.001


def _asynchronous(settings: Settings) -> None:
    tool_hook(settings)["async"] = True


def _conditional(settings: Settings) -> None:
    tool_hook(settings)["if"] = "Bash(git push *)"


def _fails_open(settings: Settings) -> None:
    del tool_hook(settings)["onFailure"]


def _narrower(settings: Settings) -> None:
    settings["hooks"]["PreToolUse"][0]["matcher"] = "ExitPlanMode"


def _without_matcher(settings: Settings) -> None:
    settings["hooks"]["PreToolUse"][0]["unknown"] = 1


WEAKENED: dict[str, tuple[Change, str]] = {
    "the event is gone": (_without_event, "is not registered"),
    "no hook is left": (_emptied, "is not registered"),
    "a failure is swallowed": (_let_through, "is not registered as this version does it"),
    "a failure lets through": (_without_refusal, "is not registered as this version does it"),
    "no time to answer": (_too_short, "is not registered as this version does it"),
    "nobody waits for it": (_asynchronous, "is not registered as this version does it"),
    "only sometimes": (_conditional, "is not registered as this version does it"),
    "fails open": (_fails_open, "is not registered as this version does it"),
    "another matcher": (_narrower, "is not registered as this version does it"),
    "another key of the group": (_without_matcher, "is not registered as this version does it"),
}


@pytest.mark.parametrize(("change", "words"), WEAKENED.values(), ids=WEAKENED)
def test_a_registration_that_was_weakened_is_not_whole(change: Change, words: str) -> None:
    before, after = whole(), whole()
    change(after)
    assert missing_from(after, CLAUDE) == (f"PreToolUse {words}",)
    assert taken_away(before, after, CLAUDE) == (f"PreToolUse {words}",)


def test_another_program_in_our_place_is_a_loss() -> None:
    before, after = whole(program="/usr/bin/review-gate"), whole(program="/tmp/review-gate")
    assert missing_from(after, CLAUDE) == ()
    assert len(missing_from(after, CLAUDE, "/usr/bin/review-gate")) == len(CLAUDE.hooks)
    assert len(taken_away(before, after, CLAUDE)) == len(CLAUDE.hooks)


def test_what_was_missing_before_is_not_taken_away() -> None:
    before = whole()
    del before["hooks"]["Stop"]
    after = deepcopy(before)
    assert taken_away(before, after, CLAUDE) == ()
    assert taken_away({}, {"model": "opus"}, CLAUDE) == ()
    del after["hooks"]["PreToolUse"]
    assert taken_away(before, after, CLAUDE) == ("PreToolUse is not registered",)


def test_a_change_elsewhere_takes_nothing_away() -> None:
    before, after = whole(), whole() | {"model": "opus", "permissions": {"allow": ["Bash"]}}
    assert taken_away(before, after, CLAUDE) == ()


def test_switching_all_hooks_off_takes_ours_away() -> None:
    off = "disableAllHooks is true"
    assert taken_away(whole(), whole() | {"disableAllHooks": True}, CLAUDE) == (off,)
    assert switched_off_in({"disableAllHooks": False}, CLAUDE) == ()
    assert missing_from(whole() | {"disableAllHooks": True}, CLAUDE) == (off,)


def test_gemini_has_other_switches() -> None:
    assert switched_off_in({"hooksConfig": {"enabled": False}}, GEMINI) == ("hooksConfig.enabled is false",)
    for name in (PROGRAM, "review-gate hook gemini"):
        named = {"hooksConfig": {"disabled": ["other", name]}}
        assert switched_off_in(named, GEMINI) == ("hooksConfig.disabled names the hooks of review-gate",)
    for harmless in ({}, {"hooksConfig": 7}, {"hooksConfig": {"enabled": True, "disabled": ["other", 7]}}):
        assert switched_off_in(harmless, GEMINI) == ()


def test_the_plugin_brings_the_hooks_where_it_is_enabled() -> None:
    assert comes_by_plugin({"enabledPlugins": {"review-gate@review-gate": True}})
    for other in ({}, {"enabledPlugins": {"review-gate@x": False}}, {"enabledPlugins": {"other@x": True}}):
        assert not comes_by_plugin(other)


def test_hooks_of_a_wrong_shape_take_ours_away() -> None:
    after = whole()
    after["hooks"]["Notification"] = {}
    assert taken_away(whole(), after, CLAUDE) == ("hooks.Notification is not a list",)
    # What agents think of other settings is theirs to say; the heartbeat tells whether they still call.
    assert taken_away(whole(), whole() | {"model": 5}, CLAUDE) == ()
    assert taken_away({}, {"hooks": {"Notification": {}}}, CLAUDE) == ()


def test_the_check_imports_nothing_slow() -> None:
    probe = (
        "import os, sys; before = set(sys.modules); sys.path.append(sys.argv[1]); "
        "import review_gate.registration.standing, review_gate.shell.agent_standing; "
        "print(*sorted(set(sys.modules) - before))"
    )
    argv = [sys.executable, "-I", "-S", "-c", probe, str(PROJECT)]
    modules = set(subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout.split())
    assert {name for name in modules if not name.startswith("review_gate")} <= {"__future__", "_json", "errno", "time"}
    assert "review_gate.registration.standing" in modules
