"""A limit of time and memory that stops even a regular expression, where the system has a timer."""

from __future__ import annotations

import os

from review_gate.checks.watch import NOTHING, TooSlowError, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from review_gate.checks.watch import Cell


# What a process may have while it searches; the largest text has 20 MB.
MOST_BYTES = 1 << 29


class Alarm(Watch):
    """Raises TooSlowError in the main thread when a block takes more than some seconds of work.

    A group that is repeated over a long line takes 160 bytes for each time: then MemoryError comes before the others on
    this machine have none left. Programs that a block starts would have this limit too, so it starts none.
    """

    def __init__(self, seconds: float) -> None:
        import _signal  # type: ignore[import-not-found]  # what `signal` wraps; that takes 4 ms to import
        import resource

        self.seconds = seconds
        self._limit, self._memory = resource.setrlimit, resource.RLIMIT_DATA
        soft, hard = resource.getrlimit(self._memory)
        self._usual = (soft, hard)
        known = [limit for limit in self._usual if limit != resource.RLIM_INFINITY]
        self._while_searching = (min([MOST_BYTES, *known]), hard)
        self._set = _signal.setitimer
        # Time of this process: on a busy machine the clock on the wall would call every check slow.
        self._timer = _signal.ITIMER_VIRTUAL
        _signal.signal(_signal.SIGVTALRM, _ring)

    def __enter__(self) -> Watch:
        self._limit(self._memory, self._while_searching)
        self._set(self._timer, self.seconds)
        return self

    def __exit__(self, *_: object) -> None:
        self._set(self._timer, 0)
        self._limit(self._memory, self._usual)

    def used(self) -> float:
        """The seconds of work so far, of this process and of those that it waited for."""
        return sum(os.times()[:4])

    def cell(self) -> Cell:
        """A number in memory that a copy of this process shares with it."""
        import mmap

        cell = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("i")
        cell[0] = NOTHING
        return cell

    def bounded(self, work: Callable[[], bytes]) -> bytes:
        """What work says that may heed no interruption: the system ends the process that does it."""
        from review_gate.shell.hard_limit import LostError, in_child

        try:
            return in_child(work, self._set_for_good)
        except (LostError, OSError):
            # No second process can be had, or the work has an error that should be seen.
            return super().bounded(work)

    def _set_for_good(self) -> None:
        """The limits of a process that is there for one search alone: the system ends it without a word."""
        import _signal

        for signal in (_signal.SIGVTALRM, _signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
            _signal.signal(signal, _signal.SIG_DFL)
        self.__enter__()


def _ring(_: int, __: FrameType | None) -> None:
    raise TooSlowError


class HardStop(Watch):
    """The same where the system has no timer, as on Windows: nothing interrupts `re` there, so the process ends.

    Its exit code is 1, so a commit is refused and a scan has failed; there is no one left to name the check.
    """

    def __init__(self, seconds: float) -> None:
        import faulthandler

        self.seconds = seconds
        self._faulthandler = faulthandler
        # The report of where it stood helps nobody.
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - it is needed as long as the process lives

    def __enter__(self) -> Watch:
        self._faulthandler.dump_traceback_later(self.seconds, exit=True, file=self._nowhere)
        return self

    def __exit__(self, *_: object) -> None:
        self._faulthandler.cancel_dump_traceback_later()


def watch(seconds: float) -> Watch:
    """The limit for one text."""
    try:
        return Alarm(seconds)
    except (AttributeError, ImportError):
        return HardStop(seconds)
