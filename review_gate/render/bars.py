"""Bars out of letters, for a terminal."""

from __future__ import annotations

import os
from typing import NamedTuple

FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
PLAIN = "#"
USUAL_WIDTH, LEAST_WIDTH = 80, 66
CYAN, OFF = "\033[36m", "\033[0m"


class Look(NamedTuple):
    """What the terminal can show."""

    width: int = USUAL_WIDTH
    has_blocks: bool = True
    has_color: bool = False


def look_of(encoding: str | None, columns: int, *, is_terminal: bool) -> Look:
    """What can be shown where the result goes."""
    has_blocks = (encoding or "").lower().startswith("utf")
    has_color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Look(max(LEAST_WIDTH, min(USUAL_WIDTH, columns)), has_blocks, has_color)


def bar(value: float, most: float, width: int, look: Look) -> str:
    """A bar, filled up with blanks to its width; what is not nothing shows."""
    eighths = max(1, round(value / most * width * 8)) if value > 0 else 0
    drawn = FULL * (eighths // 8) + EIGHTHS[eighths % 8].strip()
    if not look.has_blocks:
        drawn = PLAIN * max(value > 0, round(eighths / 8))
    return f"{CYAN}{drawn}{OFF}{'':{width - len(drawn)}}" if look.has_color and drawn else f"{drawn:{width}}"
