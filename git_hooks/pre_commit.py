"""The door of `git commit`: the staged content must parse and hold no conflict or hidden character."""

from __future__ import annotations

import os

from git_hooks.boundary import guarded
from review_gate.errors import BLOCKED, PASS
from review_gate.render.problems import problems_text
from review_gate.shell.repository import repository_of_hook
from review_gate.standard_error import say
from review_gate.workflows.staged import review_staged


def main(arguments: list[str]) -> int:
    """Review what git is about to commit."""
    return guarded(_run, arguments)


def _run(_: list[str]) -> int:
    result = review_staged(repository_of_hook(os.environ))
    say(problems_text(result))
    return BLOCKED if result.is_blocking else PASS
