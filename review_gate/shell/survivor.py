"""A process of a few bytes that outlives this one: killed without a word, we leave nothing behind that we started."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

SHELL = "/bin/sh"
# It reads which groups begin (+) and end (-). At the end of its input we are gone, however that came about.
SCRIPT = """\
trap '' HUP INT TERM
cd /
groups=' '
while read -r sign group; do
    case $sign in
        +) groups="$groups$group " ;;
        -) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
    esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"""
NOBODY = -1


class _Survivor:
    """The one of this process, started when the first group begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pipe: int | None = None

    def tell(self, sign: str, group: int) -> None:
        """Say that a group begins or ends; where there is no such process, nobody is told."""
        with self._lock:
            if self._pipe is None:
                self._pipe = _started()
            if self._pipe != NOBODY:
                # One that is gone or stopped must hold nobody up.
                with contextlib.suppress(BrokenPipeError, BlockingIOError):
                    os.write(self._pipe, f"{sign} {group}\n".encode("ascii"))

    def forget(self) -> None:
        """In a copy of this process: what the original started is not ours, and its end must show."""
        if self._pipe not in (None, NOBODY):
            os.close(self._pipe)
        self._lock, self._pipe = threading.Lock(), None


def _started() -> int:
    """Where to write to; NOBODY where the system has no such thing."""
    if not hasattr(os, "posix_spawn"):
        return NOBODY
    theirs, ours = os.pipe()
    streams = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    try:
        # Neither settings nor keys are any of its business.
        os.posix_spawn(
            SHELL, [SHELL, "-c", SCRIPT], {}, file_actions=[(os.POSIX_SPAWN_DUP2, theirs, 0), *streams], setpgroup=0
        )
    except OSError:
        os.close(ours)
        return NOBODY
    finally:
        os.close(theirs)
    os.set_blocking(ours, False)
    return ours


_survivor = _Survivor()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_survivor.forget)


@contextlib.contextmanager
def outlived(group: int) -> Iterator[None]:
    """While this lasts, the end of this process is that of a process group too."""
    _survivor.tell("+", group)
    try:
        yield
    finally:
        _survivor.tell("-", group)
