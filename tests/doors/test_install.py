"""Installation: our hooks where git looks, in every kind of repository."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Repo
from installing import (
    change_line,
    complaints,
    install,
    snapshot,
)
from refusals import block

pytestmark = pytest.mark.usefixtures("same_world")

# What install does


def test_install_outside_a_repository_says_what_to_do(repo: Repo, tmp_path: Path) -> None:
    elsewhere = Repo(tmp_path, repo.environ)
    for verb in ("install", "uninstall"):
        done = elsewhere.gate(verb)
        assert done.returncode == 2
        assert done.stderr.startswith("error: this is not a git repository: ")
        assert done.stderr.endswith("  next:  cd into a repository, or git init\n")


def test_a_file_in_the_place_of_the_hooks_folder_is_named(repo: Repo) -> None:
    hooks = repo.path / ".git/hooks"
    shutil.rmtree(hooks)
    hooks.write_text("not a folder\n")
    what, step = (
        f"git looks for hooks in {hooks}, which is not a folder",
        f"move {hooks} away, then review-gate install",
    )
    done = repo.gate("install")
    expected = block(what, "git finds no hooks there, so nothing would stop a push", step)
    assert (done.returncode, done.stderr) == (1, expected)
    assert complaints(repo) == [(what, step)]


def test_an_empty_hooks_path_is_an_error_for_install_and_doctor(repo: Repo) -> None:
    """Git looks at the root of the file system then, and `rev-parse --git-path hooks` says otherwise."""
    repo.git("config", "core.hooksPath", "")
    before = snapshot(repo.path)
    done = repo.gate("install")
    step = "git config --local --unset-all core.hooksPath, then review-gate install"
    what = "git looks for hooks nowhere: core.hooksPath is empty"
    why = "core.hooksPath (local) switches all hooks off, so nothing would stop a push"
    assert (done.returncode, done.stderr) == (1, block(what, why, step))
    assert {path: kept for path, kept in snapshot(repo.path).items() if "/.git/review-gate" not in path} == before
    assert complaints(repo) == [(what, step)]
    assert "not installed" in repo.gate("status").stdout


def test_an_outdated_shim_is_renewed(gated: Repo) -> None:
    shim = gated.path / ".git/hooks/pre-push"
    current = shim.read_bytes()
    shim.write_bytes(current.replace(b"python=/", b"python=/old/"))
    install(gated)
    assert shim.read_bytes() == current


def test_the_state_file_stays_out_of_git_status(gated: Repo) -> None:
    gated.git("worktree", "add", "--quiet", "../linked")
    for repo in (gated, Repo(gated.path.parent / "linked", gated.environ)):
        repo.review("--scope", "all")
        assert repo.state_file.is_file()
        assert repo.git("status", "--porcelain", "--untracked-files=all") == ""


def test_an_interpreter_that_is_stopped_refuses_and_says_so(gated: Repo) -> None:
    stub = gated.write(".git/python", "#!/bin/sh\nkill -9 $$\n")
    stub.chmod(0o755)
    change_line(gated.path / ".git/hooks/pre-push", "python=", f"python={stub}")
    done = gated.push("origin", "main")
    assert done.returncode == 1
    assert done.stderr.split("error: ")[0].endswith(
        "blocked: review-gate ended with code 137 before it could judge this pre-push\n"
        f"  why:   {stub} was stopped, or is not a Python that works\n"
        "  next:  try again; if that does not help: review-gate doctor\n"
    )
