"""Settings that an agent ignores as a whole, each seen in the real program, and their likes that it reads."""

from __future__ import annotations

from typing import Any

import pytest

from review_gate.registration.agents import AGENTS, CLAUDE, CODEX, Agent, registered_hooks
from review_gate.registration.dropped import faults_in
from review_gate.registration.standing import (
    comes_by_plugin,
    missing_from,
    names_plugin,
    taken_away,
)

HOOK = {"type": "command", "command": "true"}
GROUP = {"hooks": [HOOK]}
STRAY = "may not hold hooks of PreToolUse or PermissionRequest"
KINDS = "url, github, git, npm, file, directory, skills-dir, hostPattern, pathPattern, settings"


def guard(**changed: Any) -> dict[str, Any]:
    """A guard with something else in it."""
    return {"hooks": {"PreToolUse": [{"hooks": [HOOK | changed]}]}}


DROPPED: dict[str, tuple[dict[str, Any], str]] = {
    "a number as a text": ({"model": 5}, "model must be a text"),
    "null as a text": ({"model": None}, "model must be a text"),
    "a text as a flag": ({"verbose": "true"}, "verbose must be true or false"),
    "a number as a flag": ({"disableAllHooks": 1}, "disableAllHooks must be true or false"),
    "null as a flag": ({"verbose": None}, "verbose must be true or false"),
    "true as a number": ({"cleanupPeriodDays": True}, "cleanupPeriodDays must be a whole number from 1 on"),
    "no whole number": ({"cleanupPeriodDays": 1.5}, "cleanupPeriodDays must be a whole number from 1 on"),
    "too small": ({"cleanupPeriodDays": 0}, "cleanupPeriodDays must be a whole number from 1 on"),
    "too exact": ({"cleanupPeriodDays": 2**53}, "cleanupPeriodDays must be a whole number from 1 on"),
    "out of bounds": ({"feedbackSurveyRate": 2}, "feedbackSurveyRate must be a number from 0 to 1"),
    "another word": ({"tui": "big"}, "tui must be one of default, fullscreen"),
    "a list as an object": ({"env": []}, "env must be an object"),
    "permissions as a list": ({"permissions": []}, "permissions must be an object"),
    "a text as a list": ({"permissions": {"allow": "x"}}, "permissions.allow must be a list"),
    "another mode": (
        {"permissions": {"defaultMode": "fast"}},
        "permissions.defaultMode must be one of acceptEdits, auto, bypassPermissions, default, dontAsk, plan, manual",
    ),
    "no folder": (
        {"permissions": {"additionalDirectories": ["a", 5]}},
        "permissions.additionalDirectories[1] must be a text",
    ),
    "null as a status line": ({"statusLine": None}, "statusLine must be an object"),
    "half a status line": ({"statusLine": {"type": "command"}}, "statusLine.command must be there"),
    "another status line": ({"statusLine": {"type": "x", "command": "x"}}, "statusLine.type must be command"),
    "far inside": ({"sandbox": {"network": {"allowedDomains": "x"}}}, "sandbox.network.allowedDomains must be a list"),
    "no server": ({"enabledMcpjsonServers": "a b"}, "enabledMcpjsonServers must be a list of texts"),
    "no time": ({"quietHours": {"start": "24:00"}}, 'quietHours.start must be a time like "22:00"'),
    "no plugin": ({"enabledPlugins": {"a@b": "yes"}}, "enabledPlugins.a@b must be true, false or a list of texts"),
    "no place of plugins": (
        {"strictKnownMarketplaces": [{"path": "/x"}]},
        "strictKnownMarketplaces[0].source must be there",
    ),
    "an unknown place": (
        {"extraKnownMarketplaces": {"a": {"source": {"source": "x"}}}},
        f"extraKnownMarketplaces.a.source.source must be one of {KINDS}",
    ),
    "an odd key": ({"modelOverrides": {"a\n\x1b": 5}}, r"modelOverrides.a\n\x1b must be a text"),
    "an empty key": ({"modelOverrides": {"": 5}}, 'modelOverrides."" must be a text'),
    "no list of guards": ({"hooks": {"PermissionRequest": "x"}}, "hooks.PermissionRequest must be a list"),
    "no group": ({"hooks": {"PreToolUse": ["x"]}}, "hooks.PreToolUse[0] must be an object"),
    "a group of nothing": ({"hooks": {"PreToolUse": [{}]}}, "hooks.PreToolUse[0].hooks must be there"),
    "a matcher that is none": (
        {"hooks": {"PreToolUse": [{"matcher": ["Bash"], "hooks": []}]}},
        "hooks.PreToolUse[0].matcher must be a text",
    ),
    "no hook": ({"hooks": {"PreToolUse": [{"hooks": ["x"]}]}}, "hooks.PreToolUse[0].hooks[0] must be an object"),
    "no type": ({"hooks": {"PreToolUse": [{"hooks": [{}]}]}}, "hooks.PreToolUse[0].hooks[0].type must be there"),
    "another type": (
        guard(type="x"),
        "hooks.PreToolUse[0].hooks[0].type must be one of command, prompt, agent, http, mcp_tool",
    ),
    "no command": (guard(command=None), "hooks.PreToolUse[0].hooks[0].command must be a text"),
    "no time for it": (guard(timeout=0), "hooks.PreToolUse[0].hooks[0].timeout must be a number above 0"),
    "no address": (guard(type="http", url="x"), "hooks.PreToolUse[0].hooks[0].url must be a URL"),
    "guards out of the way": ({"hooks_off": {"PreToolUse": [GROUP]}}, f"hooks_off {STRAY}"),
    "guards deep inside": ({"a": {"b": [{"c": {"PreToolUse": [1]}}]}}, f"a {STRAY}"),
    "guards at the top": ({"PreToolUse": [GROUP]}, "PreToolUse may only be under hooks"),
    "a group out of the way": ({"a": {"matcher": "", "hooks": [1]}}, f"a {STRAY}"),
    "a group of one out of the way": ({"a": {"hooks": {"type": "command"}}}, f"a {STRAY}"),
    "guards under another event": ({"hooks": {"Stop": [{"PreToolUse": [1]}]}}, f"hooks.Stop {STRAY}"),
    "guards under no event": ({"hooks": {"Off": {"PreToolUse": [1]}}}, f"hooks.Off {STRAY}"),
    "a single group": ({"hooks": {"matcher": "", "hooks": [1]}}, "hooks may not be a single group"),
}
READ: dict[str, dict[str, Any]] = {
    "nothing": {},
    "what nobody knows": {"other": 5, "others": {"hooks": []}},
    "right ones": {
        "model": "opus",
        "verbose": True,
        "cleanupPeriodDays": 5.0,
        "tui": "default",
        "feedbackSurveyRate": 0.5,
    },
    "null where it counts for nothing": {
        "channelsEnabled": None,
        "disableAutoMode": None,
        "strictKnownMarketplaces": None,
    },
    "a number in the environment": {"env": {"A": 1, "B": None}},
    "odd permissions": {"permissions": {"allow": [5, "bad("], "other": 5, "defaultMode": "manual"}},
    "what is ignored alone": {
        "effortLevel": 5,
        "theme": [],
        "subagentStatusLine": 5,
        "modelPricing": "x",
        "sshHostCommands": 5,
    },
    "a status line": {"statusLine": HOOK | {"padding": 0, "refreshInterval": "x"}},
    "one server for a list": {"enabledMcpjsonServers": "one-server"},
    "attribution both ways": {"attribution": False, "quietHours": {"start": "7:00", "end": "23:59"}},
    "places of plugins": {
        "strictKnownMarketplaces": [{"source": "github", "repo": "a/b"}],
        "blockedMarketplaces": [{"source": "pluginDirectory"}],
        "extraKnownMarketplaces": {"a": "x", "b": {"source": {"source": 5}}},
    },
    "odd groups of what guards nothing": {"hooks": {"Stop": ["x", {"hooks": 5}], "PostToolUse": "x", "Other": [GROUP]}},
    "guards": {"hooks": {"PreToolUse": [GROUP | {"other": 1}, {"hooks": []}], "PermissionRequest": None}},
    "an address": guard(type="http", url="https://example.org/x"),
    "a guard with more to it": guard(timeout=1.5, other=5, cloud="x"),
    "hooks out of the way": {"hooks_off": {"Stop": [GROUP]}, "Stop": [GROUP]},
    "no guards": {"PreToolUse": [], "a": {"PreToolUse": None}},
    "names of something else": {"env": {"PreToolUse": "x"}, "mcpServers": {"PreToolUse": [1]}},
    "too deep to matter": {"a": {"b": {"c": {"d": {"e": {"PreToolUse": [1]}}}}}},
    "a word in another hook": {"hooks": {"Stop": [{"hooks": [HOOK | {"a": {"PreToolUse": [1]}}]}]}},
    "an empty group": {"hooks": {"matcher": "x", "hooks": []}},
}
DROPPED_BY_CODEX: dict[str, tuple[dict[str, Any], str]] = {
    "another key": ({"model": "x"}, "model may not be there"),
    "a description": ({"description": 5}, "description must be a text"),
    "no list": ({"hooks": {"Stop": None}}, "hooks.Stop must be a list"),
    "no group": ({"hooks": {"PreToolUse": ["x"]}}, "hooks.PreToolUse[0] must be an object"),
    "a matcher": ({"hooks": {"Stop": [{"matcher": 5}]}}, "hooks.Stop[0].matcher must be a text"),
    "no hooks": ({"hooks": {"Stop": [{"hooks": None}]}}, "hooks.Stop[0].hooks must be a list"),
    "a type": (
        {"hooks": {"Stop": [{"hooks": [{"type": "x"}]}]}},
        "hooks.Stop[0].hooks[0].type must be one of command, mcp_tool, prompt, agent",
    ),
    "a fraction": (
        {"hooks": {"Stop": [{"hooks": [HOOK | {"timeout": 5.0}]}]}},
        "hooks.Stop[0].hooks[0].timeout must be a whole number",
    ),
}
READ_BY_CODEX: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a description": {"description": None},
    "an unknown event": {"hooks": {"Other": 5}},
    "no hooks": {"hooks": {"Stop": [{}, [], {"matcher": None, "other": 1}]}},
    "more": {"hooks": {"Stop": [{"hooks": [HOOK | {"timeout": None, "other": 1}, {"type": "prompt"}]}]}},
}


