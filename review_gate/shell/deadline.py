"""A limit of time and memory that stops even a regular expression, where the system has a timer."""

from __future__ import annotations

import os

from review_gate.checks.watch import TextTooSlowError, TooSlowError, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from review_gate.checks.watch import Cell


# What a search may take; the largest text has 20 MB.
MOST_BYTES = 1 << 29
# What a process has is measured now and then only: in between it grows by little, and measuring takes as long as the
# search in a short text.
SEARCHES_BETWEEN = 64
# So many times the seconds of one check all of them together may take for a long text.
LONGEST = 10


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
        self._usual = resource.getrlimit(self._memory)
        self._known = [limit for limit in self._usual if limit != resource.RLIM_INFINITY]
        self._while_searching = self._usual
        self._until_measured = 0
        self._set = _signal.setitimer
        # Time of this process: on a busy machine the clock on the wall would call every check slow.
        self._timer = _signal.ITIMER_VIRTUAL
        _signal.signal(_signal.SIGVTALRM, self._ring)

    def _ring(self, _: int, __: FrameType | None) -> None:
        raise TooSlowError(self.seconds)

    def __enter__(self) -> Watch:
        self._until_measured -= 1
        if self._until_measured < 0:
            self._measure()
        try:
            self._limit(self._memory, self._while_searching)
            self._set(self._timer, self.seconds)
        except BaseException:
            self._set_back()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._set_back()
        except (TooSlowError, MemoryError):
            # The time was over just now, or the search left no memory: what it found counts, and the limits end.
            self._set_back()

    def _set_back(self) -> None:
        self._limit(self._memory, self._usual)
        self._set(self._timer, 0)

    def _measure(self) -> None:
        """A search may take so much beside what is here already, such as all that was found before."""
        self._until_measured = SEARCHES_BETWEEN
        self._while_searching = (min([_data_bytes() + MOST_BYTES, *self._known]), self._usual[1])

    def used(self) -> float:
        """The seconds of work so far, of this process and of those that it waited for."""
        return sum(os.times()[:4])

    def cell(self) -> Cell:
        """A number in memory that a copy of this process shares with it."""
        from review_gate.shell.hard_limit import SharedCell

        return SharedCell(self._begin_anew)

    def bounded(self, work: Callable[[], bytes]) -> bytes:
        """What work says that may heed no interruption: the system ends the process that does it."""
        from review_gate.shell.hard_limit import EndedError, LostError, in_child

        try:
            return in_child(work, self._set_for_good)
        except EndedError as error:
            raise self._reason_of(error.signal) from None
        except (LostError, OSError):
            # No second process can be had, or the work has an error that should be seen.
            return super().bounded(work)

    def _begin_anew(self) -> None:
        """Each check has its time alone in a long text: there are hundreds of them."""
        self._set(self._timer, self.seconds)

    def _set_for_good(self) -> None:
        """The limits of a process that is there for one search alone: the system ends it without a word."""
        import _signal

        for signal in (_signal.SIGVTALRM, _signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
            _signal.signal(signal, _signal.SIG_DFL)
        self._set(_signal.ITIMER_PROF, LONGEST * self.seconds)
        self._measure()
        self.__enter__()

    def _reason_of(self, signal: int) -> Exception:
        """Why the system has ended a process; one with too little memory it may end in several ways."""
        import _signal

        if signal == _signal.SIGVTALRM:
            return TooSlowError(self.seconds)
        return TextTooSlowError(LONGEST * self.seconds) if signal == _signal.SIGPROF else MemoryError()


def _data_bytes() -> int:
    """How much of the memory that the limit is about this process has; nothing where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, IndexError):
        return 0


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
