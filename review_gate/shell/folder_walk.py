"""The names of files and folders below a folder, to a depth, within limits of number and time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice

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


def walked(top: str, depth: int, deadline: Deadline) -> Listing:
    """What lies below a folder, level by level, so that a limit leaves out what is deepest; no link is followed."""
    paths: list[str] = []
    notes: dict[str, None] = {}
    level = [""]
    for _ in range(depth):
        below: list[str] = []
        for folder in level:
            if deadline.is_over() or len(paths) >= MOST_ENTRIES:
                notes[OUT_OF_TIME if len(paths) < MOST_ENTRIES else LARGE_PROJECT.format(MOST_ENTRIES)] = None
                break
            try:
                names = sorted(_entries(os.path.join(top, folder)))
            except OSError as error:
                notes[UNREADABLE.format(safe_path(folder) or "./", error.strerror)] = None
                continue
            if folder and ENVIRONMENT_MARK in names:
                paths.remove(safe_path(folder))
                continue
            if len(names) >= MOST_IN_FOLDER:
                notes[LARGE_FOLDER.format(safe_path(folder) or "./", MOST_IN_FOLDER)] = None
            paths += [safe_path(f"{folder}{name}") for name in names]
            below += [f"{folder}{name}" for name in names if name.endswith("/")]
        level = below
    return Listing(tuple(paths[:MOST_ENTRIES]), tuple(notes))


def _entries(folder: str) -> Iterator[str]:
    """The names in a folder that people look after, those of folders with / at the end."""
    with os.scandir(folder) as entries:
        for entry in islice(entries, MOST_IN_FOLDER):
            if entry.name.casefold() not in SKIPPED and not entry.name.endswith(_OUTPUT_ENDINGS):
                yield f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name
