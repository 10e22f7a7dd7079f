"""Which files an agent must not write, by their names alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from review_gate.shell.guarded import (
    GIT_WORDS,
    HOOK_WORDS,
    KEPT_WORDS,
    MARKER_WORDS,
    PLAN_RULE_WORDS,
    PLAN_STATE_WORDS,
    PROGRAM_WORDS,
    REF_WORDS,
    REGISTRATION_WORDS,
    REPOSITORY_WORDS,
    SETTINGS_WORDS,
    STATE_WORDS,
    UNKNOWN,
    guarded_name,
    was_installed,
)

HOME = {"HOME": "/home/me", "PATH": "/usr/bin:/opt/bin"}
CLAUDE = REGISTRATION_WORDS.format("Claude Code")
IN_REPOSITORY = {
    ".claude/skills/code-review/loop-state.json": STATE_WORDS,
    ".review-gate.yaml": SETTINGS_WORDS,
    ".review-gate.yml": SETTINGS_WORDS,
    ".review-gate/policies.json": SETTINGS_WORDS,
    ".review-gate-baseline.json": SETTINGS_WORDS,
    ".git": REPOSITORY_WORDS,
    ".git/hooks": HOOK_WORDS,
    ".git/hooks/pre-push": HOOK_WORDS,
    ".GIT/Hooks/Pre-Push": HOOK_WORDS,
    "./sub/../.git/hooks/commit-msg": HOOK_WORDS,
    f".git/hooks/{UNKNOWN}": HOOK_WORDS,
    "tools/githooks/pre-push": HOOK_WORDS,
    ".husky/pre-push": HOOK_WORDS,
    ".git/config": GIT_WORDS,
    ".git/review-gate/policy.json": KEPT_WORDS,
    ".git/refs": REF_WORDS,
    ".git/refs/review-gate/commits/1": REF_WORDS,
    ".git/packed-refs": REF_WORDS,
    ".git/modules/lib/a/hooks/pre-push": HOOK_WORDS,
    ".git/modules/lib/config": GIT_WORDS,
    ".git/modules/lib/refs/review-gate": REF_WORDS,
    ".git/worktrees/other/review-gate/state.json": KEPT_WORDS,
    ".git/worktrees/other/config.worktree": GIT_WORDS,
    ".claude": CLAUDE,
    ".claude/settings.json": CLAUDE,
    ".claude/settings.local.json": CLAUDE,
    ".codex/hooks.json": REGISTRATION_WORDS.format("Codex"),
}
OF_USER = {
    "/repo/docs/plan.md.approved": MARKER_WORDS,
    f"/repo/docs/{UNKNOWN}.APPROVED": MARKER_WORDS,
    "/home/me/.config/review-gate/config.yaml": SETTINGS_WORDS,
    "/home/me/.gitconfig": GIT_WORDS,
    "/home/me/.config/git/config": GIT_WORDS,
    "/home/me/.claude/checks/global-checks.yaml": PLAN_RULE_WORDS,
    "/home/me/.claude/reviewers.yaml": PLAN_RULE_WORDS,
    "/home/me/.claude/settings.json": CLAUDE,
    "/opt/bin/review-gate": PROGRAM_WORDS,
}
NOT_GUARDED = (
    *("app.py", "settings.json", "docs/plan.md", ".github/workflows/ci.yml", ".claude/notes.md", ".gitignore"),
    *(".git/index.lock", ".git/modules/lib/index.lock", ".git/refs/heads/old", ".git/worktrees/other/HEAD"),
    *(f".git/{UNKNOWN}", f"{UNKNOWN}/x", "src/hooks/use.ts", "hooks/readme.md", "docs/pre-push", "state.yaml", ""),
)


@pytest.mark.parametrize(("path", "words"), IN_REPOSITORY.items(), ids=map(repr, IN_REPOSITORY))
def test_file_of_a_repository_is_guarded_by_its_name(path: str, words: str) -> None:
    assert guarded_name(f"/repo/{path}", HOME) == (words, True)


@pytest.mark.parametrize(("path", "words"), OF_USER.items(), ids=map(repr, OF_USER))
def test_file_of_the_user_is_guarded_by_its_name(path: str, words: str) -> None:
    assert guarded_name(path, HOME) == (words, False)


@pytest.mark.parametrize("path", NOT_GUARDED)
def test_other_file_is_not_guarded(path: str) -> None:
    assert guarded_name(f"/repo/{path}", HOME) == ("", False)


def test_link_is_guarded_by_what_it_leads_to(tmp_path: Path) -> None:
    os.symlink(".git/hooks/pre-push", tmp_path / "notes.txt")
    assert guarded_name(str(tmp_path / "notes.txt"), HOME) == (HOOK_WORDS, True)


def test_answers_of_a_plan_review_are_guarded_beside_the_plan(tmp_path: Path) -> None:
    path = str(tmp_path / "tax.state.yaml")
    assert guarded_name(path, HOME) == ("", False)
    (tmp_path / "tax.md").touch()
    assert guarded_name(path, HOME) == (PLAN_STATE_WORDS, False)


@pytest.mark.parametrize("file", [".git/review-gate/install.json", ".git/review-gate/agents.json", ".review-gate.yaml"])
def test_repository_with_a_record_or_settings_was_installed(tmp_path: Path, file: str) -> None:
    (tmp_path / ".git/review-gate").mkdir(parents=True)
    (tmp_path / ".git/review-gate/policy.json").touch()
    assert not was_installed(str(tmp_path), str(tmp_path / ".git"))
    (tmp_path / file).touch()
    assert was_installed(str(tmp_path), str(tmp_path / ".git"))


def test_repository_whose_shared_files_name_review_gate_was_installed(tmp_path: Path) -> None:
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: []\n")
    assert not was_installed(str(tmp_path), str(tmp_path / ".git"))
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: [review-gate]\n")
    assert was_installed(str(tmp_path), str(tmp_path / ".git"))
