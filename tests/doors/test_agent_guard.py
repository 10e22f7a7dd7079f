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


OURS = "what the gate decides by is not an agent's to change, or it would approve its own work"
GUARDED = (STATE, ".review-gate.yaml", ".git/hooks/pre-push", ".git/config", ".git/review-gate/x", "plan.md.approved")


def test_what_the_gate_decides_by_is_written_neither_by_a_tool_nor_by_a_shell(asked: Session) -> None:
    full = str(asked.repo.path / ".git/hooks/pre-push")
    words = "a hook of git's, or the folder of them"
    assert asked.tool("Write", file_path=full, content="{}") == (
        f"blocked: {full} is {words}\n  why:   {OURS}\n  next:  ask the user to do it, and say what for"
    )
    for path in GUARDED:
        assert asked.tool("Write", file_path=path, content="{}").startswith(f"blocked: {path} is "), path
        for command in ("rm -rf {}", "echo x > {}", "sed -i s/a/b/ {}", "cd docs; tee -a ../{} < a"):
            assert f"{path} is " in asked.shell(command.format(path)), (command, path)


ORDINARY = (
    *("app.py", "settings.json", "docs/plan.md", ".github/workflows/ci.yml", ".claude/notes.md", ".gitignore"),
    *("CLAUDE.md", ".git/index.lock", ".git/worktrees/other/HEAD", "src/hooks/use.ts"),
)
ORDINARY_LINES = (
    *("rm -rf *.log build/*.json $TMP", 'rm -rf "$OUT/hooks"', "rm -f .git/*.lock", "find . -name '*.pyc' -delete"),
    *("cp -t .claude docs/notes.md", "mv template/* template/.* .", "cat .git/config > x", "cp .git/config /tmp/x"),
    *("sed -i 's/git push/git push origin/' docs/plan.md", "for tool in $TOOLS; do $tool --version; done # git"),
    *("python3 -c \"open('README.md', 'a').write('use it')\" # git", "git config core.editor vim", "git add .claude"),
)


def test_other_files_and_lines_are_the_agents_business(asked: Session) -> None:
    for path in ORDINARY:
        assert asked.tool("Write", file_path=str(asked.repo.path / path), content="x") == "", path
        assert asked.shell(f"echo x > {path}; rm -f {path}") == "", path
    for line in ORDINARY_LINES:
        assert asked.shell(line) == "", line


def test_a_link_leads_to_what_it_leads_to(session: Session) -> None:
    os.symlink(".git/hooks/pre-push", session.repo.path / "notes.txt")
    assert session.tool("Write", file_path="notes.txt", content="x").startswith("blocked: notes.txt is a hook of git's")


def test_tool_of_one_repository_does_not_write_the_hooks_of_another(asked: Session, tmp_path: Path) -> None:
    elsewhere = Session(Repo(tmp_path, asked.repo.environ))
    path = str(asked.repo.path / ".git/hooks/pre-push")
    assert elsewhere.tool("Write", file_path=path, content="").startswith(f"blocked: {path} is a hook of git's")


def test_settings_of_the_user_are_guarded(asked: Session) -> None:
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


LOST: dict[str, Any] = {
    "all of it": lambda found: {},
    "one hook": without_hook,
    "its matcher": with_other_matcher,
    "all hooks switched off": lambda found: {**found, "disableAllHooks": True},
    "a wrong shape": lambda found: {**found, "hooks": {**found["hooks"], "PermissionRequest": "x"}},
}


def test_settings_that_would_no_longer_register_us_are_refused(asked: Session) -> None:
    for name, change in LOST.items():
        content = json.dumps(change(settings(asked)))
        refusal = asked.tool("Write", file_path=SETTINGS, content=content)
        assert refusal.startswith(f"blocked: {SETTINGS} is where Claude Code is told to ask review-gate\n"), name


def test_agent_does_not_change_in_which_environment_we_are_started(asked: Session) -> None:
    for name in ("PATH", "HOME", "GIT_CONFIG_GLOBAL", "REVIEW_GATE_CONFIG", "path"):
        content = json.dumps({**settings(asked), "env": {name: "/tmp"}})
        assert asked.tool("Write", file_path=SETTINGS, content=content).startswith("blocked: "), name
    content = json.dumps({**settings(asked), "env": {"EDITOR": "vi"}})
    assert asked.tool("Write", file_path=SETTINGS, content=content) == ""


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
