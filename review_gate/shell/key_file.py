"""A file with a key in it: made once, whole, and the user's alone."""

from __future__ import annotations

import errno
import os
import time

KEY_BYTES = 32


def make_key(path: str) -> None:
    """Put a whole key into place at once, unless somebody was quicker."""
    temporary = f"{path}.{os.getpid()}.{time.monotonic_ns()}.tmp"
    try:
        _fill(temporary)
        os.link(temporary, path)
    except FileExistsError:
        return
    except OSError as error:
        # A file system without hard links.
        if error.errno not in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EINVAL):
            raise
        _fill_first(path)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _fill_first(path: str) -> None:
    try:
        _fill(path)
    except FileExistsError:
        return


def _fill(path: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        if os.write(handle, os.urandom(KEY_BYTES)) != KEY_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
    finally:
        os.close(handle)
