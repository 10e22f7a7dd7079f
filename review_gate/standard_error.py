"""Standard error, which may be closed, full or without a reader: none of that changes what is decided."""

from __future__ import annotations

import os
import sys


def say(text: str) -> None:
    """Write to standard error, even when something on it cannot be encoded or nobody can read it."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
        sys.stderr.flush()
    except (OSError, ValueError):
        # Python would try again at exit, and end with a code of its own.
        sys.stderr = None


def say_where() -> None:
    """Where the error under way came from, for somebody who looks for a bug of ours."""
    if os.environ.get("REVIEW_GATE_DEBUG"):
        import traceback

        say(traceback.format_exc())
