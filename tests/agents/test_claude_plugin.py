"""The real Claude Code with our plugin: the same gate, and the same texts under their longer names."""

from __future__ import annotations

import pytest
from claude_code import PLUGIN, claude, installed, talk
from conftest import Repo
from scripted import Part, say, shell, subagent, text_in

# How the instructions of that subagent are told from those of others.
SHIPPER = "Stage nothing yourself."
LOADED = ("--plugin-dir", str(PLUGIN))


@pytest.fixture
def plugged(repo: Repo) -> Repo:
    """A repository with the git hooks, and nothing of ours in the settings of Claude Code."""
    installed(repo)
    assert repo.gate("uninstall", "--claude").returncode == 0
    return repo


def test_a_push_without_a_review_is_refused_where_the_hook_of_git_is_gone(plugged: Repo) -> None:
    (plugged.path / ".git/hooks/pre-push").unlink()
    done = talk(plugged, ["push it"], [shell("bash -c 'git push'"), say("Refused.")], options=LOADED)
    assert done.results[0].startswith("PreToolUse:Bash hook error: blocked: No review state found.")


def test_its_ship_is_told_what_the_gate_says(plugged: Repo) -> None:
    done = talk(plugged, ["/review-gate:ship"], [say("Ship gate: BLOCKED")], options=LOADED)
    shown = text_in(done.script.requests[-1]["messages"])
    assert "Ship gate: BLOCKED. Show the user the blockers and the suggestion" in shown
    assert "Run no git command, start no subagent, and end." in shown


def test_its_subagents_are_called_by_its_name(plugged: Repo) -> None:
    steps = [
        subagent("git-agent", "Ship this branch"),
        subagent("review-gate:git-agent", "Ship this branch"),
        say("So."),
    ]
    done = talk(plugged, ["ship it"], Part(steps), Part([say("Nothing to ship.")], SHIPPER), options=LOADED)
    assert "'git-agent' not found" in done.results[0]
    assert "Nothing to ship." in done.results[1]


def test_it_protects_without_any_settings(plugged: Repo) -> None:
    done = talk(plugged, ["hello"], [say("Hello.")], options=LOADED)
    (said,) = done.hooks("SessionStart")
    assert said["hookSpecificOutput"]["additionalContext"].endswith("| protection complete")


def test_hooks_and_plugin_together_say_it_once(repo: Repo) -> None:
    done = talk(installed(repo), ["push it"], [shell("git push"), say("Refused.")], options=LOADED)
    assert done.results[0].count("No review state found.") == 1
    assert repo.remote_ref("refs/heads/main") == repo.git("rev-parse", "HEAD~1")


@pytest.mark.parametrize("folder", [PLUGIN, PLUGIN.parent], ids=["plugin", "marketplace"])
def test_it_is_valid(repo: Repo, folder: object) -> None:
    done = claude(repo, "plugin", "validate", "--strict", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
