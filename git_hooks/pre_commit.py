"""The door of `git commit`: the staged content must parse and hold no conflict or hidden character."""

from __future__ import annotations

import os

from git_hooks.boundary import guarded
from review_gate.errors import BLOCKED, PASS
from review_gate.shell.changes import begin_staged_changes
from review_gate.shell.repository import repository_of_hook
from review_gate.standard_error import say


def main(arguments: list[str]) -> int:
    """Review what git is about to commit."""
    return guarded(_run, arguments)


def _run(_: list[str]) -> int:
    repository = repository_of_hook(os.environ)
    staged = begin_staged_changes(repository.git)
    # Git looks while Python imports; each takes some milliseconds.
    from review_gate.render.problems import problems_text
    from review_gate.workflows.staged import review_staged

    result = review_staged(repository, staged)
    say(problems_text(result))
    return BLOCKED if result.is_blocking else PASS
