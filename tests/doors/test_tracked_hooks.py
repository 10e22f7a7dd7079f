"""A hooks folder that git tracks: install writes nothing there, and what it says to do instead works."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import Repo
from installing import HOOKS, assert_gated, complaints, install, snapshot, typed_install
from refusals import block

from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine

TEAM = "#!/bin/sh\necho the team >&2\n"
WHY = "a hook written there holds paths of this machine, and would reach everyone else with the next commit"

pytestmark = pytest.mark.usefixtures("same_world")


def team_hooks(repo: Repo, *names: str) -> Path:
    """A tracked folder of hooks, as a team shares it."""
    repo.git("config", "core.hooksPath", ".githooks")
    for name in names:
        repo.write(f".githooks/{name}", TEAM).chmod(0o755)
    repo.commit("hooks of the team", {"README": "hello\n"})
    return repo.path / ".githooks"


def copying(repo: Repo, folder: Path, scope: str = "local") -> str:
    there = repo.path / ".git/own-hooks"
    return (
        f"mkdir -p {there} && cp -RLp {folder}/. {there} && git config --{scope} core.hooksPath {there} "
        "&& review-gate install"
    )


def advice(repo: Repo, folder: Path) -> str:
    calls = ", ".join(f'review-gate hook {hook} "$@" || exit 1' for hook in HOOKS)
    return (
        f"make these the first commands of pre-commit, commit-msg, pre-push in {folder}, executable files that start "
        f"with #!/bin/sh: {calls}; or work with a copy of the folder: {copying(repo, folder)}"
    )


@pytest.mark.parametrize("names", [("pre-push",), ("post-merge", "README.md")], ids=["our name", "other names"])
def test_install_writes_nothing_into_a_tracked_folder(repo: Repo, names: tuple[str, ...]) -> None:
    folder = team_hooks(repo, *names)
    before = snapshot(folder)
    files = "1 file" if len(names) == 1 else "2 files"
    done = repo.gate("install")
    what = f"git tracks {files} in {folder}, where it looks for hooks"
    assert (done.returncode, done.stderr) == (1, block(what, WHY, advice(repo, folder)))
    assert (snapshot(folder), repo.git("status", "--porcelain")) == (before, "")
    assert not (repo.path / ".git/review-gate/install.json").exists()


def test_doctor_and_status_do_not_send_the_user_to_an_install_that_refuses(repo: Repo) -> None:
    folder = team_hooks(repo, "pre-push")
    found = complaints(repo)
    assert [what.partition(":")[0] for what, _ in found] == list(HOOKS)
    assert {step for _, step in found} == {advice(repo, folder)}
    row = "hooks     not installed: pre-commit, commit-msg, pre-push; nothing stops a push (review-gate doctor)\n"
    assert row in repo.gate("status").stdout


def test_the_calls_in_the_tracked_hooks_guard_and_are_seen(repo: Repo) -> None:
    folder = team_hooks(repo, "pre-push")
    for hook in HOOKS:
        call = f'review-gate hook {hook} "$@" || exit 1'
        assert call in advice(repo, folder)
        repo.write(f".githooks/{hook}", TEAM.replace("\n", f"\n{call}\n", 1)).chmod(0o755)
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "Call the gate")
    seen = examine(open_repository(str(repo.path)))
    assert seen.complaints == ()
    assert seen.notes == tuple(f"{hook} runs by way of .githooks/{hook}" for hook in HOOKS)
    assert_gated(repo)


def test_a_copy_of_the_folder_is_gated_and_the_hooks_of_the_team_still_run(repo: Repo) -> None:
    folder = team_hooks(repo, "pre-push")
    done = repo.run("sh", "-c", copying(repo, folder))
    assert done.returncode == 0, done.stderr
    assert (complaints(repo), repo.git("status", "--porcelain")) == ([], "")
    assert_gated(repo)
    repo.review()
    pushed = repo.push("origin", "main")
    assert pushed.returncode == 0
    assert "the team" in pushed.stderr


def test_a_copy_is_made_anew_each_time_and_linked_hooks_are_in_it(repo: Repo) -> None:
    repo.write("tools/push", TEAM).chmod(0o755)
    (repo.path / ".githooks").mkdir()
    (repo.path / ".githooks/pre-push").symlink_to("../tools/push")
    folder = team_hooks(repo)
    for number in (1, 2):
        step = repo.gate("install").stderr.partition("copy of the folder: ")[2]
        done = repo.type(step)
        assert done.returncode == 0, done.stderr
        assert repo.git("config", "core.hooksPath").endswith("own-hooks" + "+" * (number - 1))
        assert_gated(repo)
        repo.git("config", "core.hooksPath", str(folder))
    repo.git("config", "core.hooksPath", str(repo.path / ".git/own-hooks+"))
    repo.review()
    assert "the team" in repo.push("origin", "main").stderr


def test_a_folder_for_all_repositories_that_another_one_tracks_is_left_alone(repo: Repo, tmp_path: Path) -> None:
    dotfiles = Repo(tmp_path / "dot files", repo.environ)
    subprocess.run(["git", "init", "--quiet", str(dotfiles.path)], env=repo.environ, check=True)
    dotfiles.commit("mine", {"hooks/pre-push": TEAM})
    folder = dotfiles.path / "hooks"
    repo.git("config", "--global", "core.hooksPath", str(folder))
    before = snapshot(folder)
    done = repo.gate("install")
    step = copying(repo, folder).replace(str(folder), shlex.quote(str(folder)))
    what = f"git tracks 1 file in {folder}, where it looks for hooks"
    assert (done.returncode, done.stderr) == (1, block(what, WHY, step))
    assert snapshot(folder) == before
    assert repo.type(step).returncode == 0
    assert_gated(repo)


def test_hooks_of_ours_that_were_committed_are_told_and_can_be_taken_out_of_git(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "hooks")
    install(repo)
    assert complaints(repo) == []
    repo.commit("everything")
    folder = repo.path / "hooks"
    step = f"git -C {folder} rm --cached commit-msg pre-commit pre-push, then git commit, then review-gate install"
    what = f"{folder}: hooks that hold paths of one machine are tracked by git, and reach everyone"
    assert complaints(repo) == [(what, step)]
    for command in step.replace("git commit", "git commit --quiet --message Untrack").split(", then "):
        done = repo.type(command)
        assert done.returncode == 0, done.stderr
    assert complaints(repo) == []
    assert_gated(repo)


def test_an_untracked_folder_in_the_work_tree_works_as_ever(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".husky/_")
    repo.write(".husky/_/.gitignore", "*")
    repo.commit("husky", {".husky/pre-push": "true\n"})
    typed_install(repo)
    assert (complaints(repo), repo.git("status", "--porcelain")) == ([], "")
    assert_gated(repo)
