"""A temporary checkout of one commit, so that commands see exactly what is reviewed."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator

from review_gate.errors import GitError
from review_gate.shell.git import Git, first_line

PREFIX = "review-gate-"
ABANDONED_SECONDS = 24 * 3600.0


@contextlib.contextmanager
def checkout_of(git: Git, commit: str) -> Iterator[str]:
    """A folder that holds `commit` and is gone afterwards."""
    sweep_abandoned(git)
    parent = tempfile.mkdtemp(prefix=PREFIX)
    folder = os.path.join(parent, "checkout")
    try:
        code, _, errors = git.try_run("worktree", "add", "--detach", "--quiet", folder, commit, seconds=600)
        if code != 0:
            raise GitError(
                f"no temporary checkout could be made: {first_line(errors)}",
                why="the commands have nowhere to run",
                next_step="review-gate run (without --isolate, in a clean work tree)",
            )
        yield folder
    finally:
        git.try_run("worktree", "remove", "--force", "--force", folder)
        shutil.rmtree(parent, ignore_errors=True)
        git.try_run("worktree", "prune")


def sweep_abandoned(git: Git) -> None:
    """Remove checkouts that a killed run left behind more than a day ago."""
    output = git.run("worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    paths = [line[9:] for line in output.split("\n") if line.startswith("worktree ")]
    for path in paths:
        parent = os.path.dirname(path)
        if os.path.basename(parent).startswith(PREFIX) and _is_abandoned(parent):
            git.try_run("worktree", "remove", "--force", "--force", path)
            shutil.rmtree(parent, ignore_errors=True)


def _is_abandoned(folder: str) -> bool:
    try:
        return time.time() - os.stat(folder).st_mtime > ABANDONED_SECONDS
    except OSError:
        return False


def commit_of_tree(git: Git, tree: str, parent: str | None) -> str:
    """A commit that no ref points at, for checking out a staged tree."""
    parents = ["-p", parent] if parent else []
    who = ["-c", "user.name=review-gate", "-c", "user.email=review-gate@localhost", "-c", "commit.gpgSign=false"]
    return git.run(*who, "commit-tree", tree, *parents, "-m", "staged content under review").decode("ascii").strip()
