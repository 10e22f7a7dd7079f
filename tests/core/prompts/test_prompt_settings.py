"""The settings of prompt review: the user's file, a preset, the project's file and the environment over each other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_gate.config.load import Source
from review_gate.errors import ConfigError
from review_gate.prompts.layers import SHIPPED_PRESETS, Places, settings_in
from review_gate.prompts.schema import Role
from review_gate.prompts.settings import PromptSettings

USER, PROJECT = "~/.claude/plugins/prompt-review/config.json", ".claude/prompt-review.json"
# The defaults as the design has them, to the letter.
SEED: dict[str, Any] = {
    "mode": "subscription",
    "api_fallback": True,
    "models": {"reviewer": "claude-haiku-4-5", "editor": "claude-sonnet-4-6"},
    "editor": {
        "priority_order": ["security", "testing", "domain_sme", "documentation", "frontend_ux", "clarity"],
        "temperature": 0,
        "max_retries": 1,
    },
    "budget": {"max_reviewers_per_call": 6, "timeout_ms": 8000, "log_costs": True},
}


def settings(user: object = None, project: object = None, preset: str = "", **environ: str) -> PromptSettings:
    places = Places(_source(USER, user), _source(PROJECT, project))
    return settings_in(places, environ, preset)


def _source(label: str, document: object) -> Source | None:
    if document is None:
        return None
    return Source(label, document if isinstance(document, str) else json.dumps(document, indent=1))


def test_the_defaults_are_those_of_the_design() -> None:
    found = settings().model_dump(mode="json")
    assert {key: found[key] for key in SEED} == SEED
    context = {"max_tokens": 2000, "include_claude_md": True, "include_package_json": True, "include_structure": True}
    assert found["context"] == {**context, "structure_depth": 2, "extra_files": []}
    reviewers = found["reviewers"]
    assert [name for name, one in reviewers.items() if one["conditional"]] == ["frontend_ux", "documentation"]
    assert all(one["enabled"] for one in reviewers.values())
    assert reviewers["frontend_ux"]["triggers"]["stack_markers"] == (
        ["react", "vue", "svelte", "nextjs", "tailwind", "obsidian-plugin"]
    )
    assert reviewers["documentation"]["triggers"]["skip_keywords"] == ["bugfix", "typo", "lint", "format"]


def test_the_project_lies_over_the_user_key_by_key() -> None:
    user = {"mode": "api", "budget": {"timeout_ms": 3000}, "reviewers": {"testing": {"enabled": False}}}
    project = {
        "reviewers": {"frontend_ux": {"triggers": {"file_patterns": ["privacy.ts"]}}},
        "context": {"extra_files": ["docs/flow.md"]},
        "budget": {"log_costs": False},
    }
    found = settings(user, project)
    assert (found.mode, found.budget.timeout_ms, found.budget.log_costs) == ("api", 3000, False)
    assert not found.reviewers.of(Role.TESTING).enabled
    frontend = found.reviewers.of(Role.FRONTEND_UX)
    assert frontend.triggers.file_patterns == ("privacy.ts",)
    # What neither of them names stays.
    assert frontend.conditional
    assert found.context.extra_files == ("docs/flow.md",)


@pytest.mark.parametrize(
    ("name", "value", "read", "expected"),
    [
        ("PROMPT_REVIEW_ENABLED", "false", lambda one: one.enabled, False),
        ("PROMPT_REVIEW_ENABLED", "0", lambda one: one.enabled, False),
        ("PROMPT_REVIEW_ENABLED", "1", lambda one: one.enabled, True),
        ("PROMPT_REVIEW_ENABLED", "off", lambda one: one.enabled, False),
        ("PROMPT_REVIEW_MODE", "api", lambda one: one.mode, "api"),
        ("PROMPT_REVIEW_REVIEWER_MODEL", "claude-x-1", lambda one: one.models.reviewer, "claude-x-1"),
        ("PROMPT_REVIEW_EDITOR_MODEL", "claude-y-2", lambda one: one.models.editor, "claude-y-2"),
        ("PROMPT_REVIEW_TIMEOUT", "5000", lambda one: one.budget.timeout_ms, 5000),
        ("PROMPT_REVIEW_PRESET", "quick", lambda one: one.reviewers.testing.enabled, False),
    ],
)
def test_the_environment_comes_last(name: str, value: str, read: Any, expected: object) -> None:
    lower = {"mode": "subscription", "budget": {"timeout_ms": 100}, "models": {"reviewer": "a", "editor": "b"}}
    assert read(settings(lower, lower, **{name: value})) == expected


def test_a_preset_lies_below_the_project_and_over_the_user() -> None:
    user = {
        "reviewers": {"security": {"enabled": False}},
        "presets": {"ours": {"mode": "api", "reviewers": {"security": {"enabled": True}}}},
    }
    found = settings(user, {"preset": "ours"})
    assert (found.mode, found.reviewers.security.enabled) == ("api", True)
    assert settings(user, {"preset": "ours", "mode": "subscription"}).mode == "subscription"
    assert settings(user, {"preset": "ours"}, preset="all").mode == "subscription"


def test_a_project_may_add_presets_to_those_of_the_user() -> None:
    user = {"presets": {"hers": {"mode": "api"}}}
    project = {"preset": "ours", "presets": {"ours": {"reviewers": {"clarity": {"enabled": False}}}}}
    found = settings(user, project)
    assert (found.reviewers.clarity.enabled, found.mode, set(found.presets)) == (
        False,
        "subscription",
        {"hers", "ours"},
    )
    assert settings(user, project, preset="hers").mode == "api"


@pytest.mark.parametrize("name", SHIPPED_PRESETS)
def test_a_shipped_preset_is_valid(name: str) -> None:
    assert settings(preset=name) != settings()


WRONG: dict[str, tuple[object, object, dict[str, str], str]] = {
    "a misspelt key": (
        None,
        {"reviewers": {"securty": {"enabled": True}}},
        {},
        f'{PROJECT}:3: unknown key "reviewers.securty"; did you mean "reviewers.security"?',
    ),
    "a wrong value": (
        {"mode": "server"},
        None,
        {},
        f'{USER}:2: mode is the text "server"; allowed: subscription or api',
    ),
    "a role twice": (
        None,
        {"editor": {"priority_order": ["testing", "testing"]}},
        {},
        f"{PROJECT}:3: editor.priority_order names a reviewer twice",
    ),
    "an unknown variable": (
        None,
        None,
        {"PROMPT_REVIEW_MDOE": "api"},
        "environment PROMPT_REVIEW_MDOE: no setting has this name; did you mean PROMPT_REVIEW_MODE?",
    ),
    "an unknown preset": (None, {"preset": "quik"}, {}, "preset quik: no preset has this name; did you mean quick?"),
}


@pytest.mark.parametrize(("user", "project", "environ", "what"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_told_with_its_place(user: object, project: object, environ: dict[str, str], what: str) -> None:
    with pytest.raises(ConfigError) as raised:
        settings(user, project, **environ)
    assert raised.value.what == what
