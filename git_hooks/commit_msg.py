"""The door of `git commit` for the message: its rules, and word of a staged review that the commit inherits."""

from __future__ import annotations

import os

from git_hooks.boundary import guarded
from review_gate.errors import BLOCKED, PASS, MisuseError
from review_gate.shell.exact_ref import STAGED_REVIEWS, ExactRefs
from review_gate.shell.repository import repository_of_hook
from review_gate.standard_error import say
from review_gate.workflows.message import review_message


def main(arguments: list[str]) -> int:
    """Review the message file that git names."""
    return guarded(_run, arguments)


def _run(arguments: list[str]) -> int:
    if not arguments:
        raise MisuseError(
            "the file with the commit message is missing",
            why="git names it as the hook's argument",
            next_step="git commit",
        )
    repository = repository_of_hook(os.environ)
    result = review_message(repository, arguments[-1])
    if result.problems or result.failures:
        from review_gate.render.problems import problems_text

        say(problems_text(result))
    if result.is_blocking:
        return BLOCKED
    if ExactRefs(repository).may_hold(STAGED_REVIEWS):
        # Few repositories have one, so the others do not pay for the import.
        from review_gate.workflows.inherited_review import inherited_review

        say(inherited_review(repository))
    return PASS
