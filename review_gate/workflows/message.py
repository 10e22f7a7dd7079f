"""The rules for a commit message, and the checks that look at messages."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError
from review_gate.reviewers import commit_message
from review_gate.reviewers.result import HookResult
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.repository import branch_being_changed
from review_gate.workflows.message_checks import scan_message
from review_gate.workflows.policy import settings_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Git
    from review_gate.shell.repository import Repository

MAX_MESSAGE_BYTES = 10_000_000
# Encodings that switch between alphabets write nothing but ASCII.
ESCAPE = b"\x1b"
PICKING = ("CHERRY_PICK_HEAD", "REVERT_HEAD")


def review_message(repository: Repository, path: str) -> HookResult:
    """What the message rules say of the file that git names."""
    git = repository.git
    text, raw = _read_message(git, path)
    is_odd = commit_message.needs_cleanup_mode(text)
    cleanup = _cleanup_mode(repository, text) if is_odd else "strip"
    comment_char = _comment_char(git, text) if is_odd else "#"
    settings = settings_in_force(repository)
    problems = commit_message.review(
        text,
        rules=settings.section("commit_message"),
        branch=branch_being_changed(repository) if commit_message.needs_branch(text) else None,
        cleanup=cleanup,
        comment_char=comment_char,
    )
    kept = [commit_message.kept_text(one, cleanup, comment_char) for one in dict.fromkeys((text, raw))]
    scanned = scan_message(repository, settings.section("checks"), [one.encode() for one in kept])
    if scanned:
        from review_gate.workflows.hook_checks import as_problem

        problems += map(as_problem, scanned.alarms)
    found = [("message", problem) for problem in problems]
    failures = tuple(f"checks: {failure}" for failure in scanned.failures) if scanned else ()
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
    command = git_command()[0]
    # `git commit -a` and `git commit FILE` hand their hooks an index of their own, which is gone when they are refused.
    if command is None or os.path.basename(os.environ.get("GIT_INDEX_FILE", "index")) != "index":
        return f"the same git commit, with {again} for the message"
    # A rebase that stops at a reword amends the commit that it has made already.
    is_amend = any(word.startswith("--am") for word in command)
    return f"git commit {'--amend ' if is_amend else ''}{again}"


def _again(repository: Repository, path: str) -> str:
    """The message file, from whichever folder the user types: git names it from the top."""
    if os.path.realpath(os.path.dirname(path)) == os.path.realpath(repository.git_dir):
        return f'"$(git rev-parse --git-path {os.path.basename(path)})"'
    return os.path.abspath(path)


def _read_message(git: Git, path: str) -> tuple[str, str]:
    """The message as it is meant, and as its bytes are."""
    try:
        data = read_plain_file(path, MAX_MESSAGE_BYTES)
    except UnsafeFileError as error:
        raise MisuseError(
            f"{path} cannot be read: {error}", why="it should hold the commit message", next_step="git commit"
        ) from None
    if data is None:
        raise MisuseError(f"{path} does not exist", why="it should hold the commit message", next_step="git commit")
    raw = data.decode("utf-8", "replace")
    # Git writes the bytes into the commit as they are, with the name of their encoding; few are not plainly UTF-8.
    is_plain = raw.encode() == data and ESCAPE not in data
    encoding = None if is_plain else git.line("config", "--get", "i18n.commitEncoding")
    if not encoding:
        return raw, raw
    from review_gate.checks.commit_text import readings

    return readings(data, encoding)[0].decode("utf-8", "replace"), raw


def _cleanup_mode(repository: Repository, text: str) -> str:
    # Few messages need to know, so the others do not pay for these imports.
    from review_gate.reviewers.cleanup_mode import Circumstances, cleanup_mode
    from review_gate.shell.parents import git_command

    command, outer_editor = git_command()
    where = Circumstances(
        editor=os.environ.get("GIT_EDITOR"),
        command=command,
        outer_editor=outer_editor,
        is_picking=any(os.path.exists(os.path.join(repository.git_dir, name)) for name in PICKING),
    )
    return cleanup_mode(text, repository.git.line("config", "--get", "commit.cleanup"), where)


def _comment_char(git: Git, text: str) -> str:
    # Git 2.45 knows the setting as commentString too.
    configured = git.line("config", "--get", "core.commentString") or git.line("config", "--get", "core.commentChar")
    if configured == "auto":
        return commit_message.chosen_comment_char(text)
    return configured or "#"
