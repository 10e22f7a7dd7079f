"""What git tells of a change for the pipeline: paths, counted lines and commits, from objects alone."""

from __future__ import annotations

import os
from collections.abc import Sequence

from review_gate.models import Subject
from review_gate.pipeline.normalize import Gathered, RawChange
from review_gate.pipeline.schema import CommitFact
from review_gate.shell.changes import Change
from review_gate.shell.git import Git

# Counting reads both versions of every file, which takes four times as long as listing them.
MOST_COUNTED = 5_000
MOST_COMMITS = 500
_NUMSTAT = ("-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv")
_BETWEEN = "\x1f"


def gather(git: Git, subject: Subject, changes: Sequence[Change]) -> Gathered:
    """The material of stage 1."""
    raw = [RawChange(change.path, change.old_oid is None, change.oid is None) for change in changes]
    lines = _lines(git, subject) if len(changes) <= MOST_COUNTED else None
    return Gathered(subject.base, subject.name, raw, lines, _commits(git, subject))


def _lines(git: Git, subject: Subject) -> dict[str, tuple[int, int]]:
    """Added and deleted lines of each file that is text."""
    output = git.run("diff-tree", *_NUMSTAT, "--end-of-options", subject.base, subject.tree)
    found: dict[str, tuple[int, int]] = {}
    for entry in output.split(b"\0"):
        added, deleted, path = (*entry.split(b"\t", 2), b"", b"")[:3]
        if added.isdigit() and deleted.isdigit():
            found[os.fsdecode(path)] = int(added), int(deleted)
    return found


def _commits(git: Git, subject: Subject) -> list[CommitFact]:
    if subject.commit is None:
        return []
    since = [] if git.line("cat-file", "-t", subject.base) == "tree" else [f"^{subject.base}"]
    arguments = ("log", "-z", f"--max-count={MOST_COMMITS}", f"--format=%H{_BETWEEN}%s", "--end-of-options")
    output = git.run(*arguments, subject.commit, *since).decode("utf-8", "surrogateescape")
    entries = (entry.partition(_BETWEEN) for entry in output.split("\0") if entry)
    return [CommitFact(id=name, subject=said) for name, _, said in entries]
