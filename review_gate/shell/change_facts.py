"""What git tells of a change for the pipeline: paths, counted lines and commits, from objects alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject
from review_gate.pipeline.normalize import Gathered, RawChange
from review_gate.pipeline.schema import CommitFact
from review_gate.shell.changes import Change
from review_gate.shell.contents import SIZES
from review_gate.shell.git import Git

# Counting reads both versions of every file, which takes four times as long as listing them.
MOST_COUNTED = 5_000
MOST_COMMITS = 500
MOST_READ = 20_000_000
# More of them do not fit into a command line.
MOST_LARGE = 500
_NUMSTAT = ("-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv")
_BETWEEN = "\x1f"


def gather(git: Git, subject: Subject, changes: Sequence[Change]) -> Gathered:
    """The material of stage 1."""
    commits = _begin_commits(git, subject)
    raw = [RawChange(change.path, change.old_oid is None, change.oid is None) for change in changes]
    lines = _lines(git, subject, large_files(git, changes)) if len(changes) <= MOST_COUNTED else None
    return Gathered(subject.base, subject.name, raw, lines, commits())


def large_files(git: Git, changes: Sequence[Change]) -> list[str]:
    """The files of which a version is larger than anybody reads: git would take the whole of it into memory."""
    oids = [oid for change in changes for oid in (change.oid, change.old_oid) if oid]
    answer = git.begin(*SIZES).output("".join(f"{oid}\n" for oid in oids).encode("ascii"))
    pairs = (line.rpartition(" ") for line in answer.decode("ascii", "replace").splitlines())
    large = {oid for oid, _, size in pairs if size.isdigit() and int(size) > MOST_READ}
    return [change.path for change in changes if not large.isdisjoint((change.oid, change.old_oid))]


def without(paths: Sequence[str]) -> list[str]:
    """The arguments that leave some files out of a diff."""
    return ["--", ":(top)", *(f":(top,literal,exclude){path}" for path in paths)] if paths else []


def _lines(git: Git, subject: Subject, large: Sequence[str]) -> dict[str, tuple[int, int]] | None:
    """Added and deleted lines of each file that is text."""
    if len(large) > MOST_LARGE:
        return None
    output = git.run("diff-tree", *_NUMSTAT, subject.base, subject.tree, *without(large))
    found: dict[str, tuple[int, int]] = {}
    for entry in output.split(b"\0"):
        added, deleted, path = (*entry.split(b"\t", 2), b"", b"")[:3]
        if added.isdigit() and deleted.isdigit():
            found[os.fsdecode(path)] = int(added), int(deleted)
    return found


def _begin_commits(git: Git, subject: Subject) -> Callable[[], list[CommitFact]]:
    """Git begins to list the commits; what it says is read when it is asked for."""
    if subject.commit is None:
        return list
    since = [] if subject.base in EMPTY_TREES else [f"^{subject.base}"]
    arguments = ("log", "-z", f"--max-count={MOST_COMMITS}", f"--format=%H{_BETWEEN}%s", "--end-of-options")
    begun = git.begin(*arguments, subject.commit, *since)

    def finish() -> list[CommitFact]:
        output = begun.output().decode("utf-8", "surrogateescape")
        entries = (entry.partition(_BETWEEN) for entry in output.split("\0") if entry)
        return [CommitFact(id=name, subject=said) for name, _, said in entries]

    return finish
