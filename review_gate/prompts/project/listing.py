"""The files and folders of a project as reviewers see them: a short tree, folders first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from review_gate.reviewers.text import visible

MOST_LINES = 200
MOST_IN_FOLDER = 40
LONGEST_NAME = 120


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
    """The tree of some paths, as deep as it can be shown; of a folder with many entries only the first ones."""
    inside: dict[str, list[str]] = {}
    for path in in_order(paths):
        inside.setdefault(path[: path.rstrip("/").rfind("/") + 1], []).append(path)
    deepest = max((path.rstrip("/").count("/") for path in paths), default=0)
    for depth in range(deepest, -1, -1):
        lines = list(_lines(inside, "", depth))
        if len(lines) <= MOST_LINES:
            break
    notes = (f"structure: folders are shown {depth + 1} deep only",) if depth < deepest else ()
    return Tree("\n".join(lines), notes)


def _lines(inside: Mapping[str, Sequence[str]], folder: str, depth: int) -> Iterator[str]:
    """The lines for what is in a folder, and so many levels below."""
    found = inside.get(folder, ())
    indent = "  " * folder.count("/")
    for path in found[:MOST_IN_FOLDER]:
        name = path.removesuffix("/").rpartition("/")[2]
        shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
        yield f"{indent}{shown}{'/' if path.endswith('/') else ''}"
        if depth and path.endswith("/"):
            yield from _lines(inside, path, depth - 1)
    if len(found) > MOST_IN_FOLDER:
        yield f"{indent}... {len(found) - MOST_IN_FOLDER} more"
