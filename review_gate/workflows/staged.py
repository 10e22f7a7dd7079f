"""The fast reviewers over what git is about to commit: the index it names, never the disk, never a stash."""

from __future__ import annotations

from review_gate.errors import GitError
from review_gate.reviewers.result import HookResult
from review_gate.shell.changes import changed_in_index
from review_gate.shell.file_pass import FilePass
from review_gate.workflows.policy import policy_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.changes import Change
    from review_gate.shell.repository import Repository


def review_staged(repository: Repository) -> HookResult:
    """What the embedded reviewers say of the staged changes."""
    changes = _staged_changes(repository)
    files = FilePass(policy_in_force(repository).config)
    if changes:
        files.review(repository.git, changes)
    problems = [found for reviewer in files.problems.values() for found in reviewer]
    failures = tuple(f"{reviewer}: {why}" for reviewer, why in files.failures.items())
    next_step = "fix the files, git add them, git commit again"
    if failures and not problems:
        next_step = "exclude those files from the reviewer or raise its limit in .review-gate.yaml, git commit again"
    return HookResult("the staged files", problems, next_step=next_step, failures=failures)


def _staged_changes(repository: Repository) -> list[Change]:
    git = repository.git
    try:
        return changed_in_index(git, "HEAD")
    except GitError:
        # Before the first commit HEAD names nothing, and everything staged is new.
        if git.line("rev-parse", "--verify", "--quiet", "HEAD") is not None:
            raise
    empty_tree = git.run("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
    return changed_in_index(git, empty_tree)
