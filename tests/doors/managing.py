"""What doctor and status say of hooks that a script or a hook manager runs."""

from __future__ import annotations

from conftest import Repo
from installing import HOOKS

from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine

CALL = 'review-gate hook pre-push "$@"'
NOT_PLAIN = f"line 2 is more than the plain call: {CALL}"


def notes(repo: Repo) -> tuple[str, ...]:
    return examine(open_repository(str(repo.path))).notes


def hooks_row(repo: Repo) -> str:
    return next(line for line in repo.gate("status").stdout.splitlines() if line.startswith("hooks"))


def by_way_of(name: str, limit: str = "") -> tuple[str, ...]:
    return tuple(f"{hook} runs by way of {name}{limit if hook == 'pre-push' else ''}" for hook in HOOKS)


def told_of_push(repo: Repo) -> list[str]:
    """What the doctor says against the pre-push hook."""
    return told_of_push_with_notes(repo)[0]


def told_of_push_with_notes(repo: Repo) -> tuple[list[str], tuple[str, ...]]:
    """The same, and what it says of hooks that others run."""
    found = examine(open_repository(str(repo.path)))
    return [one.what for one in found.complaints if one.what.startswith("pre-push")], found.notes


def lost(file: str, why: str) -> list[str]:
    return [f"pre-push: {file} calls our hook, but its verdict may be lost: {why}"]


def nobody(repo: Repo, whose: str = "another") -> list[str]:
    return [f"pre-push: {whose} hook stands in {repo.path}/.git/hooks, ours does not run"]
