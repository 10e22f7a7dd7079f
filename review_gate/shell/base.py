"""Where a run starts: at the base it is told, or else where the remote is as far as anyone here knows."""

from __future__ import annotations

from review_gate.errors import MisuseError
from review_gate.shell.known_remotes import KnownRemotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from review_gate.shell.git import Git

EMPTY_TREE_LABEL = "the empty tree"
LIKELY_BRANCHES = ("main", "master", "trunk", "develop")


def base_of_run(
    git: Git,
    commit: str,
    branch: str,
    named: str | None,
    *,
    remotes: KnownRemotes | None = None,
    below: Container[str] = (),
) -> tuple[str, str]:
    """The base of a run of `commit` while `branch` is checked out, and its label; no base means everything.

    What is known already saves questions: about the remotes, and which commits are `below`.
    """
    if named is None:
        return _default_base(git, commit, branch, remotes or KnownRemotes(git), below)
    return named_base(git, commit, named, if_unrelated="review-gate run --scope all"), named


def named_base(git: Git, head: str, base: str, *, if_unrelated: str) -> str:
    """The merge base with the revision the user named; `if_unrelated` is what to type where there is none."""
    commit = git.commit_named(base)
    if commit is None:
        raise MisuseError(
            f"the base {base!r} is not a commit here",
            why="the review needs to know what changed since when",
            next_step="git fetch, or name another --base",
        )
    found = git.line("merge-base", commit, head)
    if found is None:
        refuse_shallow(git)
        raise MisuseError(
            f"HEAD and {base!r} have no common history",
            why="a review covers the commits between a base and HEAD",
            next_step=if_unrelated,
        )
    return found


def _default_base(git: Git, head: str, branch: str, remotes: KnownRemotes, below: Container[str]) -> tuple[str, str]:
    """The nearest commit that the upstream or the remote's default branch has; nothing before the first push."""
    best, label = "", EMPTY_TREE_LABEL
    refs = _candidates(remotes, branch)
    for ref, oid in refs.items():
        # An ancestor is its own merge base.
        found = oid if oid in below else git.line("merge-base", ref, head)
        if found and (best in ("", found) or git.try_run("merge-base", "--is-ancestor", best, found)[0] == 0):
            best, label = found, ref
    if refs and not best:
        refuse_shallow(git)
    return best, label


def _candidates(remotes: KnownRemotes, branch: str) -> dict[str, str]:
    """The tracking refs that a base may come from; by full names, never by a short one, which a branch could shadow.

    With each goes what it points at, nothing where that was not asked.
    """
    remote = remotes.default_of(branch)
    known = remotes.tracking(remote, branch) if remote else {}
    upstream = remotes.upstream(branch)
    found = [upstream] if upstream.startswith("refs/remotes/") else []
    if remote:
        prefix = f"refs/remotes/{remote}/"
        head = known.get(prefix + "HEAD")
        likely = [prefix + name for name in LIKELY_BRANCHES if prefix + name in known]
        found += (
            [head.symbolic]
            if head and head.symbolic in known
            else likely[:1] or [ref for ref in known if ref != prefix + "HEAD"]
        )
    return {ref: known[ref].oid if ref in known else "" for ref in found}


def refuse_shallow(git: Git) -> None:
    """Refuse to compare with what a shallow clone does not have."""
    if git.line("rev-parse", "--is-shallow-repository") == "true":
        raise MisuseError(
            "this is a shallow clone, and the base lies beyond its edge",
            why="without the base nobody can say what changed",
            next_step="git fetch --unshallow",
        )
