"""One at a time in a folder, without a file that would be left behind there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from review_gate.errors import ReviewGateError

SECONDS = 10.0
PAUSE = 0.05


@contextmanager
def alone_in(folder: str, *, seconds: float = SECONDS) -> Iterator[None]:
    """Wait until nobody else is at work in a folder, or in the nearest one above it that exists."""
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    if sys.platform == "win32":
        # There a folder cannot be locked, and who writes at the same moment is told by what is in the file.
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        _take(handle, folder, time.monotonic() + seconds)
        yield
    finally:
        os.close(handle)


def _take(handle: int, folder: str, until: float) -> None:
    import fcntl

    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise ReviewGateError(
                    f"another review-gate is at work in {folder}",
                    why="two that change the same settings at once would lose each other's changes",
                    next_step="the same command again, when the other one has ended",
                ) from None
            time.sleep(PAUSE)
        except OSError:
            # A file system without such locks.
            return
        else:
            return
