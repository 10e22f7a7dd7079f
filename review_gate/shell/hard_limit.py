"""Work in a copy of this process, which the system itself ends at a limit: `re` may heed no signal for minutes."""

from __future__ import annotations

import os

from review_gate.checks.watch import NOTHING
from review_gate.shell.spawn import SIGKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READ_SIZE = 1 << 16
NO_MEMORY = 12
PATIENCE_MILLISECONDS = 500
# Linux knows this request; elsewhere there is no function of that name.
PR_SET_PDEATHSIG = 1


class LostError(Exception):
    """The work ended with an error of its own, which only shows to who does it himself."""


class EndedError(Exception):
    """The system ended the work, by this signal."""

    def __init__(self, signal: int) -> None:
        super().__init__(f"ended by signal {signal}")
        self.signal = signal


class SharedCell:
    """A number in memory that this process shares with the copies of it; `begin` is called whenever it is set."""

    def __init__(self, begin: Callable[[], object]) -> None:
        import mmap

        self._number = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("i")
        self._number[0] = NOTHING
        self._begin = begin

    def __getitem__(self, place: int) -> int:
        return self._number[place]

    def __setitem__(self, place: int, number: int) -> None:
        self._number[place] = number
        self._begin()


def in_child(work: Callable[[], bytes], set_limits: Callable[[], object]) -> bytes:
    """What the work says in a child that sets its limits first, such that the system ends it without asking."""
    ours, theirs = os.pipe()
    pid = 0
    try:
        pid = os.fork()
        if pid == 0:
            _do(work, set_limits, ours, theirs)
        os.close(theirs)
        theirs = -1
        answer = _read_all(ours)
    except BaseException:
        # The child does not outlive an interruption of its parent.
        if pid:
            os.kill(pid, SIGKILL)
            os.waitpid(pid, 0)
        raise
    finally:
        os.close(ours)
        if theirs >= 0:
            os.close(theirs)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code == 0:
        return answer
    if code < 0:
        raise EndedError(-code)
    raise MemoryError if code == NO_MEMORY else LostError


def _do(work: Callable[[], bytes], set_limits: Callable[[], object], ours: int, theirs: int) -> None:
    """The life of the child."""
    code = 1
    try:
        os.close(ours)
        _end_with_parent()
        set_limits()
        view = memoryview(work())
        while view:
            view = view[os.write(theirs, view) :]
        code = 0
    except MemoryError:
        code = NO_MEMORY
    finally:
        # No clean-up of the parent's things in the child, and nothing of its buffers is written twice.
        os._exit(code)


def _end_with_parent() -> None:
    """Let the system end this process when its parent is killed; where it cannot, the limits end it a little later."""
    try:
        from ctypes import CDLL

        CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL)
    except (ImportError, OSError, AttributeError, TypeError):
        return


def _read_all(pipe: int) -> bytes:
    import select

    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    pieces: list[bytes] = []
    while True:
        # Python heeds a signal that comes right before it waits only when that ends, so it waits for a moment at most.
        if waiting.poll(PATIENCE_MILLISECONDS):
            piece = os.read(pipe, READ_SIZE)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
