"""Configuration files of hook managers, read with care: they are somebody else's."""

from __future__ import annotations

import os
import re
from typing import Any

from review_gate.shell.files import UnsafeFileError, read_plain_file

# Far more than such files have; a longer, deeper or self-repeating one is somebody's trap.
MAX_BYTES = 100_000
MAX_BRACKETS = 500
MAX_DOTS = 5_000


def text_of(path: str) -> str:
    """The text of a file, empty when it cannot be read."""
    try:
        return (read_plain_file(os.path.realpath(path), MAX_BYTES) or b"").decode("utf-8", "replace")
    except UnsafeFileError:
        return ""


def parsed(path: str) -> Any:
    """What a YAML, JSON or TOML file says; None when it cannot be used."""
    text = text_of(path)
    if _is_trap(text):
        return None
    try:
        if path.endswith(".toml"):
            import tomllib

            return tomllib.loads(text)
        from ruamel.yaml import YAML

        # JSON is YAML too.
        return YAML(typ="safe").load(text)
    except Exception:
        # Whatever is wrong with somebody else's file, it does not call us.
        return None


def _is_trap(text: str) -> bool:
    """Whether a parser could take for ever: deep nesting, aliases that multiply, endless dotted keys."""
    has_aliases = re.search(r"(?:^|[\s\[{,:-])\*[\w-]", text) is not None
    return has_aliases or text.count("[") + text.count("{") > MAX_BRACKETS or text.count(".") > MAX_DOTS


def mapping(value: Any) -> dict[Any, Any]:
    """A mapping; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """A list; an empty one in place of anything else."""
    return value if isinstance(value, list) else []


def words(value: Any) -> list[str]:
    """The strings of a list."""
    return [item for item in items(value) if isinstance(item, str)]


def text(value: Any) -> str:
    """A string; an empty one in place of anything else."""
    return value if isinstance(value, str) else ""
