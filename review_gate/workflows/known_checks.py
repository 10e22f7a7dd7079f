"""Checks that exist though a scan does not look for them: who suppresses one of those made no mistake."""

from __future__ import annotations

from review_gate.shell.check_sources import is_in_a_pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping


def known_elsewhere(settings: Mapping[str, object], names: Container[str] = ()) -> Callable[[str], bool]:
    """Whether an id is one of some names, or of a check that is disabled, or of a shipped pack that may be off."""
    disabled = settings.get("disable")
    off = disabled if isinstance(disabled, list) else []
    return lambda name: name in names or name in off or is_in_a_pack(name)


def anything(_: str) -> bool:
    """Nobody knows which checks there are where a scan is about some files of checks only."""
    return True
