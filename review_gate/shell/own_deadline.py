"""An end for what this process does by itself: a hook that hangs would be given up, and what it guards would go on."""

from __future__ import annotations

from review_gate.errors import ReviewGateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


class TooLongError(ReviewGateError):
    """It took longer than anything of ours may take."""


def end_in(seconds: int) -> None:
    """Raise a TooLongError in the main thread in so many seconds, where the system has alarms."""
    try:
        import _signal  # type: ignore[import-not-found]  # what `signal` wraps; that takes 4 ms to import

        _signal.signal(_signal.SIGALRM, _ended)
        _signal.alarm(seconds)
    except (ImportError, AttributeError, ValueError):
        # Windows has none, and other threads may set none.
        return


def _ended(_number: int, _frame: FrameType | None) -> None:
    raise TooLongError(
        "review-gate took too long",
        why="whoever called it would go on without its word",
        next_step="review-gate doctor, then the same again",
    )
