"""Whether a change that is named by where a branch stands still has in it what was reviewed."""

from __future__ import annotations

from review_gate.consensus.material import Material
from review_gate.consensus.schema import Mode, Subject
from review_gate.models import Subject as Change
from review_gate.shell.changes import changed_between
from review_gate.shell.git import Git
from review_gate.shell.repository import Repository

# What was found in a commit is not mended by one on top of it that is looked at instead.
BEHIND = "it begins at {} now, at {} before: what was reviewed may be below that, and would not be seen again"
# Nor by one on another branch.
ELSEWHERE = "{} is checked out now, {} was before: what was reviewed would not be seen again"
NO_BRANCH = "no branch"


def left_behind(mode: Mode, before: Subject, material: Material, repository: Repository | None) -> str:
    """Why the next round might be about something else than the last one; empty where it is about the same, mended."""
    now = material.subject
    if repository is None or now is None:
        return ""
    if before.branch and material.branch != before.branch and not _goes_on(repository.git, before, now):
        return ELSEWHERE.format(material.branch or NO_BRANCH, before.branch)
    if now.base == before.base:
        return ""
    # A base may move on below the change, as in a rebase, unless some of the change has become a part of it.
    is_below = (
        mode.scope != "base" or _has_commits(repository.git, before, now) or _has_files(repository.git, before, now)
    )
    return BEHIND.format(now.base[:8], before.base[:8]) if is_below else ""


def is_committed(mode: Mode, before: Subject, repository: Repository | None) -> bool:
    """Whether what was uncommitted when it was reviewed is one commit by now, with nothing else in it."""
    if repository is None or mode.scope != "uncommitted":
        return False
    code, output, _ = repository.git.try_run("rev-parse", "HEAD^{tree}", "HEAD^@")
    return code == 0 and output.decode("ascii").split() == [before.tree, before.base]


def _goes_on(git: Git, before: Subject, now: Change) -> bool:
    """Whether what was reviewed is below what is there now, whatever the branch is called."""
    return git.try_run("merge-base", "--is-ancestor", before.commit or "", now.commit or "")[0] == 0


def _has_commits(git: Git, before: Subject, now: Change) -> bool:
    """Whether the base has commits now that were reviewed."""
    common = git.run("merge-base", "--all", before.commit or before.base, now.base).decode("ascii").split()
    return git.line("rev-list", "--max-count=1", *common, f"^{before.base}") is not None


def _has_files(git: Git, before: Subject, now: Change) -> bool:
    """Whether the base has a file now just as it was reviewed, as after a squash or a pick of a commit."""
    reviewed = {change.path for change in changed_between(git, before.base, before.tree)}
    return not reviewed <= {change.path for change in changed_between(git, before.tree, now.base)}
