"""The loops of a prepared run, over objects and in the folder where commands see exactly these."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.checks.weakened import ALL_OFF
from review_gate.embedded import CHECK_REVIEWERS
from review_gate.gate.record import EMPTY_TREES, short
from review_gate.loops.report import LOOPS, RunReport
from review_gate.loops.run import run_loops
from review_gate.ports import Progress, Reviewer
from review_gate.shell.check_reviewers import CheckReviewer, SharedScan
from review_gate.shell.command_reviewer import CommandReviewer, dispatch_in_threads
from review_gate.shell.file_reviewers import FileReviewer, SharedPass
from review_gate.shell.git import Git
from review_gate.shell.process import Commands
from review_gate.shell.subject import work_tree_state
from review_gate.shell.submodules import changed_in_submodules, git_at
from review_gate.shell.worktree import checkout_of, commit_of_tree
from review_gate.workflows.agents import agent_reviewers, closing_panel
from review_gate.workflows.prepare import Prepared, files_are
from review_gate.workflows.veil import veiled


def execute(prepared: Prepared, progress: Progress) -> RunReport:
    """Run the loops; the result is bound to the object ids taken at the start."""
    started = _now()
    commands = prepared.commands
    with _command_folder(prepared) as folder, closing_panel(prepared):
        loops = run_loops(
            _reviewers(prepared, folder, progress, commands),
            prepared.plan.requested,
            {loop.number: loop.note for loop in prepared.plan.loops},
            dispatch=lambda reviewers: dispatch_in_threads(reviewers, progress, commands),
            progress=progress,
        )
    return RunReport(
        id=secrets.token_hex(16),
        subject=prepared.subject,
        policy=prepared.policy.policy,
        started=started,
        finished=_now(),
        requested=prepared.plan.requested,
        file_count=len(prepared.changes),
        loops=veiled(prepared, loops),
        weakened=tuple(prepared.checks.weakened) if prepared.checks is not None else (ALL_OFF,),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class CommandFolder(NamedTuple):
    """Where commands run, and the commit that has to be there."""

    path: str
    git: Git
    commit: str | None
    submodules: tuple[Git, ...] = ()


@contextlib.contextmanager
def _command_folder(prepared: Prepared) -> Iterator[CommandFolder]:
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


def _reviewers(
    prepared: Prepared, folder: CommandFolder, progress: Progress, commands: Commands
) -> dict[int, list[Reviewer]]:
    config = prepared.loaded.config
    settings = config.model_dump(mode="json")
    shared = SharedPass(prepared.repository.git, prepared.changes, settings, progress.files_done, commands)
    scan = SharedScan(
        *(prepared.repository, prepared.subject, prepared.policy.policy),
        config.limits.command_seconds,
        commands,
        rules=prepared.stages.rules(),
    )
    agents = agent_reviewers(prepared, scan)
    by_loop: dict[int, list[Reviewer]] = {number: [] for number in LOOPS}
    for planned in prepared.plan.reviewers:
        if planned.id in CHECK_REVIEWERS:
            by_loop[planned.loop].append(CheckReviewer(planned.id, scan))
        elif planned.is_agent:
            by_loop[planned.loop].append(agents[planned.id])
        elif planned.command is None:
            by_loop[planned.loop].append(FileReviewer(planned.id, shared))
        else:
            check = StillnessCheck(folder, config.state_file)
            by_loop[planned.loop].append(CommandReviewer(planned.command, config, folder.path, check, commands))
    return by_loop


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
