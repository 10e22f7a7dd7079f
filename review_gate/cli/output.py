"""What the verbs share: the --format option, and printing a result."""

from __future__ import annotations

import os
import sys

from review_gate.errors import ReviewGateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def add_format(parser: argparse.ArgumentParser, *choices: str) -> None:
    """The --format option with the formats a verb can write."""
    parser.add_argument("--format", choices=("text", "json", *choices), default="text", help="form of the result")


# How a line of ours starts, and the colour that helps to see it.
COLORS = {
    "blocked:": "31",
    "critical:": "31",
    "major:": "31",
    "ship: BLOCKED": "31;1",
    "PROBLEM": "31",
    "warning:": "33",
    "WARNING": "33",
    "approved:": "32",
    "ship: approved": "32;1",
    "ok ": "32",
}


def is_terminal() -> bool:
    """Whether somebody reads standard output on a terminal, where control characters do harm."""
    return sys.stdout is not None and sys.stdout.isatty()


def print_result(text: str, *, is_raw: bool = False) -> None:
    """The result goes to standard output, whole, even where a name in it cannot be encoded.

    In a raw one bytes that are no UTF-8 stay what they are.
    """
    if is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        text = colored(text)
    errors = "surrogateescape" if is_raw else "backslashreplace"
    print_pieces([text if text.endswith("\n") else text + "\n"], errors=errors)


def print_pieces(pieces: Iterable[str], *, errors: str = "backslashreplace") -> None:
    """A result that is too large for one text goes out piece by piece, as it is."""
    if sys.stdout is None:
        return
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode("utf-8", errors))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # Python would try again at exit, and print a traceback then.
        sys.stdout = None
        raise ReviewGateError(
            f"the result could not be written: {error.strerror}",
            why="standard output does not take it; what was decided stands",
            next_step="review-gate status",
        ) from None


def colored(text: str) -> str:
    """The same text with the first word of telling lines in colour."""
    return "\n".join(_colored_line(line) for line in text.split("\n"))


def _colored_line(line: str) -> str:
    for start, color in COLORS.items():
        if line.startswith(start):
            return f"\033[{color}m{start}\033[0m{line[len(start) :]}"
    return line
