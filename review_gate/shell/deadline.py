"""A limit of time that interrupts work in Python, where the system has a timer; regexes have a limit of their own."""

from __future__ import annotations

from types import FrameType

from review_gate.checks.watch import TooSlowError, Watch

# So many times the seconds of one check all fixes of a text together may take.
LONGEST = 10


class Alarm(Watch):
    """Raises TooSlowError in the main thread when a block takes more than some seconds of work."""

    def __init__(self, seconds: float) -> None:
        # What `signal` wraps; that takes 4 ms to import.
        import _signal  # type: ignore[import-not-found]  # as above

        self.seconds = seconds
        self._set = _signal.setitimer
        # Time of this process: on a busy machine the clock on the wall would call every text slow.
        self._timer = _signal.ITIMER_VIRTUAL
        _signal.signal(_signal.SIGVTALRM, self._ring)

    def _ring(self, _: int, __: FrameType | None) -> None:
        raise TooSlowError(self.seconds)

    def __enter__(self) -> Watch:
        self._set(self._timer, self.seconds)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._set(self._timer, 0)
        except TooSlowError:
            # The time was over just now: what was found counts.
            self._set(self._timer, 0)


def watch(seconds: float) -> Watch:
    """The limit for one text; without a timer, as on Windows or in another thread, only regexes have one."""
    try:
        return Alarm(seconds)
    except (AttributeError, ImportError, ValueError):
        limit = Watch()
        limit.seconds = seconds
        return limit
