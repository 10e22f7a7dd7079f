"""The edge between git and our code: whatever goes wrong ends as one message and a blocking exit code."""

from __future__ import annotations

import gc
import os

from review_gate.errors import BLOCKED, ReviewGateError, explained
from review_gate.standard_error import say, say_where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

OBJECTS_BETWEEN_COLLECTIONS = 100_000


def guarded(hook: Callable[[list[str]], int], arguments: list[str]) -> int:
    """The exit code of a hook; every error is a refusal, because a gate that breaks must stay closed."""
    # A hook keeps most of what it makes to its end: looking through all of it for garbage, time and again, finds none.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        return hook(arguments)
    except ReviewGateError as error:
        _say_error(error)
    except KeyboardInterrupt:
        say("blocked: interrupted\n")
    except Exception as error:
        say_where()
        _say_error(explained(error))
    return BLOCKED


def _say_error(error: ReviewGateError) -> None:
    from review_gate.render.decision import error_text

    say(error_text(error.what, error.why, error.next_step))


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
