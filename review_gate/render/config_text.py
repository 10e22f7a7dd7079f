"""The configuration in force, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from review_gate.config.display import quoted
from review_gate.config.load import Loaded
from review_gate.config.yaml_tree import plain_value

_WIDEST = 60
_NO_POLICY = "# no policy: the checks cannot be read (review-gate checks list says why)"
_NEEDS_NO_QUOTES = re.compile(r"[A-Za-z_./][A-Za-z0-9_./-]*")

Line = tuple[str, str | None]


def show_text(loaded: Loaded, policy: str | None) -> str:
    """Every setting as YAML that could be loaded again, with a comment that says where its value came from.

    Checks that cannot be read make no policy.
    """
    lines = list(_mapping_lines(loaded.config.model_dump(mode="json"), "", "", loaded.origins))
    width = max(len(text) for text, origin in lines if origin and len(text) <= _WIDEST)
    shown = [text if origin is None else f"{text:<{width}}  # {_printable(origin)}" for text, origin in lines]
    return "\n".join([*shown, f"# policy {policy}" if policy else _NO_POLICY, ""])


def show_json(loaded: Loaded, policy: str | None) -> str:
    """The configuration, the origin of each value and the policy digest in one JSON document."""
    document = {"config": loaded.config.model_dump(mode="json"), "origins": loaded.origins, "policy": policy}
    return json.dumps(document, indent=2) + "\n"


def value_text(value: object) -> str:
    """One value, or a list of values, the way a user would write it in the file."""
    if isinstance(value, str):
        is_plain = _NEEDS_NO_QUOTES.fullmatch(value) and isinstance(plain_value(value), str)
        return value if is_plain else quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    return json.dumps(value)


def _mapping_lines(mapping: dict[str, object], indent: str, path: str, origins: dict[str, str]) -> Iterator[Line]:
    for key, value in mapping.items():
        dotted = f"{path}{key}"
        if isinstance(value, dict) and value:
            yield f"{indent}{key}:", None
            yield from _mapping_lines(value, f"{indent}  ", f"{dotted}.", origins)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{indent}{key}:", None
            yield from _item_lines(value, indent, dotted, origins)
        else:
            yield f"{indent}{key}: {value_text(value)}", origins[dotted]


def _item_lines(items: list[dict[str, object]], indent: str, path: str, origins: dict[str, str]) -> Iterator[Line]:
    for index, item in enumerate(items):
        lines = list(_mapping_lines(item, f"{indent}    ", f"{path}.{index}.", origins))
        text, origin = lines[0]
        yield f"{indent}  - {text.lstrip()}", origin
        yield from lines[1:]


def _printable(text: str) -> str:
    return quoted(text)[1:-1]
