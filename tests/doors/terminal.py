"""A program of ours on a real terminal: what its screen shows, and keys that somebody presses."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import IO

from conftest import Repo
from running import PATIENCE

# A shell's background job, as the tests may be one, ignores interrupts, and so does what it starts.
START = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])"


class Terminal:
    """A command with its own terminal; its output may go elsewhere."""

    def __init__(
        self, repo: Repo, argv: Sequence[str], environ: Mapping[str, str] | None = None, output: IO[bytes] | None = None
    ) -> None:
        self._ours, theirs = pty.openpty()
        self.child = subprocess.Popen(
            ["python", "-IS", "-c", TAKES_TERMINAL, *argv],
            cwd=repo.path,
            env={**repo.environ, **(environ or {})},
            stdin=theirs,
            stdout=output or theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.screen = b""

    def until(self, text: bytes) -> None:
        """Read until the screen ends so, or everything was said."""
        limit = time.monotonic() + PATIENCE
        while not self.screen.endswith(text) or not text:
            assert time.monotonic() < limit, self.screen
            try:
                piece = os.read(self._ours, 4096) if select.select([self._ours], [], [], 0.1)[0] else None
            except OSError:
                return
            if piece is not None:
                self.screen += piece

    def press(self, keys: bytes) -> None:
        """Press some keys, which the terminal shows or turns into a signal."""
        os.write(self._ours, keys)
        self.screen += b"."

    def ended(self) -> tuple[int, str]:
        """The exit code and the whole screen."""
        self.until(b"")
        os.close(self._ours)
        return self.child.wait(PATIENCE), self.screen.decode(errors="replace")


# Ctrl-C reaches only the session that the terminal belongs to.
TAKES_TERMINAL = f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {START}"
