"""What the gate decides by is written by no agent: neither by its tools nor through a shell."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from deciding import Session, shared

STATE = ".claude/skills/code-review/loop-state.json"
SETTINGS = ".claude/settings.json"


def registered(repo: Repo) -> Session:
    """A session in a repository in which everything is installed."""
    assert repo.gate("install").returncode == 0
    assert repo.gate("install", "--claude").returncode == 0
    return Session(repo)


@pytest.fixture
def session(repo: Repo) -> Session:
    return registered(repo)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """The same for all tests that only ask: whatever is answered, nothing is written."""
    return registered(shared(tmp_path_factory.mktemp("asked"), templates))


GUARDED = {
    STATE: "the state of the latest review",
    ".review-gate.yaml": "a setting of review-gate",
    ".review-gate/policies.json": "a setting of review-gate",
    ".review-gate-baseline.json": "a setting of review-gate",
    ".git/hooks/pre-push": "a hook of git's, or the folder of them",
    ".git/config": "a setting of git's, which can lead it away from its hooks",
    ".git/review-gate/policy.json": "what review-gate keeps of reviews",
    ".git/refs/review-gate/commits/1": "where git keeps refs, those of reviews among them",
    ".git/packed-refs": "where git keeps refs, those of reviews among them",
    ".git/modules/lib/a/hooks/pre-push": "a hook of git's, or the folder of them",
    ".git/modules/lib/config": "a setting of git's, which can lead it away from its hooks",
    ".git/modules/lib/refs/review-gate": "where git keeps refs, those of reviews among them",
    ".git/worktrees/other/review-gate/state.json": "what review-gate keeps of reviews",
    ".git/worktrees/other/config.worktree": "a setting of git's, which can lead it away from its hooks",
    ".git": "where git keeps the repository, its hooks and reviews among it",
    "docs/plan.md.approved": "the approval of a plan",
    "./sub/../.git/hooks/commit-msg": "a hook of git's, or the folder of them",
}
OURS = "what the gate decides by is not an agent's to change, or it would approve its own work"


@pytest.mark.parametrize(("path", "words"), GUARDED.items(), ids=GUARDED)
@pytest.mark.parametrize("is_absolute", [True, False], ids=["absolute", "relative"])
def test_a_tool_does_not_write_what_the_gate_decides_by(
    asked: Session, path: str, words: str, is_absolute: bool
) -> None:
    named = str(asked.repo.path / path) if is_absolute else path
    refusal = asked.tool("Write", file_path=named, content="{}")
    assert refusal == (
        f"blocked: {named} is {words}\n  why:   {OURS}\n  next:  ask the user to do it, and say what for"
    )


@pytest.mark.parametrize("path", [*GUARDED, SETTINGS, ".claude", ".git/hooks"])
@pytest.mark.parametrize("command", ["rm -rf {}", "echo x > {}", "mv {} /tmp", "sed -i s/a/b/ {}", "tee -a {} < a"])
def test_a_shell_does_not_either(asked: Session, command: str, path: str) -> None:
    assert asked.shell(command.format(path)).startswith(f"blocked: {path} is ")


@pytest.mark.parametrize(
    "command",
    [
        "cp old/.review-gate.yaml .",
        "mv ../.review-gate.yaml ./",
        "ln -s a/.review-gate.yaml",
        "cp -t . x/.review-gate.yaml",
    ],
)
def test_a_file_that_is_put_into_a_folder_has_its_name_there(asked: Session, command: str) -> None:
    assert ".review-gate.yaml is a setting of review-gate\n" in asked.shell(command)


def test_a_pattern_of_submodules_is_about_their_hooks_too(asked: Session) -> None:
    assert asked.shell("rm -f .git/modules/*/hooks/pre-push").startswith(
        "blocked: .git/modules/.../hooks/pre-push is a hook of git's, or the folder of them\n"
    )


@pytest.mark.parametrize(
    "path",
    [
        "app.py",
        "settings.json",
        "docs/plan.md",
        ".github/workflows/ci.yml",
        ".claude/notes.md",
        ".gitignore",
        "CLAUDE.md",
        ".git/modules/lib/index.lock",
        ".git/modules/lib/refs/heads/old",
        ".git/modules/config",
        ".git/worktrees/other/HEAD",
    ],
)
def test_other_files_are_the_agents_business(asked: Session, path: str) -> None:
    assert asked.tool("Write", file_path=str(asked.repo.path / path), content="x") == ""
    assert asked.tool("Edit", file_path=path, old_string="a", new_string="b") == ""
    assert asked.shell(f"echo x > {path}; rm -f {path}") == ""


def test_a_link_leads_to_what_it_leads_to(session: Session) -> None:
    os.symlink(".git/hooks/pre-push", session.repo.path / "notes.txt")
    assert session.tool("Write", file_path="notes.txt", content="x").startswith("blocked: notes.txt is a hook of git's")


def test_a_state_file_elsewhere_and_a_hooks_folder_elsewhere_are_guarded_too(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "state_file: build/state.json\n")
    repo.git("config", "core.hooksPath", "tools/githooks")
    session = Session(repo)
    assert session.tool("Write", file_path="build/state.json", content="x").startswith("blocked: ")
    assert session.tool("Write", file_path="tools/githooks/pre-push", content="x").startswith("blocked: ")
    assert session.tool("Write", file_path="build/other.json", content="x") == ""


def test_the_settings_of_the_user_are_guarded(asked: Session) -> None:
    path = Path(asked.repo.environ["XDG_CONFIG_HOME"]) / "review-gate/config.yaml"
    assert asked.tool("Write", file_path=str(path), content="x").startswith("blocked: ")
    assert asked.shell(f"echo x > {path}").startswith("blocked: ")


def settings(session: Session) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((session.repo.path / SETTINGS).read_text())
    return found


def test_settings_of_the_agent_may_change_as_long_as_they_register_us(asked: Session) -> None:
    more = settings(asked) | {"permissions": {"allow": ["Bash(ls:*)"]}}
    assert asked.tool("Write", file_path=SETTINGS, content=json.dumps(more)) == ""
    assert asked.tool("Edit", file_path=SETTINGS, old_string='"timeout": 20', new_string='"timeout": 20') == ""


def without_hook(found: dict[str, Any]) -> dict[str, Any]:
    found["hooks"].pop("PreToolUse")
    return found


def with_other_matcher(found: dict[str, Any]) -> dict[str, Any]:
    found["hooks"]["PreToolUse"][0]["matcher"] = "Nothing"
    return found


LOST = {
    "all of it": lambda found: {},
    "one hook": without_hook,
    "its matcher": with_other_matcher,
    "all hooks switched off": lambda found: {**found, "disableAllHooks": True},
    "a wrong shape": lambda found: {**found, "hooks": {**found["hooks"], "PermissionRequest": "x"}},
}


@pytest.mark.parametrize("change", LOST.values(), ids=LOST)
def test_settings_that_would_no_longer_register_us_are_refused(asked: Session, change: Any) -> None:
    content = json.dumps(change(settings(asked)))
    refusal = asked.tool("Write", file_path=SETTINGS, content=content)
    assert refusal.startswith(f"blocked: {SETTINGS} is where Claude Code is told to ask review-gate\n")


def test_an_edit_that_takes_us_out_is_refused(asked: Session) -> None:
    for old, new in (("PreToolUse", "PostToolUse"), ("review-gate hook", "true hook"), ("block", "allow")):
        given = {"file_path": SETTINGS, "old_string": old, "new_string": new, "replace_all": True}
        assert asked.tool("Edit", **given).startswith("blocked: ")
        pieces = {"edits": [{"old_string": old, "new_string": new, "replace_all": True}]}
        assert asked.tool("MultiEdit", file_path=SETTINGS, **pieces).startswith("blocked: ")
    assert asked.tool("Write", file_path=SETTINGS, content="no JSON").startswith("blocked: ")


def test_switching_all_hooks_off_in_the_local_settings_is_refused(asked: Session) -> None:
    local = ".claude/settings.local.json"
    assert asked.tool("Write", file_path=local, content='{"disableAllHooks": true}').startswith("blocked: ")
    assert asked.tool("Write", file_path=local, content='{"model": "opus"}') == ""


def test_what_switched_the_hooks_off_is_named_where_no_install_would_mend_it(session: Session) -> None:
    path = session.repo.path / ".claude/settings.local.json"
    path.write_text('{"disableAllHooks": true}')
    said = session.answered("ConfigChange", source="local_settings", file_path=str(path))
    assert ".claude/settings.local.json: disableAllHooks is true" in said["reason"]
    assert said["reason"].endswith("Restore it: review-gate doctor names the command")
    assert "next: take that out of .claude/settings.local.json" in session.repo.gate("doctor").stdout
    path.unlink()
    assert session.answered("ConfigChange", source="local_settings", file_path=str(path)) == {}


def test_a_session_keeps_the_hooks_that_were_taken_out_behind_its_back(session: Session) -> None:
    path = session.repo.path / SETTINGS
    assert session.answered("ConfigChange", source="project_settings", file_path=str(path)) == {}
    path.write_text("{}")
    said = session.answered("ConfigChange", source="project_settings", file_path=str(path))
    assert said["decision"] == "block"
    assert said["reason"].startswith("review-gate: this change would take the gate out of the session: ")
    assert said["reason"].endswith("Restore it: review-gate doctor names the command")
    assert "next: review-gate install --claude --project\n" in session.repo.gate("doctor").stdout
    assert session.repo.gate("install", "--claude", "--project").returncode == 0
    assert session.answered("ConfigChange", source="project_settings", file_path=str(path)) == {}


def test_hooks_that_are_switched_off_locally_are_seen(session: Session) -> None:
    session.repo.write(".claude/settings.local.json", '{"disableAllHooks": true}')
    said = session.answered("ConfigChange", source="local_settings", file_path=".claude/settings.local.json")
    assert "disableAllHooks" in said["reason"]


def test_a_session_that_begins_with_everything_in_place_says_so(session: Session) -> None:
    session.repo.commit("settings")
    session.repo.review()
    said = session.answered("SessionStart", source="startup")
    line = f"review-gate: gate open: Commit {session.repo.head[:8]} passed its review. | protection complete"
    assert said == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": line}}
