"""A count on the terminal while something takes its time; nothing at all for machines."""

from __future__ import annotations

import sys
import time

FILES = "scanned {} of {} files"
# What takes less shows nothing, and the number changes as often as an eye can follow.
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
    """One line that is written over until all is done."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def __call__(self, done: int, total: int) -> None:
        """Show how much is done, now and then."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PAUSE
            self._is_shown = True
            sys.stderr.write("\r\033[K" + self._words.format(done, total))
            sys.stderr.flush()


def counter(words: str = FILES) -> Silent:
    """The count that fits standard error, in such words."""
    return Shown(words) if sys.stderr is not None and sys.stderr.isatty() else Silent()
