"""The audit log of prompt review in the user's own folder: a file for each day in UTC, one write for each review."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from shlex import join, quote
from typing import NamedTuple

from review_gate.errors import FORBIDDEN, NO_ROOM, ReviewGateError
from review_gate.prompts.history.audit import AuditEntry, line_of
from review_gate.shell.files import READ_ONLY, UnsafeFileError, read_plain_file
from review_gate.shell.key_file import KEY_BYTES, make_key

PLUGIN = (".claude", "plugins", "prompt-review")
LOGS = "logs"
NAME = re.compile(r"\d{4}-\d\d-\d\d(?=\.jsonl\Z)", re.ASCII)
APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
# A link is not followed, and a FIFO does not make us wait for a reader.
CAUTIOUS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
WINDOWS_SECONDS = 2.0
EARLIEST, LATEST = "0001-01-01", "9999-12-31"
KEY = "key"
# How long another process may take between making the file and filling it, if that is not one step.
FILLING_SECONDS, LOOKS = 0.05, 20


class AuditLogError(ReviewGateError):
    """The log cannot be written or read; `what` alone is the one line that says so."""


class LogFile(NamedTuple):
    """The log of one day."""

    day: str
    path: str


def plugin_folder(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """Where prompt review keeps what is the user's: settings, log and key."""
    names = ("USERPROFILE", "HOME") if platform == "win32" else ("HOME",)
    homes = [home for name in names if os.path.isabs(home := environ.get(name, ""))]
    if not homes:
        raise AuditLogError(
            f"there is no audit log: {names[0]} is not set to a folder",
            why="the log of prompt reviews is kept in the home folder",
            next_step=f"set {names[0]}, then the same command again",
        )
    return os.path.join(homes[0], *PLUGIN)


def append(folder: str, entry: AuditEntry) -> None:
    """Append a review to the log of its day; other processes may do so too."""
    logs = os.path.join(folder, LOGS)
    try:
        make_private(logs)
        with _turn(logs):
            _write(os.path.join(logs, f"{entry.day}.jsonl"), line_of(entry))
    except OSError as error:
        raise refusal("the review was not logged", error, logs) from None


def make_private(path: str) -> None:
    """Make a folder that only its owner can open; refuse links and folders of other users."""
    os.makedirs(path, mode=0o700, exist_ok=True)
    status = os.lstat(path)
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.ENOTDIR, "it is not a folder but a link to one", path)
    if not hasattr(os, "getuid"):
        return
    if status.st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to somebody else", path)
    if status.st_mode & 0o077:
        os.chmod(path, 0o700)


def _turn(logs: str) -> AbstractContextManager[object]:
    """On Windows those who write at once take turns; elsewhere the system itself puts every write at the end."""
    if sys.platform == "win32":
        from filelock import FileLock

        # Its Timeout is an OSError.
        return FileLock(os.path.join(logs, ".lock"), timeout=WINDOWS_SECONDS)
    return nullcontext()


def _write(path: str, line: bytes) -> None:
    handle = os.open(path, APPEND | CAUTIOUS, 0o600)
    try:
        size = _own_size(handle, path)
        # A full disk or a power failure may have left half a line, which must not take this one along.
        data = line if _ends_a_line(handle, size) else b"\n" + line
        if os.write(handle, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
    finally:
        os.close(handle)


def _own_size(handle: int, path: str) -> int:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to somebody else", path)
    return status.st_size


def _ends_a_line(handle: int, size: int) -> bool:
    if not size:
        return True
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) == b"\n"


def refusal(what: str, error: OSError, path: str) -> AuditLogError:
    """The system's error as an AuditLogError with a next step."""
    place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else path
    said = "it is a symbolic link" if error.errno in (errno.ELOOP, errno.EMLINK) else error.strerror or str(error)
    return AuditLogError(
        f"{what}: {place}: {said}",
        why="the history of prompt reviews is kept there; no review depends on it",
        next_step=_remedy(error, place),
    )


def _remedy(error: OSError, place: str) -> str:

    if error.errno in NO_ROOM:
        return "make room (df -h ~ shows how much there is)"
    if error.errno in FORBIDDEN:
        return f"see whose it is and who may write there ({join(['ls', '-ld', os.path.dirname(place), place])})"
    return f"see what stands at {place}, and move it away"


def log_files(folder: str, since: str | None = None, until: str | None = None) -> list[LogFile]:
    """The logs of the days from `since` to `until`, both included, the oldest first; none where nothing was logged."""
    logs = os.path.join(folder, LOGS)
    try:
        with os.scandir(logs) as entries:
            found = [
                LogFile(day, entry.path)
                for entry in entries
                if (day := _day_of(entry.name)) and (since or EARLIEST) <= day <= (until or LATEST)
            ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise refusal("the log of prompt reviews cannot be read", error, logs) from None
    return sorted(found)


def _day_of(name: str) -> str:
    """The day that the name of a file stands for, or nothing."""
    found = NAME.match(name)
    try:
        return date.fromisoformat(found[0]).isoformat() if found else ""
    except ValueError:
        return ""


def log_lines(path: str) -> Iterator[bytes]:
    """The lines of a log; raises OSError where there is no plain file that can be read."""
    with os.fdopen(os.open(path, READ_ONLY | CAUTIOUS), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", path)
        yield from file


def hash_key(folder: str) -> bytes:
    """The key of this user, made when it is first asked for; of several who make one at once, all get the same."""
    path = os.path.join(folder, KEY)
    try:
        if not os.path.lexists(path):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            make_key(path)
        return _read_key(path)
    except OSError as error:
        # The name of a temporary file would tell nobody anything.
        plain = OSError(error.errno, error.strerror, path)
        raise refusal("prompts cannot be hashed for the log", plain, path) from None


def _read_key(path: str) -> bytes:
    try:
        for _ in range(LOOKS):
            key = read_plain_file(path, KEY_BYTES) or b""
            if key:
                break
            time.sleep(FILLING_SECONDS)
    except UnsafeFileError as error:
        raise _damaged(path, str(error)) from None
    if len(key) != KEY_BYTES:
        raise _damaged(path, f"it has {len(key)} bytes and not {KEY_BYTES}")
    _refuse_foreign(path)
    return key


def _refuse_foreign(path: str) -> None:
    status = os.lstat(path)
    if not hasattr(os, "getuid"):
        return
    if status.st_uid != os.getuid():
        raise _damaged(path, "it belongs to somebody else")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise _damaged(path, "others can read it")


def _damaged(path: str, why: str) -> AuditLogError:

    return AuditLogError(
        f"the key of the audit log cannot be used: {path}: {why}",
        why="with a key that others know, a hash would tell them which prompt it is of",
        next_step=f"rm {quote(path)}; a new one is made then, with which prompts get other hashes than before",
    )
