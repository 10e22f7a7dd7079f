"""A file with a key in it: made once, whole, and the user's alone."""

from __future__ import annotations

import errno
import os
import time
from shlex import quote

from review_gate.errors import ReviewGateError
from review_gate.shell.files import UnsafeFileError, read_plain_file

KEY_BYTES = 32
NO_HARD_LINKS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EINVAL)


def key_at(path: str, name: str) -> bytes:
    """The key in a file, made when it is first asked for; of several who make one at once, all get the same."""
    if not os.path.lexists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _make(path)
    try:
        key = read_plain_file(path, KEY_BYTES) or b""
        why = "" if len(key) == KEY_BYTES else f"it has {len(key)} bytes and not {KEY_BYTES}"
        if not why and os.name == "posix" and os.lstat(path).st_mode & 0o077:
            why = "others can read it"
    except UnsafeFileError as error:
        key, why = b"", str(error)
    if not why:
        return key
    raise ReviewGateError(
        f"{name} cannot be used: {path}: {why}",
        why="without it nobody can tell whether two texts are the same",
        next_step=f"rm -f {quote(path)}, then the same command again, which makes a new one",
    )


def _make(path: str) -> None:
    """Put a whole key into place at once, unless another process was quicker."""
    temporary = f"{path}.{os.getpid()}.{time.monotonic_ns()}.tmp"
    try:
        _fill(temporary)
        os.link(temporary, path)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in NO_HARD_LINKS:
            raise
        os.replace(temporary, path)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _fill(path: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        os.write(handle, os.urandom(KEY_BYTES))
    finally:
        os.close(handle)
