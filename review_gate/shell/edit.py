"""Files changed in place: only if they still hold what was read, all at once, and never through a link."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from review_gate.errors import NO_ROOM, ReviewGateError
from review_gate.reviewers.text import visible
from review_gate.shell.files import READ_ONLY, lies_in

UNTOUCHED = "the file is as it was"
AGAIN = "then the same command again"
_LOOK_AT_MODE = "look at the owner and mode of the file and of its folder (ls -ld)"
MOST_NAMED = 10
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Edit:
    """The bytes that a file is known to hold, and those that it shall hold; with a `top`, only below that folder."""

    path: str
    old: bytes
    new: bytes
    top: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """What became of several edits: the files that were changed, and an error for each of the others."""

    changed: tuple[str, ...]
    refused: tuple[tuple[str, ReviewGateError], ...]


def apply_edits(edits: Iterable[Edit]) -> Edited:
    """Change every file that can be changed; one that cannot stops no other. An interrupt says what was changed."""
    edits = tuple(edits)
    changed, refused = [], []
    for edit in edits:
        try:
            replace_content(edit.path, edit.old, edit.new, edit.top)
        except ReviewGateError as error:
            refused.append((edit.path, error))
        except KeyboardInterrupt:
            changed += [edit.path] if _is_made(edit) else []
            raise KeyboardInterrupt(changed_so_far(changed, len(edits))) from None
        else:
            changed.append(edit.path)
    return Edited(tuple(changed), tuple(refused))


def changed_so_far(names: Sequence[str], wanted: int) -> str:
    """Which files were changed, in words."""
    if not names:
        return "no file was changed"
    shown = ", ".join(map(visible, names[:MOST_NAMED])) + (", ..." if len(names) > MOST_NAMED else "")
    return f"{len(names)} of {wanted} files {'was' if len(names) == 1 else 'were'} fixed: {shown}"


def _is_made(edit: Edit) -> bool:
    """Whether a file that was being changed is so by now."""
    try:
        with open(edit.path, "rb") as file:
            return edit.old != edit.new and file.read() == edit.new
    except OSError:
        return False


def write_whole(path: str, new: bytes) -> None:
    """Make a file hold these bytes, whether it was there or not."""
    try:
        if os.path.lexists(path):
            with open(path, "rb") as file:
                old = file.read()
            replace_content(path, old, new)
        else:
            _write_then_replace(path, new, 0o666)
    except OSError as error:
        raise _refused(path, error) from None


def replace_content(path: str, old: bytes, new: bytes, top: str = "") -> None:
    """Make a file that holds `old` hold `new`; whatever goes wrong, it is left as it was and the error says why."""
    try:
        status = _checked(path, old, top)
        if old != new:
            _write_then_replace(path, new, 0o600, status)
    except OSError as error:
        raise _refused(path, error) from None


def obstacle_to(edit: Edit) -> ReviewGateError | None:
    """Why a file cannot be changed, as far as that can be told without trying."""
    try:
        _checked(edit.path, edit.old, edit.top)
        if not os.access(os.path.dirname(edit.path) or ".", os.W_OK | os.X_OK):
            return _unfit(edit.path, os.strerror(errno.EACCES), _LOOK_AT_MODE)
    except OSError as error:
        return _refused(edit.path, error)
    except ReviewGateError as error:
        return error
    return None


def passes_link(path: str, top: str) -> bool:
    """Whether a folder between `top` and the file is a symbolic link."""
    folder, top = os.path.dirname(path), os.path.realpath(top)
    while folder and os.path.realpath(folder) != top and os.path.dirname(folder) != folder:
        if os.path.islink(folder):
            return True
        folder = os.path.dirname(folder)
    return False


def _checked(path: str, old: bytes, top: str) -> os.stat_result:
    """The status of a file that may be replaced: a plain one, ours to write, with one name, that holds `old`."""
    if top and (passes_link(path, top) or not lies_in(os.path.dirname(path), top)):
        raise _unfit(path, "a folder on its way is a symbolic link", "fix the file by its own name")
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        raise _unfit(path, "it is a symbolic link", "fix the file that it leads to, by its own name")
    if not stat.S_ISREG(status.st_mode):
        raise _unfit(path, "it is not a regular file", "leave it out")
    if status.st_nlink > 1:
        why = f"it has {status.st_nlink} names (hard links), and the others would keep the old text"
        raise _unfit(path, why, "make it a file of its own (cp it, then mv the copy over it)")
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise _unfit(path, "it is read-only", "make it writable (chmod u+w)")
    with open(os.open(path, READ_ONLY | _NO_FOLLOW), "rb") as file:
        if file.read(len(old) + 1) != old:
            raise _unfit(path, "it was changed after it was read", "leave it alone for a moment")
    return status


def _write_then_replace(path: str, new: bytes, mode: int, status: os.stat_result | None = None) -> None:
    """Write the bytes beside a file and put them in its place, with the owner and rights of the old one."""
    temporary = os.path.join(os.path.dirname(path), f".review-gate-{os.getpid()}-{time.monotonic_ns()}.tmp")
    try:
        with open(os.open(temporary, _NEW, mode), "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            if hasattr(os, "chown"):
                with suppress(PermissionError):
                    os.chown(temporary, status.st_uid, status.st_gid, follow_symlinks=False)
            os.chmod(temporary, stat.S_IMODE(status.st_mode) & 0o777)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _unfit(path: str, why: str, remedy: str) -> ReviewGateError:
    return ReviewGateError(f"{visible(path)} was not fixed: {why}", why=UNTOUCHED, next_step=f"{remedy}, {AGAIN}")


def _refused(path: str, error: OSError) -> ReviewGateError:
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return _unfit(path, "it is a symbolic link", "fix the file that it leads to, by its own name")
    if error.errno in NO_ROOM:
        return _unfit(path, f"{error.strerror}", "make room (df -h . shows how much there is)")
    if isinstance(error, FileNotFoundError):
        return _unfit(path, "it is not there any more", "leave it alone for a moment")
    return _unfit(path, f"{error.strerror}", _LOOK_AT_MODE)
