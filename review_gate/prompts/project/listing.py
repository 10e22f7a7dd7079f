"""The files and folders of a project as reviewers see them: a short tree, folders first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from review_gate.reviewers.text import visible

MOST_LINES = 200
MOST_IN_FOLDER = 40
LONGEST_NAME = 120
CUT = "structure: only the first {} of {} lines are shown"


class Listing(NamedTuple):
    """The paths below a folder, with / between their parts and at the end of a folder, and what is missing."""

    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Tree(NamedTuple):
    """A listing as a text, and what of it did not fit."""

    text: str = ""
    notes: tuple[str, ...] = ()


def safe_path(path: str) -> str:
    """A path without any character that is not seen or ends a line."""
    return visible(path).replace("\t", "<U+0009>")


def in_order(paths: Iterable[str]) -> tuple[str, ...]:
    """Paths as a tree has them: folders before files, each folder before what is in it."""
    return tuple(sorted({*paths}, key=_order))


def _order(path: str) -> tuple[tuple[int, str], ...]:
    *folders, name = path.split("/")
    # After the last / of a folder there is no name.
    return (*((0, folder) for folder in folders), *(((1, name),) if name else ()))


def tree(paths: Sequence[str]) -> Tree:
    """The tree of some paths; of a folder with many entries only the first ones."""
    seen: Counter[str] = Counter()
    total = Counter(_folder(path) for path in {*paths})
    lines: list[str] = []
    for path in in_order(paths):
        folder = _folder(path)
        seen[folder] += 1
        indent = "  " * folder.count("/")
        if seen[folder] <= MOST_IN_FOLDER and all(seen[above] <= MOST_IN_FOLDER for above in _above(folder)):
            lines.append(f"{indent}{_shown(path[len(folder) :])}")
        elif seen[folder] == total[folder] and all(seen[above] <= MOST_IN_FOLDER for above in _above(folder)):
            lines.append(f"{indent}... {total[folder] - MOST_IN_FOLDER} more")
    notes = (CUT.format(MOST_LINES, len(lines)),) if len(lines) > MOST_LINES else ()
    return Tree("\n".join(lines[:MOST_LINES]), notes)


def _folder(path: str) -> str:
    return path[: path.rstrip("/").rfind("/") + 1]


def _above(folder: str) -> list[str]:
    """The folders around a folder."""
    parts = folder.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:depth]) for depth in range(len(parts))]


def _shown(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
