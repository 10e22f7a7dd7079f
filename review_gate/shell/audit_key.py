"""The key with which the audit log hashes prompts: made once, the user's alone, so that nobody can try guesses."""

from __future__ import annotations

import os
import stat
import time

from review_gate.shell.audit_log import AuditLogError, refusal
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.key_file import KEY_BYTES, make_key

NAME = "key"
# How long somebody else may take between making the file and filling it, where that cannot be one step.
FILLING_SECONDS, LOOKS = 0.05, 20


def hash_key(folder: str) -> bytes:
    """The key of this user, made when it is first asked for; of several who make one at once, all get the same."""
    path = os.path.join(folder, NAME)
    try:
        if not os.path.lexists(path):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            make_key(path)
        return _read(path)
    except OSError as error:
        # The name of a temporary file would tell nobody anything.
        plain = OSError(error.errno, error.strerror, path)
        raise refusal("prompts cannot be hashed for the log", plain, path) from None


def _read(path: str) -> bytes:
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
    from shlex import quote

    return AuditLogError(
        f"the key of the audit log cannot be used: {path}: {why}",
        why="with a key that others know, a hash would tell them which prompt it is of",
        next_step=f"rm {quote(path)}; a new one is made then, with which prompts get other hashes than before",
    )
