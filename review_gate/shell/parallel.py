"""Many files over several processes: each takes portions until none is left; children send back what they found."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# With fewer files a second process costs more than it saves.
WORTH_FILES = 300
MOST_JOBS = 8
READ_SIZE = 1 << 16
# Files that a process takes at once; their number is one word in a pipe that holds at least so many of them.
PORTION = 32
MOST_PORTIONS = 2000
WORD = 4


def jobs_for(wanted: int, files: int) -> int:
    """How many processes to use: as many as were asked for, or else as there are processors and work."""
    if not hasattr(os, "fork"):
        return 1
    if wanted > 0:
        return max(1, min(wanted, files))
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, MOST_JOBS, files // WORTH_FILES))


class Portions:
    """Names that several processes share: who is done with a portion takes the next, so that all end together."""

    def __init__(self, names: Sequence[str]) -> None:
        size = max(PORTION, len(names) // MOST_PORTIONS + 1)
        self._portions = [names[first : first + size] for first in range(0, len(names), size)]
        self._left, filling = os.pipe()
        os.write(filling, b"".join(number.to_bytes(WORD, "big") for number in range(len(self._portions))))
        os.close(filling)

    def __iter__(self) -> Iterator[str]:
        # Who reads a word from a pipe has it alone.
        while word := os.read(self._left, WORD):
            yield from self._portions[int.from_bytes(word, "big")]

    def close(self) -> None:
        """Nothing more is taken."""
        os.close(self._left)


class Tokens:
    """Tokens that several processes share; each is taken once."""

    def __init__(self, number: int) -> None:
        self._left, filling = os.pipe()
        os.write(filling, bytes(number))
        os.close(filling)

    def take(self) -> bool:
        """Take one, if there is one left."""
        return bool(os.read(self._left, 1))

    def close(self) -> None:
        """Nothing more is taken."""
        os.close(self._left)


def in_processes(work: Callable[[], bytes], children: int, meanwhile: Callable[[], None]) -> list[bytes | None]:
    """What the work says in each of some children; None where one did not come to its end."""
    started = [_start(work) for _ in range(children)]
    try:
        meanwhile()
    except BaseException:
        for pid, pipe in started:
            os.close(pipe)
            os.kill(pid, 9)
            os.waitpid(pid, 0)
        raise
    return [_finish(*child) for child in started]


def _start(work: Callable[[], bytes]) -> tuple[int, int]:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid:
        os.close(theirs)
        return pid, ours
    code = 1
    try:
        os.close(ours)
        view = memoryview(work())
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
