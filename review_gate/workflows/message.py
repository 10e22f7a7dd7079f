"""The rules for a commit message, and the checks that look at messages."""

from __future__ import annotations

import os

from review_gate.reviewers import commit_message
from review_gate.reviewers.result import HookResult
from review_gate.shell.repository import branch_being_changed
from review_gate.workflows.message_checks import scan_message
from review_gate.workflows.message_file import MessageFile, is_gits_own
from review_gate.workflows.policy import settings_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.reviewers.problem import Problem
    from review_gate.shell.repository import Repository


def review_message(repository: Repository, path: str) -> HookResult:
    """What the message rules say of the file that git names."""
    file = MessageFile(repository, path)
    settings = settings_in_force(repository)
    problems = commit_message.review(
        file.text,
        rules=settings.section("commit_message"),
        branch=branch_being_changed(repository) if commit_message.needs_branch(file.text) else None,
        cleanup=file.cleanup,
        comment_char=file.comment_char,
    )
    scanned = scan_message(repository, settings.section("checks"), file.readings())
    if scanned:
        from review_gate.workflows.hook_checks import as_problem

        problems += map(as_problem, scanned.alarms)
    result = _result(repository, path, problems, tuple(scanned.failures) if scanned else ())
    if result.is_blocking:
        file.tidy_up()
    return result


def _result(repository: Repository, path: str, problems: list[Problem], failed: tuple[str, ...]) -> HookResult:
    found = [("message", problem) for problem in problems]
    failures = tuple(f"checks: {failure}" for failure in failed)
    next_step = _next_step(repository, path) if found or failures else ""
    if failures and not found:
        # Another message does not help against a check that is too slow; it is named above.
        next_step = f"mend, or put into checks.disable of .review-gate.yaml, the check that is named; {next_step}"
    return HookResult("the commit message", found, next_step=next_step, failures=failures)


def _next_step(repository: Repository, path: str) -> str:
    """The commit once more, with the refused message to edit."""
    # Only messages with problems pay for this import.
    from review_gate.shell.parents import git_command

    again = f"-e -F {_again(repository, path)}"
    command = git_command()
    # `git commit -a` and `git commit FILE` hand their hooks an index of their own, which is gone when they are refused.
    if command is None or os.path.basename(os.environ.get("GIT_INDEX_FILE", "index")) != "index":
        return f"the same git commit, with {again} for the message"
    # A rebase that stops at a reword amends the commit that it has made already.
    is_amend = any(word.startswith("--am") for word in command)
    return f"git commit {'--amend ' if is_amend else ''}{again}"


def _again(repository: Repository, path: str) -> str:
    """The message file, from whichever folder the user types: git names it from the top."""
    if is_gits_own(repository, path):
        return f'"$(git rev-parse --git-path {os.path.basename(path)})"'
    return os.path.abspath(path)
