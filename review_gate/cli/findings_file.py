"""The answers of a session as `run --findings` is given them: a plain file, or standard input."""

from __future__ import annotations

import sys

from review_gate.errors import MisuseError
from review_gate.safe_text import safe_line
from review_gate.shell.files import UnsafeFileError, read_plain_file

# One byte more than anybody reads, so that what is too large is seen to be.
MOST_BYTES = 8_000_001
NAME_SHOWN = 200


def given_findings(path: str) -> bytes:
    """All of a file, or of standard input."""
    if path == "-":
        if sys.stdin is None:
            raise _unread("standard input", "it is closed")
        return sys.stdin.buffer.read(MOST_BYTES)
    try:
        found = read_plain_file(path, MOST_BYTES - 1)
    except UnsafeFileError as error:
        raise _unread(path, str(error)) from None
    except ValueError:
        # A name with a NUL in it.
        raise _unread(path, "no file can have this name") from None
    if found is None:
        raise _unread(path, "there is no such file")
    return found


def _unread(path: str, what: str) -> MisuseError:
    return MisuseError(
        f"{safe_line(path[:NAME_SHOWN])}: {what}",
        why="it has to hold what the subagents of the session answered",
        next_step="name a plain file, or - for standard input",
    )
