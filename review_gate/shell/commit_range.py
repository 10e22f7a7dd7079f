"""The two commits that a range of a command line stands for."""

from __future__ import annotations

from review_gate.errors import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Git


def ends_of_range(git: Git, text: str) -> tuple[str, str]:
    """The two commits of `A..B`, of `A...B` (from where they parted), or of `A` and HEAD."""
    for dots in ("...", ".."):
        if dots in text:
            old, _, new = text.partition(dots)
            ends = _commit(git, old or "HEAD"), _commit(git, new or "HEAD")
            return (_merge_base(git, *ends), ends[1]) if dots == "..." else ends
    return _commit(git, text), _commit(git, "HEAD")


def _commit(git: Git, name: str) -> str:
    found = git.commit_named(name)
    if found is None:
        raise MisuseError(
            f"{name!r} is not a commit here",
            why="--diff compares two commits",
            next_step="review-gate scan --diff main...HEAD, with names that git log knows",
        )
    return found


def _merge_base(git: Git, old: str, new: str) -> str:
    found = git.line("merge-base", old, new)
    if found is None:
        raise MisuseError(
            "the two commits have no common history",
            why="three dots mean: since they parted",
            next_step="review-gate scan --diff A..B, with two dots",
        )
    return found
