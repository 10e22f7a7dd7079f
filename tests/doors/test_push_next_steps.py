"""The step that a refusal prints opens the gate when it is typed, in one round."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Repo
from pushing import (
    forget,
    grow,
    let_out,
    next_step,
    opened_by_its_step,
    record_pass,
    refused,
    seed,
    type_step,
)
from refusals import RUN, block, missing, uncovered

from review_gate.shell.ledger import COMMITS, LEDGER

ON_REMOTE = "by its tracking refs the remote already has it, so a push would send no commit"


def add_remote(repo: Repo, name: str = "fork") -> str:
    """An empty second remote; its place."""
    bare = repo.path.parent / f"{name}.git"
    repo.git("init", "--quiet", "--bare", str(bare))
    repo.git("remote", "add", name, str(bare))
    return str(bare)


@pytest.fixture
def cloned(opened: Repo) -> Repo:
    """A repository whose main branch, three commits that nobody reviewed here, is on origin."""
    forget(opened, opened.head)
    for name in ("second", "third"):
        opened.commit(name)
    seed(opened, "origin", "main")
    return opened


# Another remote than the one a plain run compares with


def test_new_commit_on_top_of_what_the_fork_lacks_takes_one_round(cloned: Repo) -> None:
    add_remote(cloned)
    behind = cloned.git("rev-parse", "HEAD~2")
    seed(cloned, "fork", f"{behind}:refs/heads/main")
    cloned.commit("mine")
    assert opened_by_its_step(cloned, "fork", "main", remote="fork") == f"{RUN} --base {behind[:8]}"


def test_own_fork_is_pushed_to_from_a_branch_that_tracks_upstream(cloned: Repo) -> None:
    cloned.git("remote", "rename", "origin", "upstream")
    add_remote(cloned, "origin")
    behind = cloned.git("rev-parse", "HEAD~2")
    seed(cloned, "origin", f"{behind}:refs/heads/main")
    cloned.commit("mine")
    assert opened_by_its_step(cloned, "origin", "main") == f"{RUN} --base {behind[:8]}"


def test_plain_run_is_enough_where_the_rest_was_reviewed(cloned: Repo) -> None:
    add_remote(cloned)
    record_pass(cloned, cloned.head)
    cloned.commit("mine")
    assert opened_by_its_step(cloned, "fork", "main", remote="fork") == RUN


def test_branch_that_is_not_checked_out_is_reviewed_against_its_own_upstream(cloned: Repo) -> None:
    """Switching changes what a plain run compares with: here the fork, there origin."""
    add_remote(cloned)
    behind = cloned.git("rev-parse", "HEAD~2")
    seed(cloned, "fork", f"{behind}:refs/heads/main")
    cloned.git("fetch", "--quiet", "fork")
    cloned.git("branch", "--quiet", "topic", grow(cloned, "topic"))
    cloned.git("branch", "--quiet", "--set-upstream-to", "fork/main", "main")
    cloned.git("config", "branch.main.pushRemote", "fork")
    step = opened_by_its_step(cloned, "fork", "topic", remote="fork")
    assert step == f"git switch topic && {RUN} --base {behind[:8]}"


def test_configured_base_is_what_a_plain_run_compares_with(cloned: Repo) -> None:
    cloned.commit("configured", {".review-gate.yaml": "base: HEAD~1\n"})
    cloned.commit("mine")
    behind = cloned.git("rev-parse", "origin/main")
    assert opened_by_its_step(cloned, "origin", "main") == f"{RUN} --base {behind[:8]}"


def test_verify_names_the_step_for_the_remote_that_was_asked_about(cloned: Repo) -> None:
    add_remote(cloned)
    told = cloned.gate("verify", "--remote", "fork")
    assert next_step(told.stdout) == f"{RUN} --scope all"
    type_step(cloned, next_step(told.stdout))
    assert cloned.gate("verify", "--remote", "fork").returncode == 0


def test_failure_names_where_the_next_review_has_to_start(cloned: Repo) -> None:
    add_remote(cloned)
    broken = cloned.commit("broken", {"new.json": "{"})
    behind = cloned.git("rev-parse", "HEAD~3")
    seed(cloned, "fork", f"{behind}:refs/heads/main")
    assert cloned.gate("run", "--yes").returncode == 1
    step = next_step(refused(cloned, "fork", "main", remote="fork"))
    assert step == f"fix, commit, then {RUN} --base {behind[:8]}"
    cloned.commit("mended", {"new.json": "{}"})
    type_step(cloned, step.removeprefix("fix, commit, then "))
    let_out(cloned, "fork", "main")
    assert cloned.remote_ref("main~1", "fork") == broken


@pytest.mark.parametrize("kind", ["record", "state"])
def test_what_cannot_be_believed_is_replaced_by_a_review_of_all_that_leaves(cloned: Repo, kind: str) -> None:
    add_remote(cloned)
    if kind == "record":
        cloned.git("update-ref", COMMITS + cloned.head, cloned.git("rev-parse", "HEAD:app.py"))
        assert opened_by_its_step(cloned, "fork", "main", remote="fork") == f"{RUN} --scope all"
        return
    cloned.state_file.parent.mkdir(parents=True)
    cloned.state_file.write_text("{")
    place = ".claude/skills/code-review/loop-state.json"
    step = next_step(refused(cloned, "fork", "main", remote="fork"))
    assert step == f"move {place} away, then {RUN} --scope all"
    type_step(cloned, step.replace(f"move {place} away", f"rm {place}"))
    let_out(cloned, "fork", "main")


def test_state_file_that_stands_in_the_way_of_a_reviewed_commit_only_has_to_go(opened: Repo) -> None:
    record_pass(opened, opened.commit("second"))
    opened.state_file.mkdir(parents=True)
    place = ".claude/skills/code-review/loop-state.json"
    assert next_step(refused(opened, "origin", "main")) == f"move {place} away"
    opened.state_file.rmdir()
    let_out(opened, "origin", "main")


# Refs of the remote that a fetch does not bring


def pull_request(repo: Repo) -> None:
    url = repo.git("remote", "get-url", "origin")
    tree = repo.git("--git-dir", url, "mktree")
    theirs = repo.git("--git-dir", url, "commit-tree", "-m", "theirs", tree)
    repo.git("--git-dir", url, "update-ref", "refs/pull/1/head", theirs)


def records(repo: Repo) -> None:
    pull_request(repo)
    let_out(repo, "origin", f"{LEDGER}*:{LEDGER}*")
    for name in repo.git("for-each-ref", "--format=%(refname)", LEDGER).split():
        repo.git("update-ref", "-d", name)
    repo.git("reflog", "expire", "--expire=all", "--all")
    repo.git("gc", "--quiet", "--prune=now")


def tag_on_a_blob(repo: Repo) -> None:
    url = repo.git("remote", "get-url", "origin")
    blob = repo.run("git", "--git-dir", url, "hash-object", "-w", "--stdin", stdin="unseen\n").stdout.strip()
    repo.git("--git-dir", url, "update-ref", "refs/tags/blob", blob)


def single_branch(repo: Repo) -> None:
    url = repo.git("remote", "get-url", "origin")
    tree = repo.git("--git-dir", url, "mktree")
    theirs = repo.git("--git-dir", url, "commit-tree", "-m", "theirs", tree)
    repo.git("--git-dir", url, "update-ref", "refs/heads/other", theirs)
    repo.git("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")


@pytest.mark.parametrize("hide", [pull_request, records, tag_on_a_blob, single_branch])
def test_no_fetch_is_asked_for_that_would_bring_nothing(opened: Repo, hide: object) -> None:
    remote = opened.head
    assert callable(hide)
    hide(opened)
    below = opened.commit("below")
    record_pass(opened, opened.commit("above"), below)
    words = refused(opened, "origin", "main")
    assert words == uncovered(below, f"1 commit ({below[:8]})", f"{RUN} --base {remote[:8]}")
    assert opened_by_its_step(opened, "origin", "main") == f"{RUN} --base {remote[:8]}"


def test_fetch_names_the_remote_that_is_pushed_to(opened: Repo) -> None:
    url = add_remote(opened)
    base = opened.commit("base")
    seed(opened, "fork", "main:old")
    tree = opened.git("--git-dir", url, "mktree")
    theirs = opened.git("--git-dir", url, "commit-tree", "-m", "theirs", "-p", base, tree)
    opened.git("--git-dir", url, "update-ref", "refs/heads/old", theirs)
    record_pass(opened, opened.commit("mine"), base)
    opened.git("update-ref", "-d", "refs/remotes/fork/old")
    step = opened_by_its_step(opened, "fork", "main", remote="fork")
    assert step == "git fetch fork, then git push again"


# What the remote has already, by its tracking refs


def test_tag_on_a_commit_that_the_tracking_refs_know_has_a_step(cloned: Repo) -> None:
    (cloned.path / ".git/info/exclude").write_text(".review-gate.yaml\n")
    cloned.write(".review-gate.yaml", "gate: {remote_evidence: tracking}\n")
    cloned.git("tag", "rel")
    parent = cloned.git("rev-parse", "HEAD~1")
    step = f"{RUN} --base {parent[:8]}"
    why = f"commit {cloned.head[:8]} was not reviewed here; {ON_REMOTE}"
    assert refused(cloned, "origin", "rel") == missing(cloned.head, step).replace(
        f"commit {cloned.head[:8]} was never reviewed", why
    )
    assert opened_by_its_step(cloned, "origin", "rel") == step


def test_fresh_clone_is_told_that_nothing_would_leave(cloned: Repo, tmp_path: Path) -> None:
    clone = Repo(tmp_path / "clone", cloned.environ)
    cloned.git("clone", "--quiet", cloned.git("remote", "get-url", "origin"), str(clone.path))
    parent = clone.git("rev-parse", "HEAD~1")
    told = clone.gate("verify")
    assert (told.returncode, told.stdout) == (
        1,
        block(
            "No review state found. Run /review before shipping.",
            f"commit {clone.head[:8]} was not reviewed here; {ON_REMOTE}",
            f"{RUN} --base {parent[:8]}",
        ),
    )
    rows = clone.gate("status").stdout.splitlines()
    assert f"why       commit {clone.head[:8]} was not reviewed here; {ON_REMOTE}" in rows
    assert f"next      {RUN} --base {parent[:8]}" in rows
    type_step(clone, next_step(told.stdout))
    assert clone.gate("verify").returncode == 0


def test_fresh_clone_of_one_commit_is_reviewed_whole(opened: Repo, tmp_path: Path) -> None:
    clone = Repo(tmp_path / "clone", opened.environ)
    opened.git("clone", "--quiet", opened.git("remote", "get-url", "origin"), str(clone.path))
    step = next_step(clone.gate("verify").stdout)
    assert step == f"{RUN} --scope all"
    type_step(clone, step)
    assert clone.gate("verify").returncode == 0


def test_commit_that_was_pulled_over_a_reviewed_one_is_said_to_be_there(published: Repo) -> None:
    reviewed, pulled = published.head, published.commit("somebody else's")
    seed(published, "origin", "main")
    told = published.gate("verify")
    assert told.stdout == block(
        f"Review state is for commit {reviewed[:8]}, current HEAD is {pulled[:8]}. Run /review again.",
        f"no reviewer saw the content of this commit; {ON_REMOTE}",
        f"{RUN} --base {reviewed[:8]}",
    )
    type_step(published, next_step(told.stdout))
    assert published.gate("verify").returncode == 0


# Where a run would refuse to start


# Commits that leave nothing behind


def test_push_of_what_the_remote_has_says_that_it_was_not_reviewed_here(cloned: Repo) -> None:
    line = f"review-gate: the remote already has commit {cloned.head[:8]}, not reviewed here\n"
    assert line in let_out(cloned, "origin", "main:again").stderr
    record_pass(cloned, cloned.head)
    assert "review-gate" not in let_out(cloned, "origin", "main:once-more").stderr
    below = cloned.git("rev-parse", "HEAD~1")
    first = cloned.git("rev-parse", "HEAD~2")
    done = let_out(cloned, "origin", f"{below}:refs/heads/b", f"{first}:refs/heads/a", "main:m")
    named = f"{below[:8]}, {first[:8]}"
    assert f"review-gate: the remote already has 2 commits ({named}), not reviewed here\n" in done.stderr
