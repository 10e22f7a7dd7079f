"""Installation: our hooks where git looks, in every kind of repository."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from installing import (
    HOOKS,
    RECORDER,
    assert_gated,
    assert_not_gated,
    change_line,
    complaints,
    hook_file,
    install,
    snapshot,
    typed_install,
    uninstall,
)
from refusals import block, missing

pytestmark = pytest.mark.usefixtures("same_world")


# What install does


def test_a_fresh_install_adds_three_executable_hooks_and_says_so(repo: Repo) -> None:
    before = set(os.listdir(repo.path / ".git/hooks"))
    done = typed_install(repo)
    folder = repo.path / ".git/hooks"
    assert done.stdout == (
        f"installed in {folder}\n"
        "  pre-commit: installed\n  commit-msg: installed\n  pre-push: installed\n"
        "next:  work as usual, and before git push: review-gate run\n"
    )
    assert done.stderr == ""
    assert set(os.listdir(folder)) == before | set(HOOKS)
    assert {stat.filemode((folder / hook).stat().st_mode) for hook in HOOKS} == {"-rwxr-xr-x"}


def test_only_a_reviewed_commit_gets_out_after_install(repo: Repo) -> None:
    install(repo)
    assert_gated(repo)
    repo.review()
    assert_not_gated(repo)
    repo.commit("one more")
    assert repo.push("origin", "main").returncode == 1


def test_installing_twice_changes_nothing(repo: Repo) -> None:
    hook_file(repo, "pre-push", RECORDER)
    install(repo, with_watcher=True)
    before = snapshot(repo.path)
    install(repo)
    assert snapshot(repo.path) == before


def test_install_outside_a_repository_says_what_to_do(repo: Repo, tmp_path: Path) -> None:
    elsewhere = Repo(tmp_path, repo.environ)
    for verb in ("install", "uninstall"):
        done = elsewhere.gate(verb)
        assert done.returncode == 2
        assert done.stderr.startswith("error: this is not a git repository: ")
        assert done.stderr.endswith("  next:  cd into a repository, or git init\n")


def test_install_with_an_unusable_configuration_still_gates_and_says_what_is_wrong(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "commit_massage: {}\n")
    done = repo.gate("install")
    mistake = '.review-gate.yaml:1: unknown key "commit_massage"; did you mean "commit_message"?'
    assert done.returncode == 0
    assert done.stderr == f"warning: every commit and push is refused until this is mended: {mistake}\n"
    pushed = repo.push("origin", "main")
    assert (pushed.returncode, pushed.stderr.splitlines()[0]) == (1, f"blocked: {mistake}")


def test_install_from_a_subdirectory_gates_the_repository(repo: Repo) -> None:
    (repo.path / "deep/down").mkdir(parents=True)
    done = typed_install(Repo(repo.path / "deep/down", repo.environ))
    assert done.stdout.startswith(f"installed in {repo.path / '.git/hooks'}\n")
    assert_gated(repo)


def test_hooks_that_were_switched_off_are_an_error_a_user_can_act_on(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", os.devnull)
    done = repo.gate("install")
    assert done.returncode in (1, 2)
    assert "core.hooksPath" in done.stderr
    assert "a bug of ours" not in done.stderr


def _a_file(path: Path) -> None:
    path.write_text("not a folder\n")


def _a_link_to_nowhere(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    ("make", "kind"),
    [(_a_file, "a file and not a folder"), (_a_link_to_nowhere, "a link that leads to no folder")],
    ids=["file", "link"],
)
def test_something_else_in_the_place_of_the_hooks_folder_is_named_and_the_next_step_works(
    repo: Repo, make: Callable[[Path], None], kind: str
) -> None:
    hooks = repo.path / ".git/hooks"
    shutil.rmtree(hooks)
    make(hooks)
    hooks.with_name("hooks.moved").mkdir()
    step = f"mv {hooks} {hooks}.moved+ && review-gate install"
    what = f"git looks for hooks in {hooks}, which is {kind}"
    done = repo.gate("install")
    expected = block(what, "git finds no hooks there, so nothing would stop a push", step)
    assert (done.returncode, done.stderr) == (1, expected)
    assert complaints(repo) == [(what, step)]
    healed = repo.run("sh", "-c", step)
    assert healed.returncode == 0, healed.stderr
    assert os.path.lexists(f"{hooks}.moved+")
    assert_gated(repo)


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


@pytest.mark.parametrize("kind", ["folder", "giant", "no info folder"])
def test_an_exclude_file_that_cannot_be_changed_is_told_and_left_alone(repo: Repo, kind: str) -> None:
    info = repo.path / ".git/info"
    shutil.rmtree(info)
    if kind == "no info folder":
        info.write_text("in the way")
    elif kind == "folder":
        (info / "exclude").mkdir(parents=True)
    else:
        repo.write(".git/info/exclude", "# much\n" * 200_000)
    before = snapshot(repo.path / ".git")
    (warning,) = install(repo).warnings
    state = ".claude/skills/code-review/loop-state.json"
    assert warning.startswith(f"{state} will show up in git status: .git/info/exclude cannot be changed (")
    assert_gated(repo)
    assert repo.gate("uninstall").returncode == 0
    assert snapshot(repo.path / ".git") == before


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


@pytest.mark.parametrize("name", ["state [1].json", "#state"])
def test_a_state_file_with_pattern_characters_in_its_name_stays_out_of_git_status(repo: Repo, name: str) -> None:
    repo.commit("configure", {".review-gate.yaml": f"state_file: '{name}'\n"})
    install(repo)
    repo.write(name, "{}")
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


# Where git looks


def test_a_hooks_path_in_the_repository_is_where_the_hooks_go(repo: Repo) -> None:
    folder = repo.path / ".git/own hooks"
    repo.git("config", "core.hooksPath", str(folder))
    done = typed_install(repo)
    assert done.stdout.startswith(f"installed in {folder}\n")
    assert done.stderr == ""
    assert set(os.listdir(folder)) == set(HOOKS)
    assert_gated(repo)


def test_a_relative_hooks_path_works_and_is_warned_about(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "team/hooks")
    done = typed_install(repo)
    assert done.stderr == (
        "warning: core.hooksPath is the relative path 'team/hooks': every work tree has its own such folder; "
        "run review-gate install in each\n"
    )
    assert_gated(repo)
    below = Repo(repo.path / "team", repo.environ)
    assert below.push("origin", "HEAD:refs/heads/probe").stderr.startswith(missing(repo.head))


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


def test_a_hooks_directory_that_is_a_link_out_of_the_repository_is_warned_about(repo: Repo, tmp_path: Path) -> None:
    (repo.path / ".git/hooks").rename(tmp_path / "elsewhere")
    (repo.path / ".git/hooks").symlink_to(tmp_path / "elsewhere")
    done = typed_install(repo)
    assert "points outside this repository" in done.stderr
    assert "core.hooksPath" not in done.stderr
    assert_gated(repo)


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
    assert repo.run("sh", "-c", step).returncode == 0
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


def test_the_hook_in_the_shared_folder_still_runs_in_a_gated_repository(
    repo: Repo, shared_folder: Path, tmp_path: Path
) -> None:
    install(repo)
    repo.review()
    repo.environ["RECORD"] = str(tmp_path / "record")
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")


def test_uninstall_restores_the_shared_folder(repo: Repo, shared_folder: Path) -> None:
    before = snapshot(shared_folder, repo.path)
    install(repo)
    uninstall(repo)
    assert snapshot(shared_folder, repo.path) == before


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


def test_submodules_of_submodules_and_of_other_work_trees_are_looked_at(repo: Repo, make_repo: MakeRepo) -> None:
    inner, middle = make_repo("inner"), make_repo("middle")
    inner.commit("inner")
    middle.commit("middle")
    for outer, part in ((middle, inner), (repo, middle)):
        outer.git("submodule", "--quiet", "add", str(part.path), part.path.name)
        outer.commit("with a part")
    repo.git("submodule", "--quiet", "update", "--init", "--recursive")
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(repo.path.parent / "linked", repo.environ)
    linked.git("submodule", "--quiet", "update", "--init")
    install(repo)
    open_to_all = [what for what, _ in complaints(repo)]
    paths = ("middle", "middle/inner", "../linked/middle")
    assert open_to_all == [f"submodule {path}: a push from it is not gated" for path in paths]
    for path in paths:
        install(Repo(repo.path / path, repo.environ))
    assert complaints(repo) == complaints(linked) == []


def test_a_bare_repository_is_warned_about(repo: Repo) -> None:
    bare = Repo(Path(repo.git("remote", "get-url", "origin")), repo.environ)
    done = typed_install(bare)
    assert done.stderr == (
        "warning: this is a bare repository: nobody pushes from here, so the hooks protect nothing\n"
    )
    assert done.stdout.startswith(f"installed in {bare.path / 'hooks'}\n")


def test_a_missing_hooks_directory_is_made(make_repo: MakeRepo) -> None:
    repo = make_repo()
    shutil.rmtree(repo.path / ".git/hooks")
    repo.commit("first")
    install(repo)
    assert_gated(repo)


@pytest.mark.parametrize("name", ["my repo's dir", '-n "$(touch pwned)" `touch pwned` a\\b ü'])
def test_a_repository_in_an_oddly_named_directory_is_gated(make_repo: MakeRepo, name: str, tmp_path: Path) -> None:
    repo = make_repo(name)
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
