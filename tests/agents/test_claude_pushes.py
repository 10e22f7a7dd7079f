"""The real Claude Code and pushes: refused without a review, in every spelling, and let through after one."""

from __future__ import annotations

import pytest
from claude_code import installed, talk
from conftest import Repo
from scripted import say, shell

SPELLINGS = (
    "git push",
    "cd . && git push origin main",
    "bash -c 'git push'",
    "git -C . push",
    "env X=1 /usr/bin/git push",
    "timeout 5 git push origin HEAD:main",
)
REFUSED = "blocked: No review state found. Run /review before shipping."


def test_the_door_refuses_a_push_where_the_hook_of_git_is_gone(repo: Repo) -> None:
    (installed(repo).path / ".git/hooks/pre-push").unlink()
    done = talk(repo, ["push it"], [shell("git push"), say("It was refused.")])
    assert done.results[0].startswith(f"PreToolUse:Bash hook error: {REFUSED}")


def test_no_spelling_pushes_what_was_not_reviewed(repo: Repo) -> None:
    done = talk(installed(repo), ["push it"], [*map(shell, SPELLINGS), say("It was refused.")])
    assert len(done.results) == len(SPELLINGS)
    for result in done.results:
        # Git's own hook refuses it: the door leaves a push to that.
        assert result.startswith("Exit code 1"), result
        assert REFUSED in result
        assert "review-gate run" in result
    assert repo.remote_ref("refs/heads/main") == repo.git("rev-parse", "HEAD~1")
    assert done.answers == ["It was refused."]


@pytest.mark.parametrize("command", SPELLINGS)
def test_a_reviewed_commit_is_pushed(repo: Repo, command: str) -> None:
    steps = [shell("review-gate run --yes"), shell(command), say("It is pushed.")]
    done = talk(installed(repo), ["review it and push it"], steps)
    assert "ship: approved" in done.results[0], done.results
    assert repo.remote_ref("refs/heads/main") == repo.head
