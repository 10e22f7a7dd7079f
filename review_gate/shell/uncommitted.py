"""Everything that is not committed yet, as the tree that `git add -A && git commit` would make of it.

It is written through an index of its own. The index of the user, the work tree and all refs stay as they are; the
objects that come into being are what git itself would write, and its housekeeping removes them some weeks later.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from review_gate.errors import MisuseError
from review_gate.gate.record import empty_tree_like
from review_gate.models import Subject
from review_gate.shell.base import EMPTY_TREE_LABEL
from review_gate.shell.clean_filters import filtered, without_filters
from review_gate.shell.files import sweep_orphans
from review_gate.shell.git import Git, first_line
from review_gate.shell.repository import Repository

AGAIN = "review-gate spawn-code-review --uncommitted"
# Large files are read and packed, as by `git add`.
SECONDS = 600.0
# Nobody else has to read the copy of a split index, nor what a monitor or a cache remembers of the work tree.
_PLAIN_INDEX = ("-c", "core.splitIndex=false", "-c", "core.untrackedCache=false")
# Asked whether a submodule is dirty, git would start itself in there, with the filters of its settings.
_DIFFERING = ("diff-files", "--name-status", "-z", "--no-renames", "--ignore-submodules=dirty")
_OTHERS = ("ls-files", "--others", "--exclude-standard", "-z")


class _Differing(NamedTuple):
    """Paths of which the work tree has something else than the index: what is gone, and what is there."""

    gone: tuple[str, ...]
    there: tuple[str, ...]


def uncommitted_subject(repository: Repository) -> Subject:
    """Staged, unstaged and unknown files against HEAD, before the first commit against nothing."""
    git = repository.git
    _refuse_conflicts(git)
    head = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    with _index_copy(repository) as index:
        copy = without_filters(git).with_more(_PLAIN_INDEX, {"GIT_INDEX_FILE": index})
        found = _differing(copy)
        _refuse_filtered(git, repository.top, found.there)
        _take_in(copy, found)
        tree = _told(copy, "write-tree").decode("ascii").strip()
    label = "HEAD" if head else EMPTY_TREE_LABEL
    return Subject(commit=None, tree=tree, base=head or empty_tree_like(tree), base_label=label)


def _refuse_conflicts(git: Git) -> None:
    if git.run("ls-files", "--unmerged", "-z"):
        raise MisuseError(
            "the index holds unresolved conflicts",
            why="what would be committed is not decided yet",
            next_step=f"resolve them and git add, then {AGAIN}",
        )


@contextlib.contextmanager
def _index_copy(repository: Repository) -> Iterator[str]:
    """The path of a copy of the index, or of none where there is none yet; gone afterwards."""
    os.makedirs(repository.scratch, exist_ok=True)
    sweep_orphans(repository.scratch)
    path = os.path.join(repository.scratch, f".index.{os.getpid()}.{time.monotonic_ns()}.tmp")
    named = repository.git.line("rev-parse", "--git-path", "index") or "index"
    try:
        _copy(os.path.join(repository.git.directory, named), path)
        yield path
    finally:
        for left in (path, f"{path}.lock"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(left)


def _copy(source: str, target: str) -> None:
    try:
        with open(source, "rb") as old, open(target, "xb") as new:
            shutil.copyfileobj(old, new)
            times = os.fstat(old.fileno())
    except FileNotFoundError:
        return
    # By the time of the index git knows which files may have changed in the moment after it was written.
    os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))


def _differing(copy: Git) -> _Differing:
    fields = os.fsdecode(copy.run(*_DIFFERING)).split("\0")
    tracked = list(zip(fields[0::2], fields[1::2], strict=False))
    # A repository inside of this one comes as a folder, and git records only which commit is checked out there.
    unknown = [path.rstrip("/") for path in os.fsdecode(copy.run(*_OTHERS)).split("\0") if path]
    # What became of another kind is taken out first: an entry of the old kind would be in the way.
    gone = tuple(path for status, path in tracked if status in ("D", "T"))
    return _Differing(gone, (*(path for status, path in tracked if status != "D"), *unknown))


def _refuse_filtered(git: Git, top: str, paths: Sequence[str]) -> None:
    """Refuse what only a program of the settings can read, such as git-lfs, for we do not start any.

    Without it the tree would not be the one that is going to be committed. A file that the user has added is in the
    index as the program made it, and is not read again.
    """
    from shlex import quote

    for path, name in filtered(git, top, paths)[:1]:
        raise MisuseError(
            f"{path} would go through the filter {name!r} on its way into git",
            why="that is a program of your settings, which a review does not start; only git add does",
            next_step=f"git add -- {quote(path)}, then {AGAIN}",
        )


def _take_in(copy: Git, found: _Differing) -> None:
    """Give the copy of the index all that the work tree has."""
    if found.gone:
        _told(copy, "update-index", "--force-remove", "-z", "--stdin", stdin=_listed(found.gone))
    if found.there:
        _told(copy, "update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=_listed(found.there))


def _listed(paths: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def _told(copy: Git, *arguments: str, stdin: bytes = b"") -> bytes:
    code, output, errors = copy.try_run(*arguments, stdin=stdin, seconds=SECONDS)
    if code != 0:
        raise MisuseError(
            f"the work tree cannot be reviewed: {first_line(errors)}",
            why="git could not take all of it in, so what would be committed is not known",
            next_step=f"see what git add -A says, then {AGAIN}",
        )
    return output
