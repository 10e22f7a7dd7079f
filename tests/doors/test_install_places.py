"""Our hooks where git looks: other hooks folders, shared ones, work trees, submodules, odd paths."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from installing import (
    HOOKS,
    RECORDER,
    assert_gated,
    assert_not_gated,
    complaints,
    hook_file,
    install,
    typed_install,
    uninstall,
)

pytestmark = pytest.mark.usefixtures("same_world")


def test_a_hooks_path_in_the_repository_is_where_the_hooks_go(repo: Repo) -> None:
    folder = repo.path / ".git/own hooks"
    repo.git("config", "core.hooksPath", str(folder))
    done = typed_install(repo)
    assert done.stdout.startswith(f"installed in {folder}\n")
    assert done.stderr == ""
    assert set(os.listdir(folder)) == set(HOOKS)
    assert_gated(repo)


def test_a_relative_hooks_path_protects_each_work_tree_once_it_was_installed_there(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "hooks")
    install(repo)
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(repo.path.parent / "linked", repo.environ)
    install(linked)
    assert_gated(repo)
    assert_gated(linked)
    uninstall(repo)
    assert not (repo.path / "hooks").exists()
    assert_gated(linked)
    uninstall(linked)
    assert not (linked.path / "hooks").exists()


@pytest.fixture
def shared_folder(world: dict[str, str], tmp_path: Path) -> Path:
    """A hooks directory for all repositories of the user, with somebody's pre-push hook in it."""
    folder = tmp_path / "everywhere"
    folder.mkdir()
    (folder / "pre-push").write_text(RECORDER)
    (folder / "pre-push").chmod(0o755)
    subprocess.run(["git", "config", "--global", "core.hooksPath", str(folder)], env=world, check=True)
    return folder


def test_hooks_that_let_a_repository_through_are_not_called_its_guards(
    repo: Repo, make_repo: MakeRepo, shared_folder: Path
) -> None:
    install(repo)
    other = make_repo("other")
    other.commit("theirs")
    what = f"the hooks in {shared_folder} let everything from here through: review-gate is not installed in this one"
    assert complaints(other) == [(what, f"cd {other.path} && review-gate install")]
    assert (
        "\nhooks     not installed: pre-commit, commit-msg, pre-push; nothing stops a push"
        in other.gate("status").stdout
    )
    repo.git("submodule", "--quiet", "add", str(other.path), "part")
    part = repo.path / "part"
    step = f"cd {part} && review-gate install"
    assert complaints(repo) == [("submodule part: a push from it is not gated", step)]
    assert repo.type(step).returncode == 0
    assert complaints(repo) == []


def test_hooks_in_a_folder_for_all_repositories_act_only_where_they_were_asked_for(
    repo: Repo, make_repo: MakeRepo, shared_folder: Path, tmp_path: Path
) -> None:
    other = make_repo("other")
    other.commit("theirs")
    done = typed_install(repo)
    assert done.stderr == (
        "warning: core.hooksPath (global) points outside this repository; the hooks act only where "
        "review-gate is installed\n"
    )
    record = tmp_path / "record"
    repo.environ["RECORD"] = str(record)
    assert_gated(repo)
    assert not record.exists()
    assert_not_gated(other)
    url, zero = other.git("remote", "get-url", "origin"), "0" * 40
    assert record.read_text() == f"2\norigin\n{url}\n--\nHEAD {other.head} refs/heads/probe {zero}\n"
    other.write("broken.py", "(\n")
    other.git("add", "-A")
    other.git("commit", "--quiet", "-m", "fixup! not gated")


def test_uninstall_in_one_repository_leaves_the_others_gated(
    repo: Repo, make_repo: MakeRepo, shared_folder: Path
) -> None:
    other = make_repo("other")
    other.commit("theirs")
    install(repo)
    install(other)
    uninstall(repo)
    other.environ["RECORD"] = os.devnull
    assert_gated(other)


def test_install_in_a_linked_worktree_gates_every_work_tree(repo: Repo) -> None:
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(repo.path.parent / "linked", repo.environ)
    done = typed_install(linked)
    assert done.stdout.startswith(f"installed in {repo.path / '.git/hooks'}\n")
    assert_gated(linked)
    assert_gated(repo)
    linked.review()
    assert_not_gated(linked)


def test_install_in_a_submodule_gates_its_own_pushes(repo: Repo, make_repo: MakeRepo) -> None:
    library = make_repo("library")
    library.commit("a library")
    library.git("push", "--quiet", "origin", "main")
    repo.git("submodule", "--quiet", "add", library.git("remote", "get-url", "origin"), "vendor/library")
    module = Repo(repo.path / "vendor/library", repo.environ)
    module.commit("patched")
    done = typed_install(module)
    assert done.stdout.startswith(f"installed in {repo.path / '.git/modules/vendor/library/hooks'}\n")
    assert_gated(module)
    module.review()
    assert_not_gated(module)
    module.write("new.py", "(\n")
    module.git("add", "-A")
    commit = module.run("git", "commit", "-m", "A change")
    assert (commit.returncode, commit.stderr.split("\n")[0]) == (1, "blocked: 1 problem in the staged files")
    assert not (repo.path / ".git/hooks/pre-push").exists()


def test_a_repository_in_an_oddly_named_directory_is_gated(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo('-n "$(touch pwned)" `touch pwned` a\\b it\'s ü')
    repo.commit("first", {"a.yaml": "a: 1\n"})
    hook_file(repo, "pre-push", RECORDER)
    repo.environ["RECORD"] = str(tmp_path / "record")
    install(repo)
    assert repo.gate("doctor").returncode == 0
    assert_gated(repo)
    repo.review()
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")
    assert not list(tmp_path.rglob("pwned"))
