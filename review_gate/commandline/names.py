"""How names are written and words are cut: at the blanks a shell knows, which are fewer than those of Python."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The names in a text with blanks between them."""
    return frozenset(text.split())


def pieces(text: str) -> list[str]:
    """What stands between blanks, tabs and ends of lines."""
    return [piece for piece in text.replace("\t", " ").replace("\n", " ").split(" ") if piece]
