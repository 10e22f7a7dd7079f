"""A time limit that stops even a regular expression, where the system has a timer."""

from __future__ import annotations

from review_gate.checks.scan import TooSlowError, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


class Alarm(Watch):
    """Raises TooSlowError in the main thread when a block takes longer than some seconds."""

    def __init__(self, seconds: float) -> None:
        import _signal  # type: ignore[import-not-found]  # what `signal` wraps; that takes 4 ms to import

        self.seconds = seconds
        self._set = _signal.setitimer
        self._timer = _signal.ITIMER_REAL
        _signal.signal(_signal.SIGALRM, _ring)

    def __enter__(self) -> Watch:
        self._set(self._timer, self.seconds)
        return self

    def __exit__(self, *_: object) -> None:
        self._set(self._timer, 0)


def _ring(_: int, __: FrameType | None) -> None:
    raise TooSlowError


def watch(seconds: float) -> Watch:
    """The limit for one text; only the main thread of a system with timers has one."""
    try:
        return Alarm(seconds)
    except (AttributeError, ValueError):
        return Watch()
