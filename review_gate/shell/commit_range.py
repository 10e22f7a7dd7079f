"""The two commits that a range of a command line stands for."""

from __future__ import annotations

from review_gate.errors import MisuseError
from review_gate.shell.base import refuse_shallow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Git

SCAN = "review-gate scan --diff"


def ends_of_range(git: Git, text: str, command: str = SCAN) -> tuple[str, str]:
    """The two commits of `A..B`, of `A...B` (from where they parted), or of `A` and HEAD; `command` takes a range."""
    for dots in ("...", ".."):
        if dots in text:
            old, _, new = text.partition(dots)
            ends = _commit(git, old or "HEAD", command), _commit(git, new or "HEAD", command)
            return (_merge_base(git, *ends, command), ends[1]) if dots == "..." else ends
    return _commit(git, text, command), _commit(git, "HEAD", command)


def _commit(git: Git, name: str, command: str) -> str:
    found = git.commit_named(name)
    if found is None:
        raise MisuseError(
            f"{name!r} is not a commit here",
            why="a range compares two commits",
            next_step=f"{command} main...HEAD, with names that git log knows",
        )
    return found


def _merge_base(git: Git, old: str, new: str, command: str) -> str:
    found = git.line("merge-base", old, new)
    if found is None:
        refuse_shallow(git)
        raise MisuseError(
            "the two commits have no common history",
            why="three dots mean: since they parted",
            next_step=f"{command} A..B, with two dots",
        )
    return found
