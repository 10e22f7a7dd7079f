"""Files read without being fooled and written without ever being half there."""

from __future__ import annotations

import errno
import os
import stat
import time

ORPHAN_SECONDS = 3600.0
# O_NONBLOCK: opening a FIFO would otherwise wait for a writer for ever.
READ_ONLY = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class UnsafeFileError(Exception):
    """The path exists but is not a plain file of acceptable size; the message says what it is."""


def read_plain_file(path: str, limit: int) -> bytes | None:
    """The bytes of a regular file, None when there is none; links, FIFOs, devices and giants are refused unread."""
    try:
        handle = os.open(path, READ_ONLY | getattr(os, "O_NOFOLLOW", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise UnsafeFileError("it is a symbolic link") from None
        raise UnsafeFileError(f"it cannot be opened: {error.strerror}") from None
    try:
        return _read_handle(handle, limit)
    finally:
        os.close(handle)


def _read_handle(handle: int, limit: int) -> bytes:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise UnsafeFileError("it is not a regular file")
    if status.st_size > limit:
        raise UnsafeFileError(f"it is {status.st_size} bytes long, more than {limit}")
    pieces, left = [], limit + 1
    while left > 0 and (piece := os.read(handle, min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise UnsafeFileError(f"it is longer than {limit} bytes")
    return b"".join(pieces)


def missing_folders(path: str) -> tuple[str, ...]:
    """The directories that have to be made for a folder to be there, outermost first."""
    missing: list[str] = []
    while not os.path.isdir(path):
        missing.insert(0, path)
        path = os.path.dirname(path)
    return tuple(missing)


def make_folders(path: str) -> tuple[str, ...]:
    """Make a folder; the directories that did not exist, outermost first."""
    missing = missing_folders(path)
    for folder in missing:
        os.mkdir(folder)
    return missing


def remove_empty(folders: tuple[str, ...]) -> None:
    """Remove the folders that are empty now, the innermost first."""
    for folder in reversed(folders):
        if os.path.isdir(folder) and not os.path.islink(folder) and not os.listdir(folder):
            os.rmdir(folder)


def is_plainly_below(top: str, relative: str) -> bool:
    """Whether the folder of a path really is where its name says: no part of it is a link."""
    folder = os.path.dirname(relative)
    return os.path.realpath(os.path.join(top, folder)) == os.path.normpath(os.path.join(os.path.realpath(top), folder))


def replace_file(path: str, data: bytes, *, scratch: str, mode: int | None = None, outlasts_crash: bool = True) -> None:
    """Make `path` hold `data`, all of it or not at all, even through a crash; `scratch` takes the temporary file.

    What is of no use when it is damaged, and tells that by itself, need not wait for the disk.
    """
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    os.makedirs(scratch, exist_ok=True)
    sweep_orphans(scratch)
    try:
        _replace_from(scratch, path, data, mode, outlasts_crash=outlasts_crash)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # The git directory lies on another file system, across which there is no atomic rename.
        _replace_from(os.path.dirname(path) or ".", path, data, mode, outlasts_crash=outlasts_crash)


def _replace_from(folder: str, path: str, data: bytes, mode: int | None, *, outlasts_crash: bool) -> None:
    temporary = os.path.join(folder, f".{os.path.basename(path)}.{os.getpid()}.{time.monotonic_ns()}.tmp")
    # What gets rights of its own may be secret, and is nobody else's before it has them.
    first_mode = 0o644 if mode is None else 0o600
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), first_mode)
    try:
        try:
            _write_all(handle, data)
            if mode is not None:
                os.chmod(temporary, mode)
            if outlasts_crash:
                os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except BaseException:
        # An interrupt may come when it has got its name already.
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def overwrite_file(path: str, data: bytes) -> None:
    """Put other bytes into a file that is there, which keeps its owner and rights; a link is not followed."""
    handle = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
    try:
        _write_all(handle, data)
        os.ftruncate(handle, len(data))
    finally:
        os.close(handle)


def append_line(path: str, line: bytes, *, limit: int, mode: int = 0o644) -> None:
    """Add one line in one write, which concurrent writers cannot tear; a log over `limit` bytes is set aside first."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        if os.stat(path).st_size > limit:
            os.replace(path, path + ".1")
    except FileNotFoundError:
        pass
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), mode)
    try:
        _write_all(handle, line)
    finally:
        os.close(handle)


def sweep_orphans(folder: str) -> None:
    """Remove temporary files that a killed writer left more than an hour ago."""
    now = time.time()
    for entry in os.scandir(folder):
        if entry.name.endswith(".tmp") and entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
            try:
                if now - entry.stat(follow_symlinks=False).st_mtime > ORPHAN_SECONDS:
                    os.unlink(entry.path)
            except FileNotFoundError:
                continue


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it, links followed."""
    real_path, real_folder = os.path.realpath(path), os.path.realpath(folder)
    return real_path == real_folder or real_path.startswith(os.path.join(real_folder, ""))


def own_name(path: str, top: str, name: str) -> str:
    """The name of a file in a tree; where a link leads to it, that of the file itself if it is in there too."""
    target = os.path.realpath(path)
    if target == path or not lies_in(target, top):
        return name
    return os.path.relpath(target, os.path.realpath(top)).replace(os.sep, "/")
