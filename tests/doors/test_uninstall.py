"""Uninstall restores every byte; an installation that is gone refuses every push."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Repo
from framework import EXAMPLE, manager
from installing import (
    HOOKS,
    NO_REF_LIST,
    PROJECT,
    RECORDER,
    assert_gated,
    assert_not_gated,
    hook_file,
    hooks_in,
    install,
    snapshot,
    uninstall,
    venv_at,
)

pytestmark = pytest.mark.usefixtures("same_world")

# Uninstall


def _hooks_of_every_kind(repo: Repo) -> None:
    hook_file(repo, "pre-push", RECORDER, mode=0o700)
    hook_file(repo, "commit-msg", "not executable", mode=0o640)
    (repo.path / ".git/hooks/pre-commit").symlink_to("/usr/bin/true")
    hook_file(repo, "reference-transaction", "#!/bin/sh\nexit 0\n", mode=0o555)


def _dangling_links(repo: Repo) -> None:
    (repo.path / ".git/hooks/pre-push").symlink_to("../../nowhere")


def _directory_in_place_of_a_hook(repo: Repo) -> None:
    repo.write(".git/hooks/pre-push/README", "why not")


def test_only_a_whole_line_of_ours_leaves_the_exclude_file(repo: Repo) -> None:
    install(repo)
    file = repo.path / ".git/info/exclude"
    file.write_text(file.read_text() + "sub/.claude/skills/code-review/loop-state.json\n")
    uninstall(repo)
    lines = file.read_text().splitlines()
    assert lines[-1] == "sub/.claude/skills/code-review/loop-state.json"
    assert "/.claude/skills/code-review/loop-state.json" not in lines


def _no_hooks_directory(repo: Repo) -> None:
    shutil.rmtree(repo.path / ".git/hooks")


def _no_info_directory(repo: Repo) -> None:
    shutil.rmtree(repo.path / ".git/info")


def _no_exclude_file(repo: Repo) -> None:
    (repo.path / ".git/info/exclude").unlink()


def _empty_exclude_file(repo: Repo) -> None:
    repo.write(".git/info/exclude", "")


def _exclude_without_final_newline(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*.bak")


def _private_exclude_file(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*.bak\n").chmod(0o600)


def _linked_exclude_file(repo: Repo) -> None:
    repo.write(".git/my-exclude", "*.bak\n")
    (repo.path / ".git/info/exclude").unlink()
    (repo.path / ".git/info/exclude").symlink_to("../my-exclude")


def _state_file_ignored_already(repo: Repo) -> None:
    repo.write(".gitignore", ".claude/\n")


def _relative_hooks_path(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "team/git/hooks")


def _both(*steps: Callable[[Repo], None]) -> Callable[[Repo], None]:
    def prepare(repo: Repo) -> None:
        for step in steps:
            step(repo)

    return prepare


KINDS = {
    "plain repository": _both(),
    "hooks of every kind": _both(_hooks_of_every_kind, _exclude_without_final_newline),
    "what is no hook": _both(_directory_in_place_of_a_hook, _private_exclude_file),
    "dangling links": _both(_dangling_links, _linked_exclude_file),
    "no folders": _both(_no_hooks_directory, _no_info_directory),
    "relative hooks path": _both(_relative_hooks_path, _no_exclude_file),
    "state file ignored already": _both(_state_file_ignored_already, _empty_exclude_file),
}


@pytest.mark.parametrize("prepare", KINDS.values(), ids=KINDS)
def test_uninstall_restores_every_byte_and_mode(repo: Repo, prepare: Callable[[Repo], None]) -> None:
    prepare(repo)
    before = snapshot(repo.path)
    install(repo, with_watcher=True)
    install(repo)
    assert snapshot(repo.path) != before
    uninstall(repo)
    assert snapshot(repo.path) == before


def test_uninstall_finds_the_hooks_of_an_earlier_hooks_path_too(repo: Repo) -> None:
    before = snapshot(repo.path / ".git/hooks")
    install(repo)
    repo.git("config", "core.hooksPath", str(repo.path / ".git/newer"))
    install(repo)
    assert uninstall(repo) == [
        f"{repo.path}/.git/{folder}: {hook}: removed"
        for folder in ("hooks", "newer")
        for hook in ("pre-commit", "commit-msg", "pre-push")
    ]
    assert snapshot(repo.path / ".git/hooks") == before
    assert not (repo.path / ".git/newer").exists()


def test_uninstall_leaves_nothing_of_ours_but_the_records(published: Repo) -> None:
    published.git("worktree", "add", "--quiet", "../linked")
    Repo(published.path.parent / "linked", published.environ).review("--scope", "all")
    record = f"refs/review-gate/commits/{published.head}"
    uninstall(published)
    ours = [path for path in (published.path / ".git").rglob("review-gate") if "refs" not in path.parts]
    assert ours == []
    assert published.git("for-each-ref", "--format=%(refname)", "refs/review-gate") == record


def test_a_review_from_before_uninstall_still_counts_after_installing_again(gated: Repo) -> None:
    gated.review()
    uninstall(gated)
    install(gated)
    assert_not_gated(gated)


@pytest.mark.parametrize("existing", [None, RECORDER], ids=["no hook before", "a hook before"])
def test_uninstall_works_after_pre_commit_moved_our_hooks_to_legacy(repo: Repo, existing: str | None) -> None:
    if existing:
        hook_file(repo, "pre-push", existing)
    shutil.copy(EXAMPLE, repo.path)
    install(repo)
    manager(repo, "install")
    assert (repo.path / ".git/hooks/pre-push.legacy").read_bytes().startswith(b"#!/bin/sh\n# review-gate shim")
    uninstall(repo)
    assert hooks_in(repo) == set(HOOKS) | ({"pre-push.legacy"} if existing else set())
    if existing:
        assert (repo.path / ".git/hooks/pre-push.legacy").read_text() == existing
    assert b"generated by pre-commit" in (repo.path / ".git/hooks/pre-push").read_bytes()


# When the installation is gone


def gone(python: Path | str, hook: str) -> str:
    return (
        "blocked: review-gate is no longer where it was installed\n"
        f"  why:   {python} or its review-gate package is gone, so nobody can judge this {hook}\n"
        "  next:  install review-gate again and run: review-gate install\n"
    )


def test_a_push_is_refused_when_the_virtual_environment_was_deleted(repo: Repo, tmp_path: Path) -> None:
    name = 'it\'s a "quoted" $(x)'
    python = venv_at(tmp_path / name)
    assert repo.run(str(python), "-m", "review_gate", "install").returncode == 0
    assert_gated(repo)
    repo.review()
    (tmp_path / name).unlink()
    push = repo.push("origin", "main")
    assert (push.returncode, push.stderr.split("error: ")[0]) == (1, gone(python, "pre-push"))
    assert repo.remote_ref("refs/heads/main") is None
    commit = repo.run("git", "commit", "--allow-empty", "-m", "more")
    assert (commit.returncode, commit.stderr) == (1, gone(python, "pre-commit"))


def test_a_push_is_refused_when_the_package_was_uninstalled(repo: Repo, tmp_path: Path) -> None:
    site = tmp_path / "site packages"
    for package in ("review_gate", "git_hooks"):
        shutil.copytree(PROJECT / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PROJECT / "checks", site / "review_gate/packs")
    done = repo.run(sys.executable, "-m", "review_gate", "install", PYTHONPATH=str(site))
    assert done.returncode == 0, done.stderr
    assert_gated(repo)
    repo.review()
    shutil.rmtree(site)
    push = repo.push("origin", "main")
    assert (push.returncode, push.stderr.split("error: ")[0]) == (1, gone(sys.executable, "pre-push"))
    assert repo.remote_ref("refs/heads/main") is None


@pytest.mark.parametrize("existing", [None, "#!/bin/sh\nexit 0\n"], ids=["alone", "with a kept hook"])
def test_a_pre_push_hook_without_standard_input_refuses(repo: Repo, existing: str | None) -> None:
    if existing:
        hook_file(repo, "pre-push", existing)
    install(repo)
    done = repo.run("sh", "-c", "exec .git/hooks/pre-push origin ../repo.git <&-")
    assert done.returncode == 1
    assert done.stderr.endswith(NO_REF_LIST)


def test_a_pre_push_hook_without_its_arguments_refuses(gated: Repo) -> None:
    done = gated.run(".git/hooks/pre-push", stdin="")
    assert (done.returncode, done.stderr) == (1, NO_REF_LIST)


@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
def test_the_gate_holds_whatever_streams_are_closed(gated: Repo, closed: str) -> None:
    assert gated.run("sh", "-c", f"git push origin main {closed}").returncode == 1
    assert gated.remote_ref("refs/heads/main") is None
    gated.git("switch", "--quiet", "-c", "topic")
    gated.write("broken.py", "(\n")
    gated.git("add", "-A")
    assert gated.run("sh", "-c", f"git commit -m x {closed}").returncode == 1
    gated.write("broken.py", "()\n")
    gated.git("add", "-A")
    assert gated.run("sh", "-c", f"git commit -m x {closed}").returncode == 0
