"""The pre-push hook cut short after each of its steps, to be run in an interpreter of its own like the hook itself."""

from __future__ import annotations

import os

from git_hooks import pre_push
from review_gate.shell.repository import repository_of_hook
from review_gate.workflows.policy import policy_in_force

REVISION = "HEAD"


def import_modules() -> int:
    """Nothing more than what the import of this module did."""
    return 0


def read_configuration() -> int:
    """Find the repository and read its compiled configuration."""
    policy_in_force(repository_of_hook(os.environ))
    return 0


def ask_git() -> int:
    """The same, then one question to one git process."""
    repository = repository_of_hook(os.environ)
    policy_in_force(repository)
    with repository.git.objects() as objects:
        return 0 if objects.read(REVISION) else 1


def judge(arguments: list[str]) -> int:
    """The whole hook."""
    return pre_push.main(arguments)