@pytest.mark.parametrize(("settings", "words"), DROPPED.values(), ids=DROPPED)
def test_what_claude_code_ignores_is_told_in_words(settings: dict[str, Any], words: str) -> None:
    assert faults_in(settings, CLAUDE) == (f"{words}, or Claude Code ignores the whole file",)


@pytest.mark.parametrize("settings", READ.values(), ids=READ)
def test_what_claude_code_reads_has_no_fault(settings: dict[str, Any]) -> None:
    assert faults_in(settings, CLAUDE) == ()


@pytest.mark.parametrize(("settings", "words"), DROPPED_BY_CODEX.values(), ids=DROPPED_BY_CODEX)
def test_what_codex_ignores_is_told_in_words(settings: dict[str, Any], words: str) -> None:
    assert faults_in(settings, CODEX) == (f"{words}, or Codex ignores the whole file",)


@pytest.mark.parametrize("settings", READ_BY_CODEX.values(), ids=READ_BY_CODEX)
def test_what_codex_reads_has_no_fault(settings: dict[str, Any]) -> None:
    assert faults_in(settings, CODEX) == ()


@pytest.mark.parametrize("agent", AGENTS.values(), ids=AGENTS)
def test_what_we_register_has_no_fault(agent: Agent) -> None:
    for program in ("review-gate", "'/a b/review-gate'"):
        assert faults_in({"hooks": registered_hooks(agent, program)}, agent) == ()


