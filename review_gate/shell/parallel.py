"""Many files over several processes: each child looks at its share and sends back what it found."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# With fewer files a second process costs more than it saves.
WORTH_FILES = 300
MOST_JOBS = 8
READ_SIZE = 1 << 16


def jobs_for(wanted: int, files: int) -> int:
    """How many processes to use: as many as were asked for, or else as there are processors and work."""
    if not hasattr(os, "fork"):
        return 1
    if wanted > 0:
        return max(1, min(wanted, files))
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, MOST_JOBS, files // WORTH_FILES))


def shared_out(names: Sequence[str], jobs: int) -> list[Sequence[str]]:
    """Names in as many shares as there are jobs; neighbours are often alike, so each goes to another share."""
    return [names[first::jobs] for first in range(jobs)]


def in_processes(
    work: Callable[[Sequence[str]], bytes], shares: Sequence[Sequence[str]], meanwhile: Callable[[], None]
) -> list[bytes | None]:
    """What the work says of each share, each in a child; None where that did not come to its end."""
    children = [_start(work, share) for share in shares]
    try:
        meanwhile()
    except BaseException:
        for pid, pipe in children:
            os.close(pipe)
            os.kill(pid, 9)
            os.waitpid(pid, 0)
        raise
    return [_finish(*child) for child in children]


def _start(work: Callable[[Sequence[str]], bytes], share: Sequence[str]) -> tuple[int, int]:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid:
        os.close(theirs)
        return pid, ours
    code = 1
    try:
        os.close(ours)
        view = memoryview(work(share))
        while view:
            view = view[os.write(theirs, view) :]
        code = 0
    finally:
        # No clean-up of the parent's things in the child.
        os._exit(code)


def _finish(pid: int, pipe: int) -> bytes | None:
    pieces = []
    while piece := os.read(pipe, READ_SIZE):
        pieces.append(piece)
    os.close(pipe)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return b"".join(pieces) if code == 0 else None
