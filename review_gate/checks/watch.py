"""What a limit of time and memory around a search is to the search."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # One number that a search sets, perhaps in another process than the one that reads it.
    Cell = list[int] | memoryview

NOTHING = -1


class TooSlowError(Exception):
    """The time for one text is over."""


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
        """A number that outlives work that is cut short."""
        return [NOTHING]

    def bounded(self, work: Callable[[], bytes]) -> bytes:
        """What work says that may heed no interruption, such as a pattern on a very long line."""
        with self:
            return work()
