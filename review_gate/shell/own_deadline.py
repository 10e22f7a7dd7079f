"""An end for what this process does by itself: a hook that hangs would be given up, and what it guards would go on."""

from __future__ import annotations

import signal
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


class TooLongError(TimeoutError):
    """It took longer than anything of ours may take."""


def end_in(seconds: int) -> None:
    """Raise a TooLongError in so many seconds, where the system has alarms."""
    if hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGALRM, _ended)
        signal.alarm(seconds)


def _ended(_number: int, _frame: FrameType | None) -> None:
    raise TooLongError("review-gate took too long")
