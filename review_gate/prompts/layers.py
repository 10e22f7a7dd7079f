"""The settings of prompt review from several places: the user's file, a preset, the project's file, the environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from review_gate.config.complaints import ENVIRONMENT, Complaint, complaints_about, config_error, in_order
from review_gate.config.keys import nearest
from review_gate.config.layers import NOTHING, Source, merged
from review_gate.config.yaml_tree import Node, UnreadableError, plain_data, plain_value
from review_gate.errors import ConfigError
from review_gate.prompts.settings import PromptSettings

PREFIX = "PROMPT_REVIEW_"
# Each variable and the setting that it stands for.
VARIABLES = {
    "PROMPT_REVIEW_ENABLED": ("enabled",),
    "PROMPT_REVIEW_MODE": ("mode",),
    "PROMPT_REVIEW_REVIEWER_MODEL": ("models", "reviewer"),
    "PROMPT_REVIEW_EDITOR_MODEL": ("models", "editor"),
    "PROMPT_REVIEW_TIMEOUT": ("budget", "timeout_ms"),
    "PROMPT_REVIEW_PRESET": ("preset",),
}
_SPELLED_NUMBERS = ("PROMPT_REVIEW_ENABLED", "PROMPT_REVIEW_TIMEOUT")
_SWITCHES = {"1": "true", "0": "false"}
_WHY = "prompt review does not guess what was meant"
LOOK_AGAIN = "review-gate prompt-review --settings"
# Named sets of settings that a project can choose instead of writing them out.
_OFF: Mapping[str, Any] = {"enabled": False}
_ALWAYS: Mapping[str, Any] = {"enabled": True, "conditional": False}

SHIPPED_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "quick": {"reviewers": {"domain_sme": _OFF, "testing": _OFF, "frontend_ux": _OFF, "documentation": _OFF}},
    "backend": {"reviewers": {"frontend_ux": _OFF}},
    "frontend": {"reviewers": {"frontend_ux": _ALWAYS}},
    "documented": {"reviewers": {"documentation": _ALWAYS}},
    "all": {"reviewers": {"frontend_ux": _ALWAYS, "documentation": _ALWAYS}},
}


class Places(NamedTuple):
    """The texts of the user's and the project's file, each None where there is none."""

    user: Source | None
    project: Source | None


def settings_in(places: Places, environ: Mapping[str, str], preset: str = "") -> PromptSettings:
    """The settings in force, or a ConfigError that names every mistake."""
    complaints: list[Complaint] = []
    user, project = (_layer(place, complaints) for place in places)
    environment = _environment(environ, complaints)
    chosen = preset or _preset_in(user, project, environment)
    # A project may change one trigger of a reviewer, and leave the others as they are.
    below = merged(_node(PromptSettings().model_dump(mode="json"), NOTHING.origin), user)
    if chosen:
        # Both may add presets of their own.
        known = plain_data(merged(below, project))
        below = merged(below, _preset(chosen, known, complaints))
    tree = merged(merged(below, project), environment)
    settings = _validated(tree, complaints)
    if settings is None or complaints:
        labels = [place.label for place in places if place is not None]
        raise config_error(in_order(complaints, labels), reason=_WHY, look_again=LOOK_AGAIN)
    return settings


def is_decided_by_project(settings: PromptSettings, user: Source | None, environ: Mapping[str, str]) -> bool:
    """Whether somebody else is asked than the user's own settings say: what a repository brings may cost money."""
    try:
        own = settings_in(Places(user, None), environ)
    except ConfigError:
        return False
    return (own.mode, own.api_fallback, own.models) != (settings.mode, settings.api_fallback, settings.models)


def _layer(source: Source | None, complaints: list[Complaint]) -> Node:
    if source is None or not source.text.strip():
        return NOTHING
    # JSON is YAML too, and this reader knows the line of every value.
    from review_gate.config.yaml_reader import read_yaml

    try:
        root = read_yaml(source.text, lambda line: f"{source.label}:{line}")
    except UnreadableError as error:
        # Whoever writes JSON did not try to write YAML.
        complaints.append(Complaint(error.origin, error.text.replace("not YAML:", "not JSON:", 1)))
        return NOTHING
    if root is not None and not isinstance(root.value, Mapping):
        complaints.append(Complaint(root.origin, 'the settings must be a JSON object, such as {"mode": "api"}'))
        return NOTHING
    return root or NOTHING


def _environment(environ: Mapping[str, str], complaints: list[Complaint]) -> Node:
    tree = NOTHING
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        origin = f"{ENVIRONMENT}{name}"
        if name not in VARIABLES:
            guess = nearest(name, VARIABLES)
            complaints.append(
                Complaint(origin, f"no setting has this name; did you mean {guess or ', '.join(VARIABLES)}?")
            )
            continue
        text = environ[name].strip()
        text = _SWITCHES.get(text, text) if name == "PROMPT_REVIEW_ENABLED" else text
        node = Node(plain_value(text) if name in _SPELLED_NUMBERS else text, origin)
        for part in reversed(VARIABLES[name]):
            node = Node({part: node}, origin)
        tree = merged(tree, node)
    return tree


def _preset_in(*layers: Node) -> str:
    """The preset that the last layer names."""
    named = [layer.value.get("preset") for layer in layers if isinstance(layer.value, Mapping)]
    return next((node.value for node in reversed(named) if node is not None and isinstance(node.value, str)), "")


def _preset(name: str, settings: object, complaints: list[Complaint]) -> Node:
    """A preset as a layer: one of the settings' own, or else a shipped one."""
    own = settings.get("presets") if isinstance(settings, dict) else None
    known = {**SHIPPED_PRESETS, **(own if isinstance(own, dict) else {})}
    origin = f"preset {name}"
    if name not in known:
        guess = nearest(name, known)
        hint = f"did you mean {guess}?" if guess else f"there are {', '.join(sorted(known))}"
        complaints.append(Complaint(origin, f"no preset has this name; {hint}"))
        return NOTHING
    # What is no mapping would take the place of all settings; that it is wrong is told with its line.
    return _node(known[name], origin) if isinstance(known[name], Mapping) else NOTHING


def _node(value: object, origin: str) -> Node:
    if isinstance(value, Mapping):
        return Node({str(key): _node(one, origin) for key, one in value.items()}, origin)
    if isinstance(value, list | tuple):
        return Node(tuple(_node(one, origin) for one in value), origin)
    return Node(value if isinstance(value, str | bool | int | float) else None, origin)


def _validated(tree: Node, complaints: list[Complaint]) -> PromptSettings | None:
    try:
        # As JSON, where a list may stand for a tuple and a word for a choice while all else is strict.
        return PromptSettings.model_validate_json(json.dumps(plain_data(tree)))
    except ValidationError as error:
        complaints += complaints_about(error.errors(include_url=False), (), tree, PromptSettings)
        return None
