"""The audit log of prompt review in the user's own folder: a file for each day in UTC, one write for each review."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from review_gate.errors import ReviewGateError
from review_gate.prompts.history.audit import AuditEntry, line_of
from review_gate.shell.key_file import key_at
from review_gate.shell.own_folder import make_own_folder

PLUGIN = (".claude", "plugins", "prompt-review")
LOGS = "logs"
NAME = re.compile(r"\d{4}-\d\d-\d\d(?=\.jsonl\Z)", re.ASCII)
# A link is not followed, and a FIFO does not make us wait for a reader.
CAUTIOUS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
EARLIEST, LATEST = "0001-01-01", "9999-12-31"


class LogFile(NamedTuple):
    """The log of one day."""

    day: str
    path: str


def home_of(environ: Mapping[str, str]) -> str:
    """The user's home folder, empty where there is none."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    return home if os.path.isabs(home) else ""


def plugin_folder(environ: Mapping[str, str]) -> str:
    """Where prompt review keeps what is the user's: settings, log and key."""
    home = home_of(environ)
    if not home:
        raise ReviewGateError(
            "there is no audit log: HOME is not set to a folder",
            why="the log of prompt reviews is kept in the home folder",
            next_step="set HOME, then the same command again",
        )
    return os.path.join(home, *PLUGIN)


def append(folder: str, entry: AuditEntry) -> None:
    """Append a review to the log of its day in one write, which no other process can tear."""
    logs = os.path.join(folder, LOGS)
    make_own_folder(logs)
    with open(os.path.join(logs, f"{entry.day}.jsonl"), "ab+", buffering=0, opener=_open) as file:
        # A full disk or a power failure may have left half a line, which must not take this one along.
        is_torn = file.tell() > 0 and file.seek(-1, os.SEEK_END) >= 0 and file.read(1) != b"\n"
        line = b"\n" * is_torn + line_of(entry)
        if file.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file.name)


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | CAUTIOUS, 0o600)


def log_files(folder: str, since: str | None = None, until: str | None = None) -> list[LogFile]:
    """The logs of the days from `since` to `until`, both included, the oldest first; none where nothing was logged."""
    logs = os.path.join(folder, LOGS)
    names = os.listdir(logs) if os.path.lexists(logs) else []
    days = {day: name for name in names if (day := _day_of(name))}
    inside = (day for day in sorted(days) if (since or EARLIEST) <= day <= (until or LATEST))
    return [LogFile(day, os.path.join(logs, days[day])) for day in inside]


def _day_of(name: str) -> str:
    """The day that the name of a file means, or nothing."""
    found = NAME.match(name)
    try:
        return date.fromisoformat(found[0]).isoformat() if found else ""
    except ValueError:
        return ""


def log_lines(path: str) -> Iterator[bytes]:
    """The lines of a log."""
    with open(path, "rb", opener=_open) as file:
        yield from file


def hash_key(folder: str) -> bytes:
    """The key of this user, with which prompts are hashed."""
    return key_at(os.path.join(folder, "key"), "the key of the audit log")
