"""What a run is about: head, tree and base resolved to object ids before anything is reviewed."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError
from review_gate.gate.record import EMPTY_TREES, empty_tree_like
from review_gate.models import Subject
from review_gate.shell.base import EMPTY_TREE_LABEL, base_of_run
from review_gate.shell.clean_filters import without_filters
from review_gate.shell.git import Git, first_line


def commit_subject(git: Git, *, base: str | None, is_everything: bool) -> Subject:
    """HEAD against its base."""
    found = git.line("rev-list", "--max-count=1", "--format=%T", "HEAD", "--")
    if found is None:
        raise MisuseError(
            "there is no commit yet",
            why="a review is of a commit, and this branch has none",
            next_step="git commit, then review-gate run (or review-gate run --staged before it)",
        )
    # "commit <id>", and in the next line what the format asks for: both are of one moment.
    head, tree = found.removeprefix("commit ").split("\n")
    if is_everything:
        return Subject(commit=head, tree=tree, base=empty_tree_like(tree), base_label=EMPTY_TREE_LABEL)
    base_commit, label = base_of_run(git, head, git.branch() or "", base)
    return Subject(commit=head, tree=tree, base=base_commit or empty_tree_like(tree), base_label=label)


def staged_subject(git: Git) -> Subject:
    """The index against HEAD."""
    code, output, errors = git.try_run("write-tree")
    if code != 0:
        raise MisuseError(
            f"the index cannot be reviewed: {first_line(errors)}",
            why="it holds unresolved conflicts or missing files",
            next_step="resolve them and git add, then review-gate run --staged",
        )
    tree = output.decode("ascii").strip()
    head = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return Subject(
        commit=None, tree=tree, base=head or empty_tree_like(tree), base_label="HEAD" if head else EMPTY_TREE_LABEL
    )


def work_tree_state(git: Git, ignored: str) -> tuple[int, int]:
    """How many tracked files differ from HEAD, and how many files git does not know; `ignored` is our state file."""
    output = git.run("status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames")
    entries = [entry for entry in output.decode("utf-8", "surrogateescape").split("\0") if entry]
    others = [entry for entry in entries if entry[3:] != ignored]
    unknown = [entry for entry in others if entry.startswith("??")]
    return len(others) - len(unknown), len(unknown)


def unwatched_files(git: Git, top: str) -> tuple[int, int]:
    """How many files git was told not to look at: on disk, where a change in them does not show, and not on disk."""
    lines = git.run("ls-files", "-v", "-z").decode("utf-8", "surrogateescape").split("\0")
    marked = [line[2:] for line in lines if line[:1].islower() or line.startswith("S ")]
    present = sum(os.path.lexists(os.path.join(top, path)) for path in marked)
    return present, len(marked) - present


def is_tracked(git: Git, path: str) -> bool:
    """Whether a file is in the index."""
    return git.try_run("ls-files", "--error-unmatch", "--", f":(literal){path}")[0] == 0


def touched_files(git: Git) -> int:
    """How many tracked files differ from HEAD, as far as that shows without running a filter.

    Reading a changed file makes git run the filter program that the configuration names for it; here it must not.
    """
    arguments = (
        "diff",
        "--name-only",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        "HEAD",
        "--",
    )
    return len(set(without_filters(git).run(*arguments).split(b"\0")) - {b""})


def passing_versions(git: Git, subject: Subject) -> int:
    """How many blobs the commits under review add and then replace or drop: a push sends them all the same."""
    if subject.commit is None:
        return 0
    known = [] if subject.base in EMPTY_TREES else [f"^{subject.base}"]
    arguments = ("rev-list", "--objects", "--no-object-names", "--filter=object:type=blob", "--filter-provided-objects")
    code, output, _ = git.try_run(*arguments, subject.commit, *known)
    if code != 0:
        return 0
    tips = git.run("ls-tree", "-r", "-z", "--format=%(objectname)", subject.tree).split(b"\0")
    return len(set(output.split(b"\n")) - set(tips) - {b""})
