"""review-gate in a process of its own, which outlives its caller and holds nothing of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.spawn import package_place

MAX_LOG_BYTES = 1_000_000
# `-I` keeps modules of the folder it works in out; it also ignores PYTHONPATH, so the package's place is handed over.
PROGRAM = "import sys; sys.path.append(sys.argv.pop(1)); from review_gate.cli.main import main; main()"
# Of a new log: not that of the call before.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


class Background:
    """A process in the background, for as long as its caller wants to know of it."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child

    @property
    def exit_code(self) -> int | None:
        """How it ended, None while it goes on."""
        return self._child.poll()

    def end(self) -> None:
        """End it, with all that it started in its group."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
        else:
            self._child.kill()
        self._child.wait()


def start_in_background(
    arguments: Sequence[str], *, directory: str, environ: Mapping[str, str], log: str
) -> Background:
    """Start review-gate with these arguments, without a terminal; what it says on standard error is in the log."""
    handle = os.open(log, _NEW, 0o600)
    try:
        child = subprocess.Popen(
            [sys.executable, "-I", "-c", PROGRAM, package_place(), *arguments],
            cwd=directory,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=handle,
            close_fds=True,
            # A session of its own has no terminal: neither Ctrl-C nor a closed window of the caller ends it.
            start_new_session=True,
            # Windows: no console that others share, and none that opens for the programs that it starts.
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
            | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    finally:
        os.close(handle)
    return Background(child)


def said_in(log: str) -> str:
    """What a process in the background has said so far."""
    try:
        data = read_plain_file(log, MAX_LOG_BYTES) or b""
    except UnsafeFileError:
        return ""
    return data.decode("utf-8", "replace")
