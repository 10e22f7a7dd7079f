"""How often a session of an agent was kept from stopping: a file with one line for each time that we were asked."""

from __future__ import annotations

import os
import sys
import time

from review_gate.errors import ReviewGateError
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.own_folder import is_own_folder, make_own_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    # The words before it, and when it was.
    Stop = tuple[str, int]

FOLDER = "agent-stops"
LONGEST_NAME = 100
MAX_BYTES = 100_000
WHY_COUNTED = "how often a session was kept from stopping is counted there, so that it ends"
# Milliseconds; no model answers again in less.
AT_ONCE = 1000


class StopCounts:
    """The counts of this user's sessions."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        home = cache_folder(environ, sys.platform)
        self._folder = os.path.join(home, FOLDER) if home is not None else None

    def of(self, agent: str, session: str, words: str) -> int:
        """How often before this stop, since the count was forgotten; `words` are the last ones that were said.

        With two registrations we are asked twice about one stop: in the same words, and in the same moment. Without
        words each time counts.
        """
        counted = _stops_in(self._lines(agent, session))
        return len(counted) - bool(counted and _is_same(counted[-1], (_plain(words), _now())))

    def add(self, agent: str, session: str, words: str) -> None:
        """Once more; whoever cannot count must not keep anybody."""
        path = self._path(agent, session)
        if path is None or self._folder is None:
            raise ReviewGateError(
                "there is no home folder",
                why=WHY_COUNTED,
                next_step="set HOME",
            )
        make_own_folder(self._folder)
        # Many may count at once: each adds a line at the end, and none is lost.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(path, flags, 0o600)
        try:
            line = f"{_plain(words)} {_now()}\n".encode()
            if os.write(descriptor, line) != len(line):
                raise OSError("not all was written")
        finally:
            os.close(descriptor)

    def forget(self, agent: str, session: str) -> None:
        """Begin anew, if there was anything."""
        path = self._path(agent, session)
        if path is not None and self._folder is not None and is_own_folder(self._folder):
            try:
                os.unlink(path)
            except OSError:
                return

    def _lines(self, agent: str, session: str) -> list[str]:
        from review_gate.shell.files import UnsafeFileError, read_plain_file

        path = self._path(agent, session)
        try:
            data = read_plain_file(path, MAX_BYTES) if path is not None else None
        except UnsafeFileError as error:
            raise ReviewGateError(
                f"{path} cannot be read: {error}", why=WHY_COUNTED, next_step=f"rm {path}, then go on"
            ) from None
        return (data or b"").decode("ascii", "replace").split("\n")[:-1]

    def _path(self, agent: str, session: str) -> str | None:
        if self._folder is None:
            return None
        return os.path.join(self._folder, f"{agent}-{_plain(session)}")


def _stops_in(lines: list[str]) -> list[Stop]:
    """The stops that were counted, each once."""
    stops: list[Stop] = []
    for line in lines:
        words, _, told = line.partition(" ")
        stop = words, int(told) if told.isdigit() else 0
        if not stops or not _is_same(stops[-1], stop):
            stops.append(stop)
    return stops


def _now() -> int:
    return time.time_ns() // 1_000_000


def _is_same(one: Stop, other: Stop) -> bool:
    return bool(other[0]) and one[0] == other[0] and abs(other[1] - one[1]) < AT_ONCE


def _plain(text: str) -> str:
    """A text as a word: an id as it is, all else by its digest, nothing as nothing."""
    if not text or (text.replace("-", "").isalnum() and text.isascii() and len(text) <= LONGEST_NAME):
        return text
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
