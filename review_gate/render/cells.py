"""How much room a text takes on a terminal, where a letter may have two cells or none."""

from __future__ import annotations

from itertools import accumulate


def width(text: str) -> int:
    """How many cells of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut_to(text: str, most: int) -> str:
    """The beginning of a text for which there are not enough cells, with a sign that it is one."""
    if width(text) <= most:
        return text
    end = next(at for at, taken in enumerate(accumulate(map(_cells, text))) if taken >= most)
    return text[:end] + "…"


def padded(text: str, cells: int) -> str:
    """The text with blanks behind it, up to so many cells."""
    return text + " " * (cells - width(text))


def _cells(letter: str) -> int:
    from unicodedata import category, east_asian_width

    return 0 if category(letter) in ("Mn", "Me") else 2 if east_asian_width(letter) in "WF" else 1
