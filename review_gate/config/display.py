"""Values as a user may safely see them: printable, short, and in the words of YAML."""

from __future__ import annotations

from collections.abc import Mapping

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LONGEST = 60


def quoted(text: str) -> str:
    """The text in double quotes, with everything a terminal could act on written as a YAML escape."""
    return '"' + "".join(map(_visible, text)) + '"'


def printable(text: str) -> str:
    """The text without quotes, cut to a length that fits a message."""
    cut = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return "".join(c if c.isprintable() else _visible(c) for c in cut)


def described(value: object) -> str:
    """A value in words: what it is, and how it was written where that is short."""
    if isinstance(value, str):
        return f"the text {quoted(value if len(value) <= _LONGEST else value[:_LONGEST] + '…')}"
    if isinstance(value, Mapping):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f"the number {value}"


def _visible(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
