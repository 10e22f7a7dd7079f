"""The signals that end a run, and when they are obeyed."""

from __future__ import annotations

import signal
from types import FrameType

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupts:
    """The signals that this process was not started to ignore, as `nohup` and a shell's background jobs are."""

    def __init__(self) -> None:
        known = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
        self._numbers = tuple(number for number in known if signal.getsignal(number) is not signal.SIG_IGN)

    def obey(self, *words: str) -> None:
        """Let each of them interrupt us, so that what is under way is ended too; the words say where that leaves us."""

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            # Impatient people send several; the first one is being obeyed.
            self.ignore()
            raise KeyboardInterrupt(*words)

        for number in self._numbers:
            signal.signal(number, interrupt)

    def ignore(self) -> None:
        """Let none of them disturb us or the git processes that we start."""
        for number in self._numbers:
            signal.signal(number, signal.SIG_IGN)
