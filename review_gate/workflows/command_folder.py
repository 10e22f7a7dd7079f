"""The folder in which the commands of a run find exactly what is reviewed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from review_gate.gate.record import EMPTY_TREES, short
from review_gate.shell.git import Git
from review_gate.shell.subject import work_tree_state
from review_gate.shell.submodules import changed_in_submodules, git_at
from review_gate.shell.worktree import checkout_of, commit_of_tree
from review_gate.workflows.prepare import Prepared, files_are


class CommandFolder(NamedTuple):
    """Where commands run, and the commit that has to be there."""

    path: str
    git: Git
    commit: str | None
    submodules: tuple[Git, ...] = ()


@contextlib.contextmanager
def command_folder(prepared: Prepared) -> Iterator[CommandFolder]:
    """Where commands run: the work tree, or a checkout of exactly what is reviewed."""
    subject, git = prepared.subject, prepared.repository.git
    is_apart = prepared.options.is_isolated or subject.is_staged
    if not is_apart or not prepared.plan.has_commands:
        yield CommandFolder(prepared.repository.top, git, subject.commit)
        return
    parent = None if subject.base in EMPTY_TREES else subject.base
    commit = subject.commit or commit_of_tree(git, subject.tree, parent)
    with checkout_of(git, commit) as checkout:
        yield CommandFolder(checkout.path, git_at(checkout.path, git), commit, tuple(checkout.submodules))


class StillnessCheck:
    """Whether the folder is still what is reviewed after a command ran in it."""

    def __init__(self, folder: CommandFolder, state_file: str) -> None:
        self._folder = folder
        self._state_file = state_file

    def __call__(self) -> str:
        """Why the result cannot be used, or nothing."""
        git = self._folder.git
        head = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if head != self._folder.commit:
            return f"its result does not count: HEAD moved to {short(str(head))} while it ran"
        modified = work_tree_state(git, self._state_file)[0] + changed_in_submodules(self._folder.submodules)
        return f"{files_are(modified)} no longer as committed, so it did not test what is reviewed" if modified else ""
