"""Bars out of letters, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"
PLAIN = "#"
USUAL_WIDTH, LEAST_WIDTH = 80, 66
CYAN, OFF = "\033[36m", "\033[0m"
NO_LOCALE = ("C", "POSIX")


class Look(NamedTuple):
    """What the terminal can show."""

    width: int = USUAL_WIDTH
    has_blocks: bool = True
    has_color: bool = False


def look_of(encoding: str | None, columns: int, environ: Mapping[str, str], *, is_terminal: bool) -> Look:
    """What can be shown where the result goes."""
    width = max(LEAST_WIDTH, min(USUAL_WIDTH, columns))
    is_dumb = environ.get("TERM") == "dumb"
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    has_color = is_terminal and not is_dumb and not environ.get("NO_COLOR")
    return Look(width, _has_blocks(encoding) and not is_dumb and locale not in NO_LOCALE, has_color)


def _has_blocks(encoding: str | None) -> bool:
    try:
        (FULL + EIGHTHS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(value: float, most: float, width: int, look: Look) -> str:
    """A bar, filled up with blanks to its width; what is not nothing shows."""
    eighths = max(1, round(value / most * width * 8)) if value > 0 and most > 0 else 0
    if look.has_blocks:
        drawn = FULL * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
    else:
        drawn = PLAIN * max(1, round(eighths / 8)) if eighths else ""
    blanks = " " * (width - len(drawn))
    return (f"{CYAN}{drawn}{OFF}" if look.has_color and drawn else drawn) + blanks
