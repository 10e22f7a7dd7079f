"""Submodules in a temporary checkout: filled from what is already on this machine, never fetched."""

from __future__ import annotations

import os
import tempfile

from review_gate.shell.git import Git

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


def absent_submodules(git: Git, top: str, tree: str, *, is_apart: bool) -> list[str]:
    """The submodules that commands will find empty: in the work tree, or in a checkout made from what is here."""
    found = submodules_in(git, tree)
    if is_apart:
        return [path for path, commit in found.items() if _home_with(git, os.path.join(top, path), commit) is None]
    return [path for path in found if not os.path.lexists(os.path.join(top, path, ".git"))]


def fill_submodules(git: Git, top: str, folder: str, tree: str) -> None:
    """Give a checkout in `folder` its submodules, out of those of the work tree at `top`; what is not here stays empty.

    They get files only and no git directory: commands shall see them, and nothing can be committed there.
    """
    for path, commit in submodules_in(git, tree).items():
        source, target = os.path.join(top, path), os.path.join(folder, path)
        home = _home_with(git, source, commit)
        if home is None or os.path.islink(target):
            continue
        os.makedirs(target, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="review-gate-index-") as scratch:
            index = os.path.join(scratch, "index")
            inside = git_at(target, git, GIT_DIR=home, GIT_WORK_TREE=target, GIT_INDEX_FILE=index)
            inside.run("read-tree", commit)
            inside.run("checkout-index", "--all", "--quiet", "--force")
            fill_submodules(inside, source, target, commit)


def _home_with(git: Git, source: str, commit: str) -> str | None:
    """The git directory of a submodule's work tree, where it has that commit."""
    if not os.path.lexists(os.path.join(source, ".git")):
        return None
    there = git_at(source, git)
    home = there.line("rev-parse", "--absolute-git-dir")
    has_commit = home is not None and there.try_run("cat-file", "-e", f"{commit}^{{commit}}")[0] == 0
    return home if has_commit else None
