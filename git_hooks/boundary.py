"""The edge between git and our code: whatever goes wrong ends as one message and a blocking exit code."""

from __future__ import annotations

import os
import sys

from review_gate.errors import BLOCKED, ReviewGateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def guarded(hook: Callable[[list[str]], int], arguments: list[str]) -> int:
    """The exit code of a hook; every error is a refusal, because a gate that breaks must stay closed."""
    try:
        return hook(arguments)
    except ReviewGateError as error:
        from review_gate.render.decision import error_text

        say(error_text(error.what, error.why, error.next_step))
    except KeyboardInterrupt:
        say("blocked: interrupted\n")
    except Exception as error:
        _say_our_bug(error)
    return BLOCKED


def say(text: str) -> None:
    """Write to standard error, even when something on it cannot be encoded or nobody reads it."""
    try:
        sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return


def _say_our_bug(error: Exception) -> None:
    from review_gate.render.decision import error_text

    if os.environ.get("REVIEW_GATE_DEBUG"):
        import traceback

        traceback.print_exc()
    what = f"review-gate itself failed: {type(error).__name__}: {error}"
    say(error_text(what, "a gate that breaks stays closed", "review-gate doctor (REVIEW_GATE_DEBUG=1 shows where)"))


def read_standard_input() -> bytes | None:
    """All that git sent, or None when there is no pipe to read from."""
    try:
        if os.isatty(0):
            return None
        pieces = []
        while piece := os.read(0, 1 << 16):
            pieces.append(piece)
        return b"".join(pieces)
    except OSError:
        return None
