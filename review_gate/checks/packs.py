"""Which of the shipped packs are in force when nobody chose."""

from __future__ import annotations

DEFAULT_PACKS = ("secrets", "dangerous", "leftovers", "injection", "unicode", "workflows")
