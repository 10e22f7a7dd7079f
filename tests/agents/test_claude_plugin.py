"""The real Claude Code with our plugin: the same gate, and the same texts under their longer names."""

from __future__ import annotations

import pytest
from claude_code import PLUGIN, claude, installed, talk
from conftest import Repo
from scripted import say, shell, text_in

LOADED = ("--plugin-dir", str(PLUGIN))


@pytest.fixture
def plugged(repo: Repo) -> Repo:
    """A repository with the git hooks, and nothing of ours in the settings of Claude Code."""
    installed(repo)
    assert repo.gate("uninstall", "--claude").returncode == 0
    return repo


def test_a_push_without_a_review_is_refused(plugged: Repo) -> None:
    done = talk(plugged, ["push it"], [shell("bash -c 'git push'"), say("Refused.")], options=LOADED)
    assert done.results[0].startswith("PreToolUse:Bash hook error: blocked: No review state found.")


def test_its_ship_is_told_what_the_gate_says(plugged: Repo) -> None:
    done = talk(plugged, ["/review-gate:ship"], [say("Ship gate: BLOCKED")], options=LOADED)
    shown = text_in(done.script.requests[-1]["messages"])
    assert "Ship gate: BLOCKED. Show the user the blockers and the suggestion" in shown
    assert "Run no git\ncommand, start no subagent, and end." in shown


def test_hooks_and_plugin_together_say_it_once(repo: Repo) -> None:
    done = talk(installed(repo), ["push it"], [shell("git push"), say("Refused.")], options=LOADED)
    assert done.results[0].count("No review state found.") == 1
    assert repo.remote_ref("refs/heads/main") == repo.git("rev-parse", "HEAD~1")


@pytest.mark.parametrize("folder", [PLUGIN, PLUGIN.parent], ids=["plugin", "marketplace"])
def test_it_is_valid(repo: Repo, folder: object) -> None:
    done = claude(repo, "plugin", "validate", "--strict", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