def test_only_the_first_faults_are_told() -> None:
    found = faults_in({"model": 1, "verbose": 1, "tui": 1, "env": 1}, CLAUDE)
    assert [words.partition(" ")[0] for words in found] == ["model", "verbose", "tui"]


def whole(**others: object) -> dict[str, Any]:
    return {**others, "hooks": registered_hooks(CLAUDE, "review-gate")}


FAULT = "model must be a text, or Claude Code ignores the whole file"
PLUGIN = {"enabledPlugins": {"review-gate@review-gate": True}}


def test_a_whole_registration_in_an_ignored_file_is_none() -> None:
    assert missing_from(whole(model=5), CLAUDE) == (FAULT,)
    assert taken_away(whole(), whole(model=5), CLAUDE) == (FAULT,)


def test_an_ignored_file_with_nothing_of_ours_takes_nothing_away() -> None:
    assert taken_away({}, {"model": 5}, CLAUDE) == ()
    assert taken_away({"model": 5}, {"env": 5}, CLAUDE) == ()


def test_a_switch_in_an_ignored_file_counts_for_whoever_mends_it() -> None:
    assert taken_away({}, {"disableAllHooks": True, "model": 5}, CLAUDE) == ("disableAllHooks is true",)


def test_mending_an_ignored_file_takes_nothing_away() -> None:
    before = whole(model=5, env=5, tui=5, verbose=5, voice=5)
    for after in (whole(), whole(verbose=5, voice=5), before):
        assert taken_away(before, after, CLAUDE) == ()
    assert taken_away(before, whole(agent=5), CLAUDE) == (FAULT.replace("model", "agent"),)
    del before["hooks"]["Stop"]
    assert taken_away(whole(model=5), {"hooks": before["hooks"]}, CLAUDE) == ("Stop is not registered",)


def test_the_plugin_does_not_come_by_an_ignored_file() -> None:
    assert names_plugin(PLUGIN | {"model": 5})
    assert not comes_by_plugin(PLUGIN | {"model": 5})
    assert taken_away(PLUGIN, PLUGIN | {"model": 5}, CLAUDE) == (FAULT,)
    assert taken_away(PLUGIN, {"enabledPlugins": {}}, CLAUDE) == ("the plugin of review-gate is not enabled",)
    assert taken_away(PLUGIN, PLUGIN | {"model": "opus"}, CLAUDE) == ()
