"""Whether a lock file is held, asked without taking it: two who ask at once do not see each other."""

from __future__ import annotations

import errno
import os
import sys

from review_gate.shell.files import READ_ONLY

WINDOWS_SECONDS = 0.2


def is_held(path: str) -> bool:
    """Whether somebody holds the lock of that file right now."""
    if sys.platform == "win32":
        return _is_held_on_windows(path)
    import fcntl

    try:
        handle = os.open(path, READ_ONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        # A shared lock: it keeps out who wants to hold it alone only as long as this takes, and who asks not at all.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        # Where there are no such locks, the file itself is one.
        return error.errno in (errno.EAGAIN, errno.EACCES, errno.ENOSYS)
    finally:
        os.close(handle)
    return False


def _is_held_on_windows(path: str) -> bool:
    """The same by taking it, where locks cannot be shared; who asks at the same moment lets go within that time."""
    from filelock import FileLock, Timeout

    if not os.path.exists(path):
        return False
    try:
        with FileLock(path, timeout=WINDOWS_SECONDS):
            return False
    except Timeout:
        return True
