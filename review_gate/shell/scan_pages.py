"""The texts of a scan: from the disk, from git's objects or from standard input, each read once and never too much."""

from __future__ import annotations

import errno
import os

from review_gate.checks.applies import FILE, Page
from review_gate.checks.readings import is_binary_by_beginning
from review_gate.globs import matches_any
from review_gate.reviewers.text import BEGINNING
from review_gate.shell.listing import KINDS_OF_FILE, PLAIN_FILE, UNREADABLE, label_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from review_gate.shell.changes import Change
    from review_gate.shell.git import Git, ObjectReader
    from review_gate.shell.old_content import OldContent

    # Told of every text that cannot be looked at: its path and why.
    Complain = Callable[[str, str], None]

READ_SIZE = 1 << 20
# Most files are shorter, and two reads take less time than asking for the size and one read.
SMALL = 1 << 16
NAMELESS = "standard input"
# A file that is opened must not block (a pipe) and must not become our terminal.
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
# What `stat` calls S_IFDIR.
_FOLDER = 0o040000


class Reader:
    """How texts are read: how large they may be, and which are left out."""

    def __init__(self, max_bytes: int, exclude: Sequence[str], complain: Complain, *, place: str = FILE) -> None:
        self.max_bytes = max_bytes
        self.complain = complain
        self._exclude = exclude
        self.left_out = 0
        self._place = place
        # Windows has no pread.
        self._small = _small if max_bytes >= SMALL and hasattr(os, "pread") else _nothing

    def wants(self, path: str) -> bool:
        """Whether a path is not excluded."""
        if not self._exclude:
            return True
        is_excluded = matches_any(path, self._exclude)
        self.left_out += is_excluded
        return not is_excluded

    def wanted(self, files: dict[str, str]) -> dict[str, str]:
        """Those of some files, given by their paths, that are not excluded."""
        return {path: name for path, name in files.items() if self.wants(path)} if self._exclude else files

    def page(
        self, path: str, data: bytes, *, is_change: bool = False, is_new: bool = False, moved_from: str = ""
    ) -> Page:
        """A text that was read."""
        return Page(path, data, place=self._place, is_change=is_change, is_new=is_new, moved_from=moved_from)

    def file(self, name: str, path: str, *, is_named: bool = True) -> bytes | None:
        """What a file on disk says, None when it is not looked at; `path` is how reports call it.

        One that was not named but listed may be gone by now, or be a link or a folder, such as a submodule: then there
        is nothing to look at.
        """
        if not is_named and not _NO_FOLLOW and (os.path.islink(name) or os.path.isdir(name)):
            return None
        try:
            handle = os.open(name, _OPEN_FLAGS if is_named else _OPEN_FLAGS | _NO_FOLLOW)
        except OSError as error:
            if is_named or error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK):
                self.complain(path, UNREADABLE.format(error.strerror))
            return None
        try:
            return self._small(handle) or self._opened(handle, path, is_named=is_named)
        except OSError as error:
            self.complain(path, UNREADABLE.format(error.strerror))
            return None
        finally:
            os.close(handle)

    def _opened(self, handle: int, path: str, *, is_named: bool) -> bytes | None:
        status = os.fstat(handle)
        kind = status.st_mode & KINDS_OF_FILE
        if kind != PLAIN_FILE:
            if is_named or kind != _FOLDER:
                self.complain(path, "it is not a plain file")
            return None
        if status.st_size > self.max_bytes:
            return self.too_large(path, os.read(handle, BEGINNING), f"it has {status.st_size} bytes, more")
        return self.whole(path, _read_all(handle, status.st_size, self.max_bytes))

    def whole(self, path: str, data: bytes) -> bytes | None:
        """A text of which as much was read as may be, and one byte more."""
        return data if len(data) <= self.max_bytes else self.too_large(path, data)

    def too_large(self, path: str, beginning: bytes, size: str = "it is larger") -> bytes | None:
        """Say that a text is not looked at because of its size; a binary file would not be looked at anyway."""
        if is_binary_by_beginning(path, beginning):
            return beginning[:BEGINNING]
        self.complain(path, f"{size} than checks.max_file_bytes ({self.max_bytes})")
        return None


def _small(handle: int) -> bytes:
    """All of a file that has something, but less than SMALL; nothing where that is not sure."""
    try:
        # Pipes, terminals and folders have no places to read at, so nothing is taken from them.
        data = os.pread(handle, SMALL, 0)
        return data if len(data) < SMALL and not os.pread(handle, 1, len(data)) else b""
    except OSError:
        return b""


def _nothing(_: int) -> bytes:
    return b""


def _read_all(handle: int, size: int, most: int) -> bytes:
    """A file's content, at most one byte too much of it: it may be growing while it is read."""
    data = os.read(handle, size + 1)
    if len(data) == size:
        return data
    pieces, left = [data], most + 1 - len(data)
    while left > 0 and (piece := os.read(handle, min(left, READ_SIZE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def changed_pages(git: Git, changes: Sequence[Change], reader: Reader, old: OldContent) -> Iterator[Page]:
    """The new versions of changed files, from git's objects; git is started now."""
    wanted = [change for change in changes if change.has_content and reader.wants(change.path)]
    return _changed_pages(git.objects(), wanted, reader, old) if wanted else iter(())


def _changed_pages(started: ObjectReader, wanted: Sequence[Change], reader: Reader, old: OldContent) -> Iterator[Page]:
    with started as objects:
        found = objects.read_all([str(change.oid) for change in wanted], limit=reader.max_bytes)
        for change, content in zip(wanted, found, strict=True):
            if content is None:
                reader.complain(change.path, "git does not have its content")
            elif content.is_cut:
                binary = reader.too_large(change.path, content.data)
                yield from [reader.page(change.path, binary)] if binary is not None else ()
            else:
                is_new, moved_from = old.is_new(change), old.moved_from(change.path)
                yield reader.page(change.path, content.data, is_change=True, is_new=is_new, moved_from=moved_from)


def with_conflict(git: Git, changes: Sequence[Change]) -> list[str]:
    """The changed files with a conflict, which git lists nearly as if they were deleted."""
    gone = {change.path for change in changes if change.oid is None}
    entries = git.run("ls-files", "-z", "--unmerged").split(b"\0") if gone else ()
    names = dict.fromkeys(os.fsdecode(entry.partition(b"\t")[2]) for entry in entries)
    return [name for name in names if name in gone]


def text_page(reader: Reader, name: str, read: Callable[[int], bytes], root: str) -> Iterator[Page]:
    """A text that is no file, such as standard input."""
    path = label_of(name, root) if name else NAMELESS
    data = reader.whole(path, read(reader.max_bytes + 1)) if reader.wants(path) else None
    yield from [reader.page(path, data)] if data is not None else ()
