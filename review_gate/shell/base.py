"""Where a run starts: at the base it is told, or else where the remote is as far as anyone here knows."""

from __future__ import annotations

from review_gate.errors import MisuseError
from review_gate.shell import remote as remotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Git

EMPTY_TREE_LABEL = "the empty tree"
LIKELY_BRANCHES = ("main", "master", "trunk", "develop")


def base_of_run(git: Git, commit: str, branch: str, named: str | None) -> tuple[str, str]:
    """The base of a run of `commit` while `branch` is checked out, and its label; no base means everything."""
    if named is None:
        return _default_base(git, commit, branch)
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


def _default_base(git: Git, head: str, branch: str) -> tuple[str, str]:
    """The nearest commit that the upstream or the remote's default branch has; nothing before the first push."""
    best, label = "", EMPTY_TREE_LABEL
    refs = _candidates(git, branch)
    for ref in refs:
        found = git.line("merge-base", ref, head)
        if found and (not best or git.try_run("merge-base", "--is-ancestor", best, found)[0] == 0):
            best, label = found, ref
    if refs and not best:
        refuse_shallow(git)
    return best, label


def _candidates(git: Git, branch: str) -> list[str]:
    """Full names of the tracking refs a base may come from; never a short name, which a branch could shadow."""
    found = []
    upstream = git.line("for-each-ref", "--format=%(upstream)", "--", f"refs/heads/{branch}") if branch else None
    if upstream and upstream.startswith("refs/remotes/"):
        found.append(upstream)
    remote = remotes.default_of(git, branch)
    if remote:
        prefix = f"refs/remotes/{remote}/"
        listed = git.run("for-each-ref", "--format=%(refname) %(symref)", "--", prefix)
        refs = (line.partition(" ") for line in listed.decode("utf-8", "surrogateescape").split("\n")[:-1])
        known = {name: symbolic for name, _, symbolic in refs}
        default = known.get(prefix + "HEAD")
        likely = [prefix + name for name in LIKELY_BRANCHES if prefix + name in known]
        found += (
            [default] if default in known else likely[:1] or [ref for ref in known if ref and ref != prefix + "HEAD"]
        )
    return list(dict.fromkeys(ref for ref in found if ref))


def refuse_shallow(git: Git) -> None:
    """Refuse to compare with what a shallow clone does not have."""
    if git.line("rev-parse", "--is-shallow-repository") == "true":
        raise MisuseError(
            "this is a shallow clone, and the base lies beyond its edge",
            why="without the base nobody can say what changed",
            next_step="git fetch --unshallow",
        )
