"""The time stamp that an agent's SessionStart hook leaves, and what is said about it."""

from __future__ import annotations

from conftest import Repo

from review_gate.shell.heartbeat import forget_heartbeat, last_heartbeat, leave_heartbeat, shown_age
from review_gate.shell.repository import open_repository

NOW = 1_790_000_000


def test_heartbeat_is_kept_per_agent_and_forgotten(gated: Repo) -> None:
    repository = open_repository(str(gated.path))
    assert last_heartbeat(repository, "claude") is None
    leave_heartbeat(repository, "claude", NOW + 0.9)
    leave_heartbeat(repository, "codex", NOW + 5)
    assert (last_heartbeat(repository, "claude"), last_heartbeat(repository, "codex")) == (NOW, NOW + 5)
    for agent in ("claude", "codex", "gemini"):
        forget_heartbeat(repository.own_path(""), agent)
    assert not (gated.path / ".git/review-gate/heard").exists()


def test_heartbeat_writes_nothing_in_a_repository_without_review_gate(repo: Repo) -> None:
    repository = open_repository(str(repo.path))
    leave_heartbeat(repository, "claude", NOW)
    assert not (repo.path / ".git/review-gate").exists()


def test_heartbeat_fails_silently_when_it_cannot_be_written_or_read(gated: Repo) -> None:
    repository = open_repository(str(gated.path))
    gated.write(".git/review-gate/heard", "a file in the place of the folder")
    leave_heartbeat(repository, "claude", NOW)
    assert last_heartbeat(repository, "claude") is None
    (gated.path / ".git/review-gate/heard").unlink()
    for content in ("", "soon", "9" * 100):
        gated.write(".git/review-gate/heard/claude", content)
        assert last_heartbeat(repository, "claude") is None


def test_age_is_shown_in_few_words() -> None:
    assert shown_age(NOW, NOW + 59) == "heard 0 min ago"
    assert shown_age(NOW, NOW + 3_540) == "heard 59 min ago"
    assert shown_age(NOW, NOW + 7_300) == "heard 2 h ago"
    assert shown_age(NOW, NOW + 86_400) == "not heard of since 2026-09-21 14:13 UTC"
    assert shown_age(NOW, NOW - 500) == "heard 0 min ago"
