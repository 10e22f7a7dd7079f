"""Every ref is judged by the commit it sends, whatever its name and kind; history that lies does not help."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from pushing import (
    FAILED,
    forget,
    gate_words,
    grow,
    let_out,
    record_pass,
    record_review,
    refused,
)
from refusals import (
    RUN,
    block,
    failed,
    missing,
    not_a_commit,
    stale,
    uncovered,
)

from review_gate.shell.ledger import COMMITS, LEDGER

# Rule 1: every ref is judged


def test_one_unreviewed_branch_among_several_holds_all_of_them_back(opened: Repo) -> None:
    for name in ("good", "bad", "worse"):
        opened.git("branch", name, grow(opened, name))
    record_pass(opened, opened.git("rev-parse", "good"))
    record_review(opened, opened.git("rev-parse", "worse"), loops=FAILED)
    bad = missing(opened.git("rev-parse", "bad"), f"git switch bad && {RUN}", ref="refs/heads/bad -> refs/heads/bad")
    worse = failed(ref="refs/heads/worse -> refs/heads/worse").replace("next:  ", "next:  git switch worse, ")
    words = worse + bad
    assert refused(opened, "origin", "good", "bad", "worse") == words
    let_out(opened, "origin", "good")


def test_push_without_a_commit_needs_no_review(opened: Repo) -> None:
    let_out(opened, "origin", "main:old", "main:older")
    opened.commit("not reviewed")
    opened.state_file.parent.mkdir(parents=True)
    opened.state_file.write_text("not a state")
    let_out(opened, "origin", "--delete", "old", "older")
    assert opened.remote_ref("refs/heads/old") is None
    opened.git("reset", "--quiet", "--hard", "HEAD~1")
    assert "Everything up-to-date" in let_out(opened, "origin", "main").stderr


def test_dry_run_is_judged_like_a_push(opened: Repo) -> None:
    commit = opened.commit("second")
    assert refused(opened, "--dry-run", "origin", "main") == missing(commit)
    record_pass(opened, commit)
    let_out(opened, "--dry-run", "origin", "main")
    assert opened.remote_ref("refs/heads/main") != commit


def test_what_is_no_commit_is_refused(opened: Repo) -> None:
    oid = opened.git("rev-parse", "HEAD^{tree}")
    opened.git("tag", "light", oid)
    opened.git("tag", "-a", "-m", "heavy", "heavy", oid)
    heavy = opened.git("rev-parse", "heavy")
    assert refused(opened, "origin", "light") == not_a_commit("refs/tags/light", oid)
    assert refused(opened, "origin", "heavy") == not_a_commit("refs/tags/heavy", heavy)
    remote_ref = COMMITS + opened.head
    assert refused(opened, "origin", f"{oid}:{remote_ref}") == not_a_commit(remote_ref, oid)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a process's memory this way")
def test_what_is_no_commit_is_refused_unread(opened: Repo, tmp_path: Path) -> None:
    with (tmp_path / "giant").open("wb") as file:
        file.truncate(150_000_000)
    oid = opened.git("hash-object", "-w", str(tmp_path / "giant"))
    opened.git("tag", "giant", oid)
    done = opened.run("sh", "-c", "ulimit -v 200000 && git push origin giant")
    assert gate_words(done) == not_a_commit("refs/tags/giant", oid)


def test_ledger_can_be_pushed_but_hides_no_commit(opened: Repo) -> None:
    commit = opened.commit("second")
    for place in ("refs/review-gate/x", COMMITS + commit):
        assert refused(opened, "origin", f"HEAD:{place}") == missing(commit)
    let_out(opened, "origin", f"{LEDGER}*:{LEDGER}*")
    entry = opened.git("rev-parse", f"{COMMITS}{opened.git('rev-parse', 'HEAD~1')}")
    assert opened.remote_ref(f"{COMMITS}{opened.git('rev-parse', 'HEAD~1')}") == entry
    record_pass(opened, commit)
    let_out(opened, "origin", "HEAD:refs/review-gate/x")


def test_sha256_repository_is_gated_the_same(make_repo: MakeRepo) -> None:
    wide = make_repo("wide", object_format="sha256")
    first = wide.commit("first")
    assert wide.gate("install").returncode == 0
    assert refused(wide, "origin", "main") == missing(first)
    wide.review()
    let_out(wide, "origin", "main")
    second = wide.commit("second")
    assert refused(wide, "origin", "main") == stale(first, second)
    wide.git("tag", "-a", "-m", "v1", "v1")
    record_pass(wide, second, first)
    let_out(wide, "origin", "main", "v1")
    let_out(wide, "origin", "main:old")
    let_out(wide, "origin", ":old")
    assert (wide.remote_ref("v1^{commit}"), wide.remote_ref("refs/heads/old")) == (second, None)


def test_branch_and_detached_head_are_judged_by_what_they_send(opened: Repo) -> None:
    reviewed, other = grow(opened, "reviewed"), grow(opened, "other")
    opened.git("branch", "topic", other)
    record_pass(opened, reviewed)
    assert refused(opened, "origin", "topic") == missing(other, f"git switch topic && {RUN}")
    opened.git("switch", "--quiet", "--detach", other)
    assert refused(opened, "origin", "HEAD:refs/heads/topic") == missing(other)
    let_out(opened, "origin", f"{reviewed}:refs/heads/reviewed")
    opened.git("switch", "--quiet", "--detach", reviewed)
    assert refused(opened, "origin", "topic") == missing(other, f"git switch topic && {RUN}")
    let_out(opened, "origin", "HEAD:main")


def test_next_step_works_for_a_branch_that_another_work_tree_has_checked_out(opened: Repo) -> None:
    opened.git("worktree", "add", "--quiet", "-b", "apart", "../apart")
    apart = Repo(opened.path.parent / "apart", opened.environ)
    commit = apart.commit("apart")
    step = f"git switch --detach {commit[:8]} && {RUN}"
    assert refused(opened, "origin", "apart") == missing(commit, step)
    done = opened.run("sh", "-c", f"{step} --yes")
    assert done.returncode == 0, done.stderr
    let_out(opened, "origin", "apart")


def test_local_ref_with_blanks_is_read_whole(opened: Repo) -> None:
    commit = opened.commit("fix it all")
    assert refused(opened, "origin", ":/fix it all:refs/heads/x") == missing(commit)
    record_pass(opened, commit)
    let_out(opened, "origin", ":/fix it all:refs/heads/x")


NAMES = ("feat/$(touch${IFS}pwned);'\"", "a&b|c", "grün/✓")
# The terminal would show another name, so the next step names the commit.
UNSEEN_NAMES = ("a\u202eb", "a\udcffb")


def test_branch_name_is_only_a_name(opened: Repo) -> None:
    commit = grow(opened, "odd")
    for name in NAMES:
        opened.git("branch", name, commit)
        words = refused(opened, "origin", name)
        typed = shlex.shlex(words.rpartition("  next:  ")[2], posix=True, punctuation_chars=True)
        typed.whitespace_split = True
        assert list(typed) == ["git", "switch", name, "&&", "review-gate", "run"]
        opened.git("branch", "--delete", "--force", name)
    for name in UNSEEN_NAMES:
        opened.git("branch", name, commit)
        assert refused(opened, "origin", name) == missing(commit, f"git switch --detach {commit[:8]} && {RUN}")
        opened.git("branch", "--delete", "--force", name)
    for name in (*NAMES, *UNSEEN_NAMES):
        opened.git("branch", name, commit)
    record_pass(opened, commit)
    let_out(opened, "origin", *NAMES, *UNSEEN_NAMES)
    assert {opened.remote_ref(f"refs/heads/{name}") for name in NAMES} == {commit}
    assert not (opened.path / "pwned").exists()


# History that lies


def test_replaced_or_grafted_history_does_not_put_commits_on_the_remote(opened: Repo) -> None:
    remote = opened.head
    opened.git("switch", "--quiet", "--orphan", "apart")
    root = opened.commit("unreviewed root")
    record_pass(opened, opened.commit("reviewed on top of it"), root)
    words = uncovered(root, f"1 commit ({root[:8]})", f"{RUN} --scope all")
    opened.git("replace", "--graft", remote, root)
    assert opened.git("merge-base", root, "main") == root
    assert refused(opened, "origin", "apart") == words
    opened.git("replace", "--delete", remote)
    opened.write(".git/info/grafts", f"{remote} {root}\n")
    assert opened.git("merge-base", root, "main") == root
    assert refused(opened, "origin", "apart").endswith(words)


def test_replaced_ledger_entry_is_not_believed(opened: Repo) -> None:
    commit = opened.commit("second")
    record_pass(opened, commit)
    passing = opened.git("rev-parse", COMMITS + commit)
    forget(opened, commit)
    record_review(opened, commit, loops=FAILED)
    opened.git("replace", COMMITS + commit, passing)
    assert refused(opened, "origin", "main") == failed()


# The hook itself


def test_push_is_refused_at_once_when_the_installation_is_gone(opened: Repo) -> None:
    record_pass(opened, opened.commit("second"))
    hook = opened.path / ".git/hooks/pre-push"
    shim = hook.read_text()
    python = re.search("^python=(.*)$", shim, re.MULTILINE)
    assert python
    gone = "{} or its review-gate package is gone, so nobody can judge this pre-push"
    next_step = "install review-gate again and run: review-gate install"
    what = "review-gate is no longer where it was installed"
    hook.write_text(re.sub("^python=.*$", "python=/gone/python", shim, flags=re.MULTILINE))
    assert refused(opened, "origin", "main") == block(what, gone.format("/gone/python"), next_step)
    hook.write_text(re.sub("^place=.*$", "place=/gone", shim, flags=re.MULTILINE))
    assert refused(opened, "origin", "main") == block(what, gone.format(python[1]), next_step)
    hook.write_text(re.sub("^python=.*$", "python=/bin/false", shim, flags=re.MULTILINE))
    assert refused(opened, "origin", "main") == ""
    hook.write_text(shim)
    let_out(opened, "origin", "main")


def test_push_is_refused_without_a_traceback_when_the_installation_is_damaged(opened: Repo, tmp_path: Path) -> None:
    record_pass(opened, opened.commit("second"))
    hook = opened.path / ".git/hooks/pre-push"
    (tmp_path / "git_hooks").mkdir()
    (tmp_path / "git_hooks/__init__.py").touch()
    (tmp_path / "git_hooks/pre_push.py").write_text("from review_gate.nowhere import main\n")
    hook.write_text(re.sub("^place=.*$", f"place={tmp_path}", hook.read_text(), flags=re.MULTILINE))
    what = "review-gate is damaged: ModuleNotFoundError: No module named 'review_gate'"
    step = "install review-gate again and run: review-gate install"
    assert refused(opened, "origin", "main") == block(what, "nobody can judge this pre-push", step)


NO_LIST = block(
    "git's list of pushed refs is missing",
    "the pre-push hook reads it from standard input and never guesses",
    "git push, or review-gate verify",
)


def test_hook_without_the_list_of_refs_refuses(gated: Repo) -> None:
    for call in ("pre-push origin url <&-", "pre-push origin </dev/null", "pre-push </dev/null"):
        done = gated.run("sh", "-c", f".git/hooks/{call}")
        assert (done.returncode, done.stderr) == (1, NO_LIST)


def test_hook_does_not_wait_for_a_terminal(gated: Repo) -> None:
    ours, terminal = os.openpty()
    try:
        argv = [".git/hooks/pre-push", "origin", "url"]
        done = subprocess.run(
            argv, cwd=gated.path, env=gated.environ, stdin=terminal, stderr=subprocess.PIPE, timeout=60, check=False
        )
    finally:
        os.close(ours)
        os.close(terminal)
    assert (done.returncode, done.stderr.decode()) == (1, NO_LIST)


def test_hook_refuses_what_it_cannot_read(gated: Repo) -> None:
    for line in ("refs/heads/main abc refs/heads/main def", "refs/heads/main", "\x1b[2J " * 4):
        done = gated.run(".git/hooks/pre-push", "origin", "url", stdin=f"{line}\n")
        why, next_step = "the gate cannot judge a push it cannot read", "review-gate doctor"
        what = f"not a line of git's pre-push protocol: {line!r}"
        assert (done.returncode, done.stderr) == (1, block(what, why, next_step))
