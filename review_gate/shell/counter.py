"""A count of files on the terminal while a scan takes its time; nothing at all for machines."""

from __future__ import annotations

import sys
import time

# A scan that takes less shows nothing, and the number changes as often as an eye can follow.
PATIENCE = 0.5
PAUSE = 0.1


class Silent:
    """Counts for nobody: standard error is not a terminal."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def __call__(self, done: int, total: int) -> None:
        """Say nothing."""


class Shown(Silent):
    """One line that is written over until the scan is done."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def __call__(self, done: int, total: int) -> None:
        """Show how far the scan is, now and then."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PAUSE
            self._is_shown = True
            sys.stderr.write(f"\r\033[Kscanned {done} of {total} files")
            sys.stderr.flush()


def counter() -> Silent:
    """The count that fits standard error."""
    return Shown() if sys.stderr is not None and sys.stderr.isatty() else Silent()
