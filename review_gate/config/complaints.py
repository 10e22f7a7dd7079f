"""What is wrong with a configuration, said with the place, the key and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from review_gate.config.display import described, printable, quoted
from review_gate.config.fields import REFUSED, allowed_for
from review_gate.config.keys import Path, field_at, keys_of, model_at, nearest_key, path_text
from review_gate.config.places import USER_FILE
from review_gate.config.rules import Refusal
from review_gate.config.schema import Config
from review_gate.config.yaml_tree import Node, plain_data, plain_value
from review_gate.errors import ConfigError

ENVIRONMENT = "environment "
_MOST_SHOWN = 20
_MOST_GUESSED = 100
_WHY = "a setting that is not understood could be one that was meant to keep the gate closed"
LOOK_AGAIN = "review-gate config show"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong, and where it was written."""

    origin: str
    text: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.text}"


def config_error(complaints: Sequence[Complaint], *, reason: str = _WHY, look_again: str = LOOK_AGAIN) -> ConfigError:
    """One error that lists every complaint: the first as what happened, the others with the reason."""
    first, others = complaints[0], complaints[1:_MOST_SHOWN]
    why = reason
    if others:
        why += "; also wrong:\n" + "\n".join(map(str, others))
    if len(complaints) > _MOST_SHOWN:
        why += f"\nand {len(complaints) - _MOST_SHOWN} more"
    next_step = f"{_remedy(first.origin)}, then: {look_again}"
    return ConfigError(str(first), why=why, next_step=next_step, others=len(complaints) - 1)


def in_order(complaints: Iterable[Complaint], labels: Sequence[str]) -> list[Complaint]:
    """The complaints by file and line, those about the environment last."""
    return sorted(complaints, key=lambda complaint: _position(complaint.origin, labels))


def _position(origin: str, labels: Sequence[str]) -> tuple[int, int]:
    label, _, line = origin.rpartition(":")
    return (labels.index(label), int(line)) if label in labels else (len(labels), 0)


def _remedy(origin: str) -> str:
    if origin.startswith(ENVIRONMENT):
        return f"unset or correct {origin.removeprefix(ENVIRONMENT)}"
    # What has no line stands in no file.
    return f"edit {origin.removeprefix(USER_FILE)}" if ":" in origin else f"correct {origin}"


def complaints_about(
    details: Sequence[Any], refusals: Iterable[Refusal], tree: Node, root: type[BaseModel] = Config
) -> list[Complaint]:
    """What the schema and the rules refused, each with the line that it was written on."""
    paths = [_written_path(detail) for detail in details]
    unknown = [path for path, detail in zip(paths, details, strict=True) if detail["type"] == "extra_forbidden"]
    # Guessing the nearest key of thousands would take seconds, and so many are not shown.
    guesses = {path: nearest_key(path, root) for path in unknown[:_MOST_GUESSED]}
    # A key that is missing because it was misspelt is one mistake.
    told = {*guesses.values()}
    complaints = [
        _complaint(detail, path, tree, root, guesses.get(path))
        for detail, path in zip(details, paths, strict=True)
        if detail["type"] != "missing" or path_text(path) not in told
    ]
    wrong = {*paths}
    complaints += [
        Complaint(origin_at(tree, path), f"{_shown(path)} {reason}") for path, reason in refusals if path not in wrong
    ]
    return complaints


def _complaint(detail: Any, path: Path, tree: Node, root: type[BaseModel], guess: str | None) -> Complaint:
    node, is_written = _deepest(tree, path)
    if detail["type"] == "extra_forbidden":
        return Complaint(node.origin, _unknown_key(path, root, guess))
    if detail["type"] == "missing":
        return Complaint(node.origin, f"{_shown(path)} is missing; allowed: {_wanted(path, root)}")
    if detail["type"] == REFUSED:
        return Complaint(node.origin, f"{_shown(path)} {detail['ctx']['reason']}")
    if not is_written and isinstance(node.value, str):
        # One text where a list may be; the schema speaks of the first of one.
        path, is_written = path[:-1], True
    value = described(plain_data(node)) if is_written else "not right"
    return Complaint(node.origin, f"{_shown(path)} is {value}; allowed: {_wanted(path, root)}{_hint(detail)}")


def _wanted(path: Path, root: type[BaseModel]) -> str:
    field = field_at(path, root)
    phrase = allowed_for(field) if field else ""
    return phrase or f"a mapping with the keys {_valid_keys(path, root)}"


def _valid_keys(path: Path, root: type[BaseModel]) -> str:
    model = model_at(path, root)
    return ", ".join(keys_of(model)) if model else ""


def _written_path(detail: Any) -> Path:
    path: Path = detail["loc"]
    # pydantic names the branch of a tagged union in the path; nobody wrote that.
    return path[:1] + path[2:] if path[0] == "test_command" else path


def _deepest(tree: Node, path: Path) -> tuple[Node, bool]:
    """The node at a path, or else the last one on the way to it and False."""
    node = tree
    for part in path:
        value = node.value
        if isinstance(value, Mapping) and part in value:
            node = value[str(part)]
        elif isinstance(value, tuple) and isinstance(part, int) and part < len(value):
            node = value[part]
        else:
            return node, False
    return node, True


def origin_at(tree: Node, path: Path) -> str:
    """Where the value at a path, or the value that stands for it, was written."""
    return _deepest(tree, path)[0].origin


def _unknown_key(path: Path, root: type[BaseModel], guess: str | None) -> str:
    if guess:
        return f"unknown key {_quoted(path)}; did you mean {quoted(guess)}?"
    return f"unknown key {_quoted(path)}; valid here: {_valid_keys(path[:-1], root) or 'none'}"


def _hint(detail: Any) -> str:
    value = detail["input"]
    if detail["type"] == "string_type" and isinstance(value, bool | int | float):
        return " (put it in quotes)"
    if detail["type"] in ("int_type", "float_type") and isinstance(value, str):
        return " (write it without quotes)" if isinstance(plain_value(value), int | float) else ""
    return ""


def _shown(path: Path) -> str:
    return printable(path_text(path))


def _quoted(path: Path) -> str:
    return f'"{_shown(path)}"'
