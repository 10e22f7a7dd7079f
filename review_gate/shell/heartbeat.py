"""When an agent last called: its SessionStart hook leaves a time stamp, which doctor and the status line read.

Only this tells whether an agent follows its settings: each version ignores files for other reasons, in silence.
"""

from __future__ import annotations

import os
import time

from review_gate.shell.files import UnsafeFileError, read_plain_file, remove_empty, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

FOLDER = "heard"
MAX_BYTES = 32
# In minutes.
HOUR = 60
DAY = 24 * HOUR


def leave_heartbeat(repository: Repository, agent: str, now: float) -> None:
    """Note that an agent has called; a repository without anything of ours stays as it is."""
    if not (os.path.isdir(repository.own_path("")) or os.path.isdir(repository.shared_path(""))):
        return
    try:
        path, scratch = _file(repository.own_path(""), agent), repository.scratch
        replace_file(path, b"%d\n" % now, scratch=scratch, outlasts_crash=False)
    except OSError:
        # A session starts whether or not this can be written; the doctor then says that it never heard of the agent.
        return


def last_heartbeat(repository: Repository, agent: str) -> int | None:
    """When an agent last called in this work tree, in seconds since 1970; None where it never did."""
    try:
        data = read_plain_file(_file(repository.own_path(""), agent), MAX_BYTES) or b""
    except UnsafeFileError:
        return None
    return int(data) if data.strip().isdigit() else None


def forget_heartbeat(folder: str, agent: str) -> None:
    """Remove the time stamp of an agent from our folder of a git directory."""
    path = _file(folder, agent)
    if os.path.lexists(path):
        os.unlink(path)
    remove_empty((os.path.dirname(path),))


def shown_time(seconds: float) -> str:
    """A time as messages name it."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


def shown_age(heard: int, now: float, since: float = 0) -> str:
    """When an agent last called, in few words; before `since`, when its session began, it was another session."""
    minutes = max(0, int(now - heard)) // 60
    if minutes >= DAY or heard < since:
        return f"not heard of since {shown_time(heard)}"
    return f"heard {minutes} min ago" if minutes < HOUR else f"heard {minutes // HOUR} h ago"


def _file(folder: str, agent: str) -> str:
    return os.path.join(folder, FOLDER, agent)
