"""What a round is about when it is named: the commits since a base, one commit, or a range, as object ids."""

from __future__ import annotations

from shlex import quote

from review_gate.errors import MisuseError
from review_gate.gate.record import empty_tree_like
from review_gate.models import Subject
from review_gate.shell.base import EMPTY_TREE_LABEL, named_base, refuse_shallow
from review_gate.shell.commit_range import ends_of_range
from review_gate.shell.git import Git

SPAWN = "review-gate spawn-code-review"


def base_subject(git: Git, base: str) -> Subject:
    """HEAD against the merge base with a revision."""
    head = git.commit_named("HEAD")
    if head is None:
        raise MisuseError(
            "there is no commit yet",
            why="--base compares HEAD with a base, and this branch has none",
            next_step=f"{SPAWN} --uncommitted",
        )
    found = named_base(git, head, base, if_unrelated=f"{SPAWN} {quote(f'{base}..HEAD')}")
    return Subject(commit=head, tree=_tree(git, head), base=found, base_label=base)


def range_subject(git: Git, text: str) -> Subject:
    """The second commit of a range against the first."""
    old, new = ends_of_range(git, text, SPAWN)
    return Subject(commit=new, tree=_tree(git, new), base=old, base_label=text.partition("..")[0] or "HEAD")


def single_commit_subject(git: Git, name: str) -> Subject:
    """One commit against its first parent, the first commit of all against nothing."""
    commit = git.commit_named(name)
    if commit is None:
        raise MisuseError(
            f"{name!r} is not a commit here",
            why="--commit names the one that is reviewed",
            next_step=f"{SPAWN} --commit SHA, with a name that git log knows",
        )
    tree, parent = _tree(git, commit), _first_parent(git, commit)
    if parent is None:
        return Subject(commit=commit, tree=tree, base=empty_tree_like(tree), base_label=EMPTY_TREE_LABEL)
    return Subject(commit=commit, tree=tree, base=parent, base_label=f"{commit[:8]}^")


def _first_parent(git: Git, commit: str) -> str | None:
    """The first parent as the commit itself has it: at the edge of a shallow clone git says that there is none."""
    header = git.run("cat-file", "commit", commit).partition(b"\n\n")[0]
    parents = [line[7:].decode("ascii") for line in header.split(b"\n") if line.startswith(b"parent ")]
    if not parents:
        return None
    if git.try_run("cat-file", "-e", f"{parents[0]}^{{commit}}")[0] != 0:
        refuse_shallow(git)
        raise MisuseError(
            f"the parent of {commit[:8]} is not here",
            why="without it nobody can say what the commit changes",
            next_step=f"git fetch, then {SPAWN} --commit {commit[:8]}",
        )
    return parents[0]


def _tree(git: Git, commit: str) -> str:
    return git.run("rev-parse", "--verify", f"{commit}^{{tree}}").decode("ascii").strip()
