"""Submodules in a temporary checkout: filled from what is already on this machine, never fetched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

from review_gate.shell.git import Git
from review_gate.shell.subject import unwatched_files

LOCATING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")
GITLINK = b"160000 "


def git_at(folder: str, git: Git, **environ: str) -> Git:
    """Git in another folder: its own variables, as a hook has them, would lead it back to the first one."""
    kept = {name: value for name, value in git.environ.items() if name not in LOCATING}
    return Git(folder, kept | environ)


def submodules_in(git: Git, tree: str) -> dict[str, str]:
    """The path of each submodule of a tree, and the commit that belongs there."""
    entries = git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
    links = [entry[len(GITLINK) :].split(b"\t", 1) for entry in entries if entry.startswith(GITLINK)]
    return {path.decode("utf-8", "surrogateescape"): link.split(b" ")[1].decode("ascii") for link, path in links}


def submodule_tops(git: Git, top: str) -> Iterator[str]:
    """The work trees of all submodules that are checked out below a folder, those of submodules included."""
    code, output, _ = git_at(top, git).try_run("ls-files", "--stage", "-z")
    entries = output.split(b"\0") if code == 0 else []
    for path in (entry.partition(b"\t")[2] for entry in entries if entry.startswith(GITLINK)):
        below = os.path.join(top, path.decode("utf-8", "surrogateescape"))
        if os.path.lexists(os.path.join(below, ".git")) and not os.path.islink(below):
            yield below
            yield from submodule_tops(git, below)


def absent_submodules(git: Git, top: str, tree: str, *, is_apart: bool) -> list[str]:
    """The submodules that commands will find empty: in the work tree, or in a checkout made from what is here."""
    found = submodules_in(git, tree)
    if is_apart:
        return [path for path, commit in found.items() if _home_with(git, os.path.join(top, path), commit) is None]
    return [path for path in found if not os.path.lexists(os.path.join(top, path, ".git"))]


def fill_submodules(git: Git, top: str, folder: str, tree: str, *, indexes: str) -> list[Git]:
    """Give a checkout in `folder` its submodules, out of those of the work tree at `top`; what is not here stays empty.

    They get files only and no git directory: commands shall see them, and nothing can be committed there. The answer
    is git for each of them, with an index below `indexes`, to see later whether the files are still the same.
    """
    filled: list[Git] = []
    for path, commit in submodules_in(git, tree).items():
        source, target = os.path.join(top, path), os.path.join(folder, path)
        home = _home_with(git, source, commit) if _is_plainly(path, top) and _is_plainly(path, folder) else None
        if home is None:
            continue
        os.makedirs(target, exist_ok=True)
        handle, index = tempfile.mkstemp(prefix="index-", dir=indexes)
        os.close(handle)
        os.unlink(index)
        inside = git_at(target, git, GIT_DIR=home, GIT_WORK_TREE=target, GIT_INDEX_FILE=index)
        inside.run("read-tree", commit)
        inside.run("checkout-index", "--all", "--quiet", "--force", "--index")
        filled += [inside, *fill_submodules(inside, source, target, commit, indexes=indexes)]
    return filled


def changed_in_submodules(filled: Sequence[Git]) -> int:
    """How many files of the filled submodules are not as they were filled in."""
    return sum(inside.run("diff-files", "--name-only", "-z").count(b"\0") for inside in filled)


def unwatched_in_submodules(git: Git, top: str) -> tuple[int, int]:
    """Of the submodules on disk: how many files git was told not to look at, and how many of those are not there."""
    found = [os.path.join(top, path) for path in submodules_in(git, "HEAD")]
    counts = [unwatched_files(git_at(path, git), path) for path in found if os.path.lexists(os.path.join(path, ".git"))]
    return sum(present for present, _ in counts), sum(absent for _, absent in counts)


def _is_plainly(path: str, top: str) -> bool:
    """Whether no link on the way leads elsewhere: a tree may hold one in the place of a folder."""
    return os.path.realpath(os.path.join(top, path)) == os.path.join(os.path.realpath(top), path)


def _home_with(git: Git, source: str, commit: str) -> str | None:
    """The git directory of a submodule's work tree, where it has that commit."""
    if not os.path.lexists(os.path.join(source, ".git")):
        return None
    there = git_at(source, git)
    home = there.line("rev-parse", "--absolute-git-dir")
    has_commit = home is not None and there.try_run("cat-file", "-e", f"{commit}^{{commit}}")[0] == 0
    return home if has_commit else None
