"""Files that are kept in a folder of ours until there are too many of them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

NANO = 1_000_000_000


class KeptFile(NamedTuple):
    """One file, and when it was written."""

    path: str
    name: str
    size: int
    written_ns: int

    @property
    def written(self) -> datetime:
        """The same as a date."""
        return datetime.fromtimestamp(self.written_ns // NANO, UTC)


def kept_files(folders: Iterable[str], names: re.Pattern[str]) -> list[KeptFile]:
    """The plain files of these names, oldest first; links and what others put there are not ours."""
    found = [file for folder in folders for file in _files_in(folder, names)]
    return sorted(found, key=lambda file: (file.written_ns, file.name))


def _files_in(folder: str, names: re.Pattern[str]) -> list[KeptFile]:
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                # Another process may remove it meanwhile.
                with contextlib.suppress(FileNotFoundError):
                    if names.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        found.append(KeptFile(entry.path, entry.name, status.st_size, status.st_mtime_ns))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return found


def surplus(files: Sequence[KeptFile], *, most: int, most_bytes: int, spare: str) -> list[KeptFile]:
    """The oldest of some files, without which the others are neither too many nor too large; never the one to spare.

    A clock that was set back makes the file of this very moment look like the oldest.
    """
    count, size = len(files), sum(file.size for file in files)
    gone = []
    for file in files:
        if count <= most and size <= most_bytes:
            break
        if file.path != spare:
            gone.append(file)
            count, size = count - 1, size - file.size
    return gone


def remove(files: Iterable[KeptFile]) -> int:
    """Remove files; how many of them nobody else had removed."""
    count = 0
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file.path)
            count += 1
    return count
