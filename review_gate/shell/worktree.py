"""A temporary checkout of one commit, so that commands see exactly what is reviewed."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from review_gate.errors import GitError
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.git import Git, first_line
from review_gate.shell.submodules import fill_submodules

PREFIX = "review-gate-"
CHECKOUT = "checkout"
# Beside each checkout: which repository made it, and who. Nothing without it is ever removed.
MARKER = ".review-gate-owner"
ABANDONED_SECONDS = 24 * 3600.0
MAX_MARKER_BYTES = 100_000


class Checkout(NamedTuple):
    """A folder with a commit in it, and git for each submodule that was filled there."""

    path: str
    submodules: list[Git]


def without_index(git: Git) -> Git:
    """The same git, which must not write to the index that a hook was given: a checkout has one of its own."""
    return Git(git.directory, {name: value for name, value in git.environ.items() if name != "GIT_INDEX_FILE"})


@contextlib.contextmanager
def checkout_of(git: Git, commit: str) -> Iterator[Checkout]:
    """A folder that holds `commit` and is gone afterwards."""
    sweep_abandoned(git)
    parent = tempfile.mkdtemp(prefix=PREFIX)
    folder = os.path.join(parent, CHECKOUT)
    with open(os.path.join(parent, MARKER), "w", encoding="utf-8", errors="surrogateescape") as marker:
        marker.write(f"{os.getpid()} {_process_space()}\n{common_dir(git)}")
    try:
        # The checkout is whole, however sparse the work tree is that the run was started in.
        whole = ("-c", "core.sparseCheckout=false")
        code, _, errors = without_index(git).try_run(
            *whole, "worktree", "add", "--detach", "--quiet", folder, commit, seconds=600
        )
        if code != 0:
            raise GitError(
                f"no temporary checkout could be made: {first_line(errors)}",
                why="the commands have nowhere to run",
                next_step="review-gate run (without --isolate, in a clean work tree)",
            )
        yield Checkout(folder, fill_submodules(git, git.directory, folder, commit, indexes=parent))
    finally:
        git.try_run("worktree", "remove", "--force", "--force", folder)
        # No `worktree prune`: it would also forget the user's work trees that lie on a disk which is away.
        shutil.rmtree(parent, ignore_errors=True)


def sweep_abandoned(git: Git) -> None:
    """Remove the checkouts that killed runs of this very repository left in the temporary folder."""
    ours = common_dir(git)
    for parent in glob.glob(os.path.join(glob.escape(tempfile.gettempdir()), PREFIX + "*")):
        owner = _owner_of(parent) if _is_our_own(parent) else None
        if owner is not None and owner[1] == ours and _is_abandoned(parent, owner[0]):
            git.try_run("worktree", "remove", "--force", "--force", os.path.join(parent, CHECKOUT))
            shutil.rmtree(parent, ignore_errors=True)


def common_dir(git: Git) -> str:
    """The directory that all work trees of a repository share, as a name for the repository."""
    path = git.line("rev-parse", "--git-common-dir") or ""
    return os.path.realpath(os.path.join(git.directory, path))


def _is_our_own(parent: str) -> bool:
    """Whether this user made the folder and nothing in it leads elsewhere: anybody may write to a temporary folder."""
    if not hasattr(os, "geteuid"):
        return not os.path.islink(parent) and not os.path.islink(os.path.join(parent, CHECKOUT))
    try:
        folder, marker = os.lstat(parent), os.lstat(os.path.join(parent, MARKER))
    except OSError:
        return False
    is_ours = folder.st_uid == marker.st_uid == os.geteuid() and stat.S_ISDIR(folder.st_mode)
    return is_ours and not folder.st_mode & 0o022 and not os.path.islink(os.path.join(parent, CHECKOUT))


def _owner_of(parent: str) -> tuple[str, str] | None:
    """The process that made a folder and the repository it was made for, where our marker tells."""
    try:
        data = read_plain_file(os.path.join(parent, MARKER), MAX_MARKER_BYTES)
    except UnsafeFileError:
        return None
    if data is None:
        return None
    process, _, repository = data.decode("utf-8", "surrogateescape").partition("\n")
    return process, repository


def _is_abandoned(folder: str, process: str) -> bool:
    pid, _, space = process.partition(" ")
    if space == _process_space() and pid.isdecimal() and len(pid) < 10:
        return not _is_alive(int(pid))
    # A number of another container says nothing here; only time does.
    try:
        return time.time() - os.stat(folder).st_mtime > ABANDONED_SECONDS
    except OSError:
        return False


def _process_space() -> str:
    """Which processes our numbers are about; containers that share a temporary folder have other ones."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


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
