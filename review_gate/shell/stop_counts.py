"""How often a session of an agent was kept from stopping: a file with one byte for each time."""

from __future__ import annotations

import os
import sys

from review_gate.errors import ReviewGateError
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.own_folder import is_own_folder, make_own_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "agent-stops"
LONGEST_NAME = 100


class StopCounts:
    """The counts of this user's sessions."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        home = cache_folder(environ, sys.platform)
        self._folder = os.path.join(home, FOLDER) if home is not None else None

    def of(self, agent: str, session: str) -> int:
        """How often, since the count was forgotten."""
        path = self._path(agent, session)
        try:
            return os.lstat(path).st_size if path is not None else 0
        except OSError:
            return 0

    def add(self, agent: str, session: str) -> None:
        """Once more; whoever cannot count must not keep anybody."""
        path = self._path(agent, session)
        if path is None or self._folder is None:
            raise ReviewGateError(
                "there is no home folder",
                why="how often a session was kept from stopping is counted there, so that it ends",
                next_step="set HOME",
            )
        make_own_folder(self._folder)
        # Many may count at once: each adds a byte at the end, and none is lost.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(path, flags, 0o600)
        try:
            if os.write(descriptor, b".") != 1:
                raise OSError("nothing was written")
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

    def _path(self, agent: str, session: str) -> str | None:
        if self._folder is None:
            return None
        return os.path.join(self._folder, f"{agent}-{_plain(session)}")


def _plain(session: str) -> str:
    """A name for a file: an id as it is, all else by its digest."""
    if session.replace("-", "").isalnum() and session.isascii() and len(session) <= LONGEST_NAME:
        return session
    from hashlib import sha256

    return sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
