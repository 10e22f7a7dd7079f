"""The names of files and folders below a folder, to a depth, within limits of number and time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from review_gate.prompts.project.listing import Listing, safe_path

# Of one folder, and of all of them together, so many entries are looked at.
MOST_IN_FOLDER = 2_000
MOST_ENTRIES = 10_000
SKIPPED = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "jspm_packages", "vendor", "third_party"),
        *(".venv", "venv", "site-packages", "__pycache__", ".tox", ".nox", ".eggs", ".mypy_cache", ".pytest_cache"),
        *(".ruff_cache", ".hypothesis", ".cache", "dist", "build", "out", "target", "coverage", "htmlcov", ".next"),
        *(".nuxt", ".output", ".svelte-kit", ".turbo", ".parcel-cache", ".gradle", ".terraform", ".idea", ".ds_store"),
    }
)
# Written by tools, whatever their folder is called: https://peps.python.org/pep-0405/
ENVIRONMENT_MARK = "pyvenv.cfg"
_OUTPUT_ENDINGS = (".egg-info", ".dist-info")
LARGE_FOLDER = "{}: only {:,} of its entries were looked at"
LARGE_PROJECT = "structure: only the first {:,} files and folders were looked at"
OUT_OF_TIME = "structure: not all of it, as looking through the folders took too long"
UNREADABLE = "{}: it cannot be listed: {}"


class Deadline:
    """A point in time after which nothing more is begun."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def is_over(self) -> bool:
        """Whether it has passed."""
        return self._clock() >= self._end


class _Entry(NamedTuple):
    name: str
    is_folder: bool


def walked(top: str, depth: int, deadline: Deadline) -> Listing:
    """What lies below a folder, level by level, so that a limit leaves out what is deepest; no link is followed."""
    walk = _Walk(top, deadline)
    level = [""]
    for _ in range(depth):
        level = [inner for folder in level for inner in walk.folder(folder)]
    return Listing(paths=tuple(walk.paths), notes=tuple(dict.fromkeys(walk.notes)))


class _Walk:
    def __init__(self, top: str, deadline: Deadline) -> None:
        self.paths: list[str] = []
        self.notes: list[str] = []
        self._top = top
        self._deadline = deadline
        self._seen = 0

    def folder(self, folder: str) -> list[str]:
        """Take down what is in a folder; the folders in it."""
        if self._is_enough():
            return []
        try:
            found = sorted(self._entries(folder))
        except OSError as error:
            self.notes.append(UNREADABLE.format(safe_path(folder) or "./", error.strerror))
            return []
        if folder and any(entry.name == ENVIRONMENT_MARK for entry in found):
            self.paths.remove(safe_path(folder))
            return []
        self.paths += [safe_path(f"{folder}{entry.name}{'/' if entry.is_folder else ''}") for entry in found]
        return [f"{folder}{entry.name}/" for entry in found if entry.is_folder]

    def _entries(self, folder: str) -> Iterator[_Entry]:
        with os.scandir(os.path.join(self._top, folder)) as entries:
            for number, entry in enumerate(entries):
                if number >= MOST_IN_FOLDER:
                    self.notes.append(LARGE_FOLDER.format(safe_path(folder) or "./", MOST_IN_FOLDER))
                    return
                if self._is_enough():
                    return
                self._seen += 1
                if entry.name.casefold() not in SKIPPED and not entry.name.endswith(_OUTPUT_ENDINGS):
                    yield _Entry(entry.name, _is_folder(entry))

    def _is_enough(self) -> bool:
        if self._seen >= MOST_ENTRIES:
            self.notes.append(LARGE_PROJECT.format(MOST_ENTRIES))
            return True
        if self._deadline.is_over():
            self.notes.append(OUT_OF_TIME)
            return True
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
