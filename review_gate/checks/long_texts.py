"""Which patterns heed no signal for long, and in which texts."""

from __future__ import annotations

# `re` looks for signals every 4,096 steps, and one step may run over a whole line: one of this length holds it up for a
# second.
LONG_LINE = 32_000
# The same for patterns that run over line ends; few of them run on to the end of the text.
LONG_TEXT = 256_000
LONG_BLANK = 4_096

# How far one step of a pattern may run; see runs.reach_of.
NOWHERE, IN_LINES, OVER_BLANKS, OVER_TEXT = range(4)


def has_long_line(body: bytes) -> bool:
    """Whether a text with LF line ends has a line that is too long."""
    at = 0
    while len(body) - at > LONG_LINE:
        end = body.rfind(b"\n", at, at + LONG_LINE + 1)
        if end < 0:
            return True
        at = end + 1
    return False


def has_long_blank(body: bytes) -> bool:
    """Whether a text has many blanks and line ends one after the other."""
    return any(body[at : at + LONG_BLANK].isspace() for at in range(0, len(body), LONG_BLANK))
