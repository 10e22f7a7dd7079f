"""The limit of time around work on one text."""

from __future__ import annotations

import time


class TooSlowError(Exception):
    """The time for one text is over, of so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"took longer than {seconds:g} seconds")


class Watch:
    """A limit around work in Python; this one does not interrupt it. Regexes have their own, of as many seconds."""

    seconds = 0.0

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the clock."""

    def used(self) -> float:
        """The seconds of work of this process so far: on a busy machine the clock on the wall would blame anybody."""
        return time.process_time()
