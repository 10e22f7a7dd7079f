"""Work in a copy of this process, which the system itself ends at a limit: `re` may heed no signal for minutes."""

from __future__ import annotations

import os

from review_gate.checks.watch import TooSlowError
from review_gate.shell.spawn import SIGKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READ_SIZE = 1 << 16
NO_MEMORY = 12


class LostError(Exception):
    """The work ended with an error of its own, which only shows to who does it himself."""


def in_child(work: Callable[[], bytes], set_limits: Callable[[], object]) -> bytes:
    """What the work says in a child that sets its limits first; there SIGVTALRM has to keep its default action."""
    import _signal  # type: ignore[import-not-found]  # what `signal` wraps; that takes 4 ms to import

    ours, theirs = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(ours)
        os.close(theirs)
        raise
    if pid == 0:
        _do(work, set_limits, ours, theirs)
    os.close(theirs)
    answer, code = _answer_of(pid, ours)
    if code == 0:
        return answer
    if code == -_signal.SIGVTALRM:
        raise TooSlowError
    # A process with too little memory may also end by a signal, its own or that of the system.
    raise MemoryError if code == NO_MEMORY or code < 0 else LostError


def _do(work: Callable[[], bytes], set_limits: Callable[[], object], ours: int, theirs: int) -> None:
    """The life of the child."""
    code = 1
    try:
        os.close(ours)
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


def _answer_of(pid: int, pipe: int) -> tuple[bytes, int]:
    """Output and exit code of the child, which does not outlive an interruption of its parent."""
    pieces = []
    try:
        while piece := os.read(pipe, READ_SIZE):
            pieces.append(piece)
    except BaseException:
        os.kill(pid, SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(pipe)
    return b"".join(pieces), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
