"""Settings from several places laid over each other: files first, the environment last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from pydantic.fields import FieldInfo

from review_gate.config.complaints import ENVIRONMENT, Complaint
from review_gate.config.display import printable
from review_gate.config.keys import nearest, sections, variables
from review_gate.config.places import NOT_SETTINGS, PREFIX
from review_gate.config.yaml_tree import Node, UnreadableError, plain_value

# The one section that a word can stand for.
MODELS = "models"
NOTHING = Node({}, "built-in default")


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one configuration file, and the name under which messages speak of it."""

    label: str
    text: str


def file_layer(source: Source) -> Node:
    """What one file sets; UnreadableError when it cannot be understood at all."""
    root = _parsed(source.text, lambda line: f"{source.label}:{line}")
    if root is None:
        return NOTHING
    if not isinstance(root.value, Mapping):
        raise UnreadableError(root.origin, "the settings must be a mapping of keys to values, such as version: 1")
    # A section whose lines are all commented out reads as null and sets nothing.
    empty = {key for key, node in root.value.items() if key in sections() and node.value is None}
    given = {key: node for key, node in root.value.items() if key not in empty}
    return replace(root, value={key: _written_out(key, node) for key, node in given.items()})


def _parsed(text: str, place: Callable[[int], str]) -> Node | None:
    # Most folders and environments set nothing, and the import of the parser takes as long as the rest of the loading.
    from review_gate.config.yaml_reader import read_yaml

    return read_yaml(text, place)


def _written_out(key: str, node: Node) -> Node:
    """`models: required` means `models: {use: required}`; YAML 1.1 reads `off` as false."""
    if key != MODELS or not isinstance(node.value, str | bool):
        return node
    return replace(node, value={"use": node})


def environment_layers(environ: Mapping[str, str]) -> Iterator[Node | Complaint]:
    """What each REVIEW_GATE_ variable sets, or what is wrong with it."""
    known = variables()
    for name in sorted(environ):
        if not name.startswith(PREFIX) or name in NOT_SETTINGS:
            continue
        origin = f"{ENVIRONMENT}{printable(name)}"
        if name not in known:
            yield Complaint(origin, _unknown_variable(name, list(known)))
            continue
        try:
            yield _variable_layer(environ[name], *known[name], origin)
        except UnreadableError as error:
            yield Complaint(error.origin, error.text)


def merged(lower: Node, upper: Node) -> Node:
    """Mappings merge key by key; anything else replaces what is below it."""
    if not isinstance(lower.value, Mapping) or not isinstance(upper.value, Mapping):
        return upper
    entries = dict(lower.value)
    for key, node in upper.value.items():
        entries[key] = merged(entries[key], node) if key in entries else node
    return replace(upper, value=entries)


def _variable_layer(text: str, key: str, field: FieldInfo, origin: str) -> Node:
    node = _variable_value(text, field, origin)
    for part in reversed(key.split(".")):
        node = Node({part: node}, origin)
    return node


def _variable_value(text: str, field: FieldInfo, origin: str) -> Node:
    # Quotes, lists and mappings need the parser; all else is one scalar, also `@{u}`, which is no YAML.
    if text.startswith(("[", "{", '"', "'")):
        return _parsed(text, lambda _line: origin) or Node(None, origin)
    value = plain_value(text.strip())
    # 1234567 and 1e5 can be abbreviated commit ids.
    if _takes_text(field) and value is not None:
        value = text.strip()
    return Node(value, origin)


def _takes_text(field: FieldInfo) -> bool:
    return str in (field.annotation, *get_args(field.annotation))


def _unknown_variable(name: str, known: list[str]) -> str:
    inside = [candidate for candidate in known if candidate.startswith(f"{name}__")]
    if inside:
        return f"a section has no value of its own; did you mean {inside[0]}?"
    # The common prefix would make every name look near.
    guess = nearest(name.removeprefix(PREFIX), (candidate.removeprefix(PREFIX) for candidate in known))
    return "no setting has this name; " + (
        f"did you mean {PREFIX}{guess}?" if guess else "review-gate config show lists them all"
    )
