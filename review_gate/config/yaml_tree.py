"""A small tree of values that remembers where each was written; without the parser, which few commands need."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

Plain = None | bool | int | float | str

# The core schema of YAML 1.2, in which `off` and `yes` are text and there are no dates.
_CONSTANTS: Mapping[str, Plain] = {"": None, "~": None} | {
    spelling: value
    for word, value in (("null", None), ("true", True), ("false", False))
    for spelling in (word, word.capitalize(), word.upper())
}
# Python 3.11 refuses to convert more than 4300 digits; no setting needs more than twenty.
_INTEGER = re.compile(r"[-+]?[0-9]{1,20}|0o[0-7]{1,20}|0x[0-9a-fA-F]{1,20}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]{1,40}|[0-9]{1,40}(\.[0-9]{0,40})?)([eE][-+]?[0-9]{1,4})?")


class UnreadableError(Exception):
    """A text that is not the YAML we accept; `origin` says where, the message says why."""

    def __init__(self, origin: str, text: str) -> None:
        super().__init__(text)
        self.origin = origin
        self.text = text


@dataclass(frozen=True, slots=True)
class Node:
    """A value and the place it was written at; `weight` and `height` count what is below it, aliases expanded."""

    value: Plain | tuple[Node, ...] | Mapping[str, Node]
    origin: str
    weight: int = 1
    height: int = 1


def plain_value(text: str) -> Plain:
    """What an unquoted scalar stands for."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def plain_data(node: Node) -> object:
    """The tree as ordinary Python values."""
    if isinstance(node.value, Mapping):
        return {key: plain_data(child) for key, child in node.value.items()}
    if isinstance(node.value, tuple):
        return [plain_data(child) for child in node.value]
    return node.value
