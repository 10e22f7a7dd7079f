"""Which patterns heed no signal for long, and in which texts."""

from __future__ import annotations

# `re` looks for signals every 4,096 steps, and one step may run over a whole line: one of this length holds it up for a
# second.
LONG_LINE = 32_000
# The same for patterns that run over line ends; few of them run on to the end of the text.
LONG_TEXT = 256_000


def may_run_on(pattern: str) -> bool:
    """Whether a part of a pattern may be repeated a thousand times or more; where that is not easily told, it may."""
    if "*" in pattern or "+" in pattern:
        return True
    most = [piece.partition("}")[0].rpartition(",")[2] for piece in pattern.split("{")[1:]]
    return not all(0 < len(number) < 4 for number in most)


def has_long_line(body: bytes) -> bool:
    """Whether a text with LF line ends has a line that is too long."""
    at = 0
    while len(body) - at > LONG_LINE:
        end = body.rfind(b"\n", at, at + LONG_LINE + 1)
        if end < 0:
            return True
        at = end + 1
    return False
