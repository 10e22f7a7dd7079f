"""Where a repository is and which remote it pushes to, asked of git with few questions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from opening import repository_at
from tracing import started

from review_gate.shell.known_remotes import KnownRemotes
from review_gate.shell.repository import open_repository

pytestmark = pytest.mark.usefixtures("same_world")


@pytest.mark.parametrize("name", ["plain", "two\nlines", "false\n/\n/nowhere\n/elsewhere"])
def test_a_repository_is_found_from_a_folder_below_whatever_its_name_is(repo: Repo, tmp_path: Path, name: str) -> None:
    top = tmp_path / "moved" / name
    top.parent.mkdir(parents=True)
    repo.path.rename(top)
    (top / "below").mkdir()
    found = open_repository(str(top / "below"))
    assert (found.top, found.git_dir, found.common_dir) == (str(top), str(top / ".git"), str(top / ".git"))
    assert not found.is_bare


def test_a_linked_work_tree_knows_the_folder_that_it_shares(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "--quiet", "../linked", "-b", "linked")
    found = open_repository(str(tmp_path / "linked"))
    assert found.top == str(tmp_path / "linked")
    assert (found.git_dir, found.common_dir) == (str(repo.path / ".git/worktrees/linked"), str(repo.path / ".git"))


def test_a_bare_repository_is_its_own_top(make_repo: MakeRepo, tmp_path: Path) -> None:
    make_repo()
    found = open_repository(str(tmp_path / "repo.git"))
    assert (found.top, found.git_dir, found.is_bare) == (str(tmp_path / "repo.git"), str(tmp_path / "repo.git"), True)


REMOTES = {
    "nothing is set": ([], "origin"),
    "of the branch": (["branch.Topic.1.remote=fork"], "fork"),
    "of another branch": (["branch.topic.1.remote=fork", "branch.Topic.remote=fork"], "origin"),
    "to push to": (["branch.Topic.1.remote=origin", "remote.pushDefault=fork"], "fork"),
    "to push this branch to": (["remote.pushDefault=fork", "branch.Topic.1.pushRemote=origin"], "origin"),
    "the last of several": (["remote.pushDefault=fork", "remote.pushDefault=origin"], "origin"),
    "an address": (["branch.Topic.1.pushRemote=../fork.git", "branch.Topic.1.remote=fork"], "fork"),
}


@pytest.mark.parametrize(("settings", "expected"), REMOTES.values(), ids=REMOTES.keys())
def test_the_remote_of_a_branch_is_the_one_that_a_plain_push_uses(
    repo: Repo, settings: list[str], expected: str
) -> None:
    repo.git("remote", "add", "fork", "../fork.git")
    with (repo.path / ".git/config").open("a") as file:
        for setting in settings:
            name, _, value = setting.partition("=")
            section, _, rest = name.partition(".")
            subsection, _, key = rest.rpartition(".")
            header = f'[{section} "{subsection}"]' if subsection else f"[{section}]"
            file.write(f"{header}\n\t{key} = {value}\n")
    assert KnownRemotes(repository_at(repo).git).default_of("Topic.1") == expected


ODD_REMOTES = """[remote "pushDefault"]
\turl = ../fork.git
[remote "a.b c"]
\tfetch = +refs/heads/*:refs/remotes/strange/*
[remote]
\tpushDefault = nowhere
[remote "/etc"]
\turl = ../fork.git
[Remote "Only.Pruned"]
\tPrune = true
[branch "main"]
\tremote = not-one
"""


@pytest.mark.parametrize("config", ["", ODD_REMOTES], ids=["usual", "odd"])
def test_the_remotes_are_those_that_git_lists(repo: Repo, config: str) -> None:
    with (repo.path / ".git/config").open("a") as file:
        file.write(config)
    assert KnownRemotes(repository_at(repo).git).names() == sorted(repo.git("remote").split("\n"))


@pytest.mark.parametrize(
    ("words", "most"), [("run --yes", 29), ("status", 14), ("doctor", 27), ("verify", 4), ("install", 5)]
)
def test_no_verb_asks_git_more_than_it_has_to(gated: Repo, words: str, most: int) -> None:
    gated.review()
    asked = started(gated.path.parent / "trace.json", partial(gated.gate, *words.split()))
    assert len(asked) <= most, asked


def test_a_refusal_by_hand_asks_git_no_more_than_it_has_to(gated: Repo) -> None:
    asked = started(gated.path.parent / "trace.json", partial(gated.gate, "verify"), code=1)
    assert len(asked) <= 8, asked
