"""What a limit of time and memory around a search is to the search."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Cell(Protocol):
        """One number, at place 0, that a search sets, perhaps in another process than the one that reads it."""

        def __getitem__(self, place: int, /) -> int: ...

        def __setitem__(self, place: int, number: int, /) -> None: ...


NOTHING = -1


class TooSlowError(Exception):
    """The time for one text is over, of so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"took longer than {seconds:g} seconds")


class TextTooSlowError(TooSlowError):
    """The same where that is the fault of no check alone."""


class Watch:
    """A limit around the search in one text; this one knows no limit and has no clock."""

    seconds = 0.0

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the clock."""

    def used(self) -> float:
        """The seconds of work so far, of this process and of those that it waited for."""
        return 0.0

    def cell(self) -> Cell:
        """A number that outlives work that is cut short; whenever the work sets it, its time begins anew."""
        return [NOTHING]

    def bounded(self, work: Callable[[], bytes]) -> bytes:
        """What work says that may heed no interruption, such as a pattern on a very long line."""
        with self:
            return work()
