"""A temporary checkout of one commit, so that commands see exactly what is reviewed."""

from __future__ import annotations

import contextlib
import glob
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
    parent = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
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
    """Remove checkouts that a killed run left behind, the folders of those it never got to register too."""
    output = git.run("worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    paths = [line[9:] for line in output.split("\n") if line.startswith("worktree ")]
    parents = {os.path.dirname(path): path for path in paths}
    unregistered = glob.glob(os.path.join(tempfile.gettempdir(), PREFIX + "[0-9]*-*"))
    for parent in {*parents, *unregistered}:
        if _is_abandoned(parent):
            if parent in parents:
                git.try_run("worktree", "remove", "--force", "--force", parents[parent])
            shutil.rmtree(parent, ignore_errors=True)


def _is_abandoned(folder: str) -> bool:
    """Whether the run that made this folder is gone; its process id is in the name."""
    name, mark, rest = os.path.basename(folder).partition(PREFIX)
    pid = rest.partition("-")[0]
    if name or not mark or not pid.isdecimal():
        return False
    try:
        is_old = time.time() - os.stat(folder).st_mtime > ABANDONED_SECONDS
        return is_old or not _is_alive(int(pid))
    except OSError:
        return False


def _is_alive(pid: int) -> bool:
    if os.name != "posix":
        # There, asking would end the process.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def commit_of_tree(git: Git, tree: str, parent: str | None) -> str:
    """A commit that no ref points at, for checking out a staged tree."""
    parents = ["-p", parent] if parent else []
    who = ["-c", "user.name=review-gate", "-c", "user.email=review-gate@localhost", "-c", "commit.gpgSign=false"]
    return git.run(*who, "commit-tree", tree, *parents, "-m", "staged content under review").decode("ascii").strip()
