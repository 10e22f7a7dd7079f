"""Whether a change that is named by where a branch stands still has in it what was reviewed."""

from __future__ import annotations

from review_gate.consensus.material import Material
from review_gate.consensus.schema import Mode, Subject
from review_gate.shell.repository import Repository

# What was found in a commit is not mended by one on top of it that is looked at instead.
BEHIND = "it begins at {} now, at {} before: what was reviewed may be below that, and would not be seen again"


def left_behind(mode: Mode, before: Subject, material: Material, repository: Repository | None) -> str:
    """Why the next round might be about something else than the last one; empty where it is about the same, mended."""
    now = material.subject
    if repository is None or now is None or now.base == before.base:
        return ""
    # A base may move on below the change, as in a rebase, unless the change has become a part of it.
    reviewed = before.commit or before.base
    is_below = repository.git.try_run("merge-base", "--is-ancestor", reviewed, now.base)[0] == 0
    return BEHIND.format(now.base[:8], before.base[:8]) if mode.scope != "base" or is_below else ""
