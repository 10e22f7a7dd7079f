"""How the tables of this package are written: many names in few lines."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The names in a text with blanks between them."""
    return frozenset(text.split())
