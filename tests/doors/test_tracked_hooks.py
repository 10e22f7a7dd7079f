"""A hooks folder that git tracks: install writes nothing there, and what it says to do instead works."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Repo
from installing import HOOKS, assert_gated, complaints, install, snapshot
from refusals import block

from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine

pytestmark = pytest.mark.usefixtures("same_world")

TEAM = "#!/bin/sh\necho the team >&2\n"
WHY = "a hook written there holds paths of this machine, and would reach everyone else with the next commit"


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
