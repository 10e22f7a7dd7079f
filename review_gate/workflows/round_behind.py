"""Whether a change that is named by where a branch stands still has in it what was reviewed."""

from __future__ import annotations

import re
from collections import Counter

from review_gate.consensus.material import Material
from review_gate.consensus.schema import Mode, Subject
from review_gate.consensus.scope import scope_of
from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject as Reviewed
from review_gate.shell.changes import Change, changed_between
from review_gate.shell.git import Git, ObjectReader
from review_gate.shell.repository import Repository

# What was found in a commit is not mended by one on top of it that is looked at instead.
BEHIND = "it begins at {} now, at {} before: what was reviewed may be below that, and would not be seen again"
# Nor by one on another branch.
ELSEWHERE = "{} is checked out now, {} was before: what was reviewed would not be seen again"
# Of a larger file reviewers were not shown more either.
MAX_BYTES = 8_000_000
# A bracket by itself is everywhere.
_WORD = re.compile(rb"[^\W_]|[\x80-\xff]")


def left_behind(mode: Mode, before: Subject, material: Material, repository: Repository | None) -> str:
    """Why the next round might be about something else than the last one; empty where it is about the same, mended."""
    now = material.subject
    if repository is None or now is None:
        return ""
    # Whoever is on no branch may be anywhere by now.
    may_be_elsewhere = scope_of(mode).follows_branch and (material.branch != before.branch or not before.branch)
    if may_be_elsewhere and not _goes_on(repository.git, before, now):
        return ELSEWHERE.format(material.branch or _short(now.commit), before.branch or _short(before.commit))
    if now.base == before.base:
        return ""
    # A base may move on below the change, as in a rebase, unless some of the change has become a part of it.
    is_below = mode.scope != "base" or _may_have_taken(repository.git, before, now)
    return BEHIND.format(now.base[:8], before.base[:8]) if is_below else ""


def is_committed(mode: Mode, before: Subject, repository: Repository | None) -> bool:
    """Whether what was uncommitted when it was reviewed is one commit by now, with nothing else in it."""
    if repository is None or mode.scope != "uncommitted":
        return False
    code, output, _ = repository.git.try_run("rev-parse", "HEAD^{tree}", "HEAD^@")
    parents = [] if before.base in EMPTY_TREES else [before.base]
    return code == 0 and output.decode("ascii").split() == [before.tree, *parents]


def _short(commit: str | None) -> str:
    return (commit or "")[:8]


def _goes_on(git: Git, before: Subject, now: Reviewed) -> bool:
    """Whether what was reviewed is below what is there now, whatever the branch is called."""
    return git.try_run("merge-base", "--is-ancestor", before.commit or "", now.commit or "")[0] == 0


def _may_have_taken(git: Git, before: Subject, now: Reviewed) -> bool:
    """Whether the base may have some of what was reviewed: its commits, or the same changes in others."""
    code, output, errors = git.try_run("merge-base", "--all", before.commit or before.base, now.base)
    if code != 0 and errors:
        # What git has removed meanwhile, nobody can compare.
        return True
    # Of a history that was written anew no commit is left.
    common = output.decode("ascii").split()
    has_commits = bool(common) and git.line("rev-list", "--max-count=1", *common, f"^{before.base}") is not None
    return has_commits or _has_changes(git, before, now)


def _has_changes(git: Git, before: Subject, now: Reviewed) -> bool:
    """Whether the base has changed a file as it was reviewed, or some lines of it, as after a squash or a pick."""
    reviewed = {change.path: change for change in changed_between(git, before.base, before.tree)}
    taken = [change for change in changed_between(git, before.base, now.base) if change.path in reviewed]
    with git.objects() as reader:
        return any(_is_alike(reader, reviewed[change.path], change) for change in taken)


def _is_alike(reader: ObjectReader, one: Change, other: Change) -> bool:
    """Whether two changes of a file add or remove a line that is the same, or may do: what is gone may have moved."""
    if one.oid == other.oid or other.oid is None:
        return True
    old, own, theirs = (_lines(reader, oid) for oid in (one.old_oid, one.oid, other.oid))
    return bool((own - old) & (theirs - old) or (old - own) & (old - theirs))


def _lines(reader: ObjectReader, oid: str | None) -> Counter[bytes]:
    """The lines of a version that say something."""
    found = reader.read(oid, limit=MAX_BYTES) if oid is not None else None
    lines = found.data.split(b"\n") if found is not None else []
    return Counter(line for line in lines if _WORD.search(line))
