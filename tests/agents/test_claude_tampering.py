"""The real Claude Code and whoever would take the gate away: refused, or kept for the session."""

from __future__ import annotations

import json

import pytest
from claude_code import installed, talk
from conftest import Repo
from scripted import Block, say, shell, use

SETTINGS = ".claude/settings.json"
STATE = ".claude/skills/code-review/loop-state.json"


def tampering(repo: Repo) -> dict[str, list[Block]]:
    """What an agent might try."""
    return {
        "settings rewritten": use("Write", file_path=f"{repo.path}/{SETTINGS}", content="{}"),
        "settings read, then edited": use(
            "Edit",
            file_path=f"{repo.path}/{SETTINGS}",
            old_string="hook claude",
            new_string="hook nobody",
            replace_all=True,
        ),
        "local settings": use(
            "Write", file_path=f"{repo.path}/.claude/settings.local.json", content='{"disableAllHooks": true}'
        ),
        "settings by a shell": shell(f"echo '{{}}' > {SETTINGS}"),
        "settings removed": shell(f"rm -f {SETTINGS}"),
        "a hook of git's": use("Write", file_path=f"{repo.path}/.git/hooks/pre-push", content="#!/bin/sh\n"),
        "the hooks by a shell": shell("rm -rf .git/hooks"),
        "another hooks folder": shell("git config core.hooksPath /dev/null"),
        "the state": use("Write", file_path=f"{repo.path}/{STATE}", content='{"ship_allowed": true}'),
        "the state by a shell": shell(f"mkdir -p {STATE.rpartition('/')[0]}; echo '{{}}' > {STATE}"),
        "our settings": use("Write", file_path=f"{repo.path}/.review-gate.yaml", content="models: off\n"),
        "a record": shell("git update-ref refs/review-gate/commits/x HEAD"),
        "the hooks left out": shell("git push --no-verify"),
        "another protocol": shell("git send-pack ../repo.git main"),
        "taken out": shell("review-gate uninstall --claude"),
    }


def test_no_way_takes_the_gate_away(repo: Repo) -> None:
    installed(repo)
    ways = tampering(repo)
    read = use("Read", file_path=f"{repo.path}/{SETTINGS}")
    before = {name: (repo.path / name).read_bytes() for name in (SETTINGS, ".git/hooks/pre-push", ".git/config")}
    done = talk(repo, ["try it"], [read, *ways.values(), say("Nothing worked.")])
    answers = dict(zip(ways, done.results[1:], strict=True))
    assert {name: said for name, said in answers.items() if "hook error: blocked: " not in said} == {}
    assert {name: (repo.path / name).read_bytes() for name in before} == before
    assert not (repo.path / STATE).exists()
    assert not (repo.path / ".claude/settings.local.json").exists()
    assert repo.remote_ref("refs/heads/main") == repo.git("rev-parse", "HEAD~1")


# Nothing in the line that runs it tells of what it does; the pause is for the program to see it.
TIDY = "import pathlib\npathlib.Path('.claude', 'settings' + '.json').write_text('{}')\n"
TIDYING = [shell("python3 tidy.py; sleep 3"), shell("git push"), say("Refused.")]


def test_hooks_that_are_taken_out_behind_its_back_stay_for_the_session(repo: Repo) -> None:
    installed(repo).write("tidy.py", TIDY)
    done = talk(repo, ["tidy up"], [TIDYING[0], shell("git push --no-verify"), say("Refused.")])
    assert (repo.path / SETTINGS).read_text() == "{}"
    assert done.results[1].startswith("PreToolUse:Bash hook error: blocked: `git push --no-verify` skips git's hooks")


def test_without_that_hook_only_the_one_of_git_is_left_and_it_refuses(repo: Repo) -> None:
    installed(repo).write("tidy.py", TIDY)
    settings = json.loads((repo.path / SETTINGS).read_text())
    del settings["hooks"]["ConfigChange"]
    repo.write(SETTINGS, json.dumps(settings))
    done = talk(repo, ["tidy up"], TIDYING)
    assert done.results[1].startswith("Exit code 1\nblocked: No review state found.")
    assert "error: failed to push some refs" in done.results[1]


@pytest.mark.parametrize(
    "own", ['{"model": "opus", "hooks": {}}', '{\n\t"permissions": {"allow": ["Bash(ls *)"]}\n}\n']
)
def test_uninstall_leaves_every_byte_of_the_settings(repo: Repo, own: str) -> None:
    repo.write(SETTINGS, own)
    installed(repo)
    assert json.loads((repo.path / SETTINGS).read_text())["hooks"]["PreToolUse"]
    talk(repo, ["hello"], [say("Hello.")])
    done = repo.gate("uninstall", "--claude")
    assert done.returncode == 0, done.stderr
    assert (repo.path / SETTINGS).read_text() == own
    assert not (repo.path / ".claude/commands").exists()
    after = talk(repo, ["push it"], [shell("git push --dry-run"), say("Done.")])
    assert "hook error" not in after.results[0]
