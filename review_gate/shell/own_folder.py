"""A folder for what nobody else may read or write."""

from __future__ import annotations

import errno
import os
import stat


def make_own_folder(path: str) -> None:
    """Make a folder where there is none; one that others can write to is refused."""
    os.makedirs(path, mode=0o700, exist_ok=True)
    if not is_own_folder(path):
        raise PermissionError(errno.EPERM, "it belongs to somebody else, or others may write to it", path)


def is_own_folder(path: str) -> bool:
    """Whether a folder is a real one that nobody else can write to."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
