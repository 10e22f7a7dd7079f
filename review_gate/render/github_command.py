"""One GitHub workflow command, escaped."""

from __future__ import annotations

from review_gate.safe_text import safe

COMMANDS = {"critical": "error", "major": "error", "warning": "warning", "info": "notice"}


def command(name: str, message: str, **properties: object) -> str:
    """The command on one line; a property without a value is left out."""
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{name} {shown}::{_data(message)}"


def _data(text: str) -> str:
    """A text that stays on its line; `safe` has already written a carriage return as an escape."""
    return _harmless(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    """A text that stays inside its property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _harmless(text: str) -> str:
    """No hidden characters, and no start of an old-style command.

    A runner that does not know `::notice` (actions/runner before pull request 1175) goes on to look for
    `##[command]` anywhere in the line.
    """
    return safe(text).replace("##[", "## [")
