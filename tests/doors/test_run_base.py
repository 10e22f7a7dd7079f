"""review-gate run: what is compared with what, and when there is nothing to review."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import Repo
from running import nothing_recorded, plan_of, refusal, report_of, upload

from review_gate.gate.record import EMPTY_TREES

EMPTY = EMPTY_TREES[0]


def base_of(repo: Repo, *options: str) -> tuple[str, str]:
    subject = plan_of(repo, *options)["subject"]
    return subject["base"], subject["base_label"]


def test_the_base_is_what_the_upstream_has(repo: Repo) -> None:
    first = upload(repo)
    repo.commit("second")
    repo.commit("third")
    assert base_of(repo) == (first, "refs/remotes/origin/main")


def test_without_an_upstream_the_base_is_what_the_remote_s_default_branch_has(repo: Repo) -> None:
    first = upload(repo, "stable")
    repo.commit("second")
    upload(repo, "other")
    repo.git("fetch", "--quiet")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/stable")
    repo.git("switch", "--quiet", "--create", "feature", "--no-track", first)
    repo.commit("mine")
    assert base_of(repo) == (first, "refs/remotes/origin/stable")


def test_a_tag_with_the_name_of_the_branch_does_not_change_which_remote_counts(repo: Repo) -> None:
    upload(repo)
    second = repo.commit("second")
    repo.git("remote", "add", "fork", "../fork.git")
    repo.git("update-ref", "refs/remotes/fork/main", second)
    repo.git("branch", "--unset-upstream")
    repo.git("config", "branch.main.pushRemote", "fork")
    repo.commit("third")
    repo.git("tag", "main")
    assert base_of(repo) == (second, "refs/remotes/fork/main")


def test_the_base_of_a_rebased_branch_is_the_newer_of_upstream_and_default_branch(repo: Repo) -> None:
    upload(repo)
    repo.git("switch", "--quiet", "--create", "feature")
    repo.commit("mine", {"mine.txt": "mine\n"})
    upload(repo, "feature")
    repo.git("switch", "--quiet", "main")
    newest = repo.commit("theirs", {"theirs.txt": "theirs\n"})
    upload(repo)
    repo.git("switch", "--quiet", "feature")
    repo.git("rebase", "--quiet", "main")
    assert base_of(repo) == (newest, "refs/remotes/origin/main")
    assert plan_of(repo)["files"] == ["mine.txt"]


def test_an_upstream_that_is_gone_or_local_is_no_base(repo: Repo) -> None:
    first = upload(repo)
    repo.commit("not pushed yet")
    repo.git("switch", "--quiet", "--create", "feature", "--track", "main")
    repo.commit("mine")
    assert base_of(repo) == (first, "refs/remotes/origin/main")
    repo.git("branch", "--set-upstream-to", "origin/main")
    repo.git("config", "branch.feature.merge", "refs/heads/deleted")
    assert base_of(repo) == (first, "refs/remotes/origin/main")


@pytest.mark.parametrize("kind", ["branch", "tag"])
def test_a_local_name_cannot_stand_in_for_the_remote_s(repo: Repo, kind: str) -> None:
    first = upload(repo)
    repo.commit("second")
    for name in ("origin/main", "remotes/origin/main", "refs/remotes/origin/main"):
        repo.git(kind, name, "HEAD")
    assert base_of(repo) == (first, "refs/remotes/origin/main")


def test_a_named_base_is_taken_at_its_merge_base(repo: Repo) -> None:
    first = repo.head
    repo.commit("side", {"side.txt": "x\n"})
    repo.git("branch", "side")
    repo.git("reset", "--quiet", "--hard", first)
    repo.commit("second")
    repo.git("tag", "--annotate", "-m", "v1", "v1", first)
    by_words = f":/{repo.git('log', '-1', '--format=%s', first)}"
    for name in ("side", "HEAD~1", first[:9], "v1", "refs/heads/side", by_words):
        assert base_of(repo, "--base", name) == (first, name)
    repo.commit("configured", {".review-gate.yaml": "base: HEAD~1\n"})
    assert base_of(repo)[1] == "HEAD~1"


@pytest.mark.parametrize(
    "name",
    ["nowhere", "--output=pwned", "HEAD:app.py", "a\x1b[2Jb"],
)
def test_a_base_that_is_no_commit_is_refused(repo: Repo, name: str) -> None:
    repo.commit("second")
    code, text = refusal(repo.gate("run", "--yes", f"--base={name}"))
    assert code == 2
    assert re.fullmatch(
        r"error: the base .* is not a commit here\n"
        r"  why:   the review needs to know what changed since when\n"
        r"  next:  git fetch, or name another --base",
        text,
    )
    assert sorted(os.listdir(repo.path)) == [".git", "app.py", "file.txt"]


def test_a_base_without_common_history_is_refused(repo: Repo) -> None:
    tree = repo.git("rev-parse", "HEAD^{tree}")
    repo.git("branch", "stranger", repo.git("commit-tree", tree, "-m", "stranger"))
    assert refusal(repo.gate("run", "--yes", "--base", "stranger")) == (
        2,
        "error: HEAD and 'stranger' have no common history\n"
        "  why:   a review covers the commits between a base and HEAD\n"
        "  next:  review-gate run --scope all",
    )


def test_a_shallow_clone_without_the_base_says_how_to_get_it(repo: Repo, tmp_path: Path) -> None:
    upload(repo)
    repo.git("switch", "--quiet", "--create", "feature")
    for number in range(3):
        repo.commit(f"change {number}")
    upload(repo, "feature")
    url = f"file://{tmp_path / 'repo.git'}"
    repo.git("clone", "--quiet", "--depth", "1", "--branch", "feature", url, str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow", repo.environ)
    shallow.git("fetch", "--quiet", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    shallow.git("branch", "--unset-upstream")
    shallow.git("update-ref", "-d", "refs/remotes/origin/feature")
    shallow.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    expected = (
        2,
        "error: this is a shallow clone, and the base lies beyond its edge\n"
        "  why:   without the base nobody can say what changed\n"
        "  next:  git fetch --unshallow",
    )
    assert refusal(shallow.gate("run", "--yes")) == expected
    assert refusal(shallow.gate("run", "--yes", "--base", "origin/main")) == expected
    shallow.git("fetch", "--quiet", "--unshallow", "origin", "main")
    shallow.review("--base", "origin/main")


# Nothing to review.


def test_an_empty_change_is_nothing_to_review_and_leaves_no_trace(repo: Repo) -> None:
    upload(repo)
    assert refusal(repo.gate("run", "--yes")) == (
        1,
        "blocked: nothing to review: refs/remotes/origin/main already has HEAD\n"
        "  why:   an empty change is not a passed review\n"
        "  next:  commit something first; for another remote, review-gate run --base REV, or --scope all",
    )
    repo.git("commit", "--quiet", "--allow-empty", "-m", "empty")
    assert refusal(repo.gate("run", "--yes")) == (
        1,
        "blocked: nothing to review: HEAD and refs/remotes/origin/main have the same content\n"
        "  why:   an empty change is not a passed review; --allow-empty records these commits as reviewed anyway\n"
        "  next:  review-gate run --allow-empty",
    )
    assert refusal(repo.gate("run", "--yes", "--base", "HEAD^"))[1].endswith("run --base 'HEAD^' --allow-empty")
    assert nothing_recorded(repo)
    assert repo.gate("verify").returncode == 1
    assert report_of(repo, "--allow-empty")["decision"]["allowed"]
    assert not nothing_recorded(repo)
