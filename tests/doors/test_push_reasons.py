"""Every reason for which the gate stays closed, by real pushes: the words, and what opens it again."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

from conftest import Repo
from pushing import (
    FAILED,
    INCOMPLETE,
    commit_after_staged_review,
    forget,
    gate_words,
    grow,
    let_out,
    move_remote_on,
    record_pass,
    record_review,
    refused,
)
from refusals import (
    RUN,
    block,
    failed,
    uncovered,
)
from tracing import started

# Rules 2 and 3: the reasons


def test_a_refused_push_asks_git_no_more_than_it_has_to(published: Repo, tmp_path: Path) -> None:
    published.commit("second")
    asked = started(tmp_path / "trace.json", partial(published.push, "origin", "main"), code=1)
    assert 0 < len(asked) <= 10, asked


def test_a_long_way_down_many_reviews_takes_no_git_process_for_each(opened: Repo, tmp_path: Path) -> None:
    unreviewed = opened.commit("unreviewed")
    for number in range(30):
        base = opened.head
        record_pass(opened, opened.commit(f"step {number}"), base)
    asked = started(tmp_path / "trace.json", partial(opened.push, "origin", "main"), code=1)
    assert 0 < len(asked) <= 12, asked
    assert f"1 commit ({unreviewed[:8]}) below it would leave unreviewed" in refused(opened, "origin", "main")


def test_newest_complete_review_decides(opened: Repo) -> None:
    """One commit, one policy, one base: only what an untracked program says changes between the runs."""

    def probe_says(code: int | None) -> None:
        (opened.path / "probe").unlink(missing_ok=True)
        if code is not None:
            opened.write("probe", f"#!/bin/sh\necho seen\nexit {code}\n").chmod(0o755)
        assert opened.gate("run", "--yes").returncode == (code != 0)

    opened.commit("probed", {".review-gate.yaml": "commands:\n  - {name: probe, loop: 2, run: [./probe]}\n"})
    probe_says(None)
    could_not = "Loop 2 could not finish: probe could not run: ./probe was not found. Re-run /review."
    why = "a reviewer that did not run has not passed anything"
    step = "see to that, then review-gate run"
    assert refused(opened, "origin", "main") == block(could_not, why, step)
    probe_says(0)
    probe_says(1)
    found = failed("Loop 2 failed: probe: exit code 1: seen. Fix issues and re-run /review.")
    assert refused(opened, "origin", "main") == found
    probe_says(None)
    assert refused(opened, "origin", "main") == found
    probe_says(0)
    probe_says(None)
    let_out(opened, "origin", "main")


def test_failure_against_another_base_closes_the_gate_too(opened: Repo) -> None:
    base, commit = opened.head, opened.commit("second")
    record_pass(opened, commit, base)
    record_review(opened, commit, loops=FAILED)
    assert refused(opened, "origin", "main") == failed()


def test_review_of_the_last_commit_alone_does_not_carry_the_ones_below_it(opened: Repo) -> None:
    remote, below = opened.head, opened.commit("below")
    opened.commit("above")
    opened.review("--base", "HEAD~1")
    wider = f"{RUN} --base {remote[:8]}"
    assert refused(opened, "origin", "main") == uncovered(below, f"1 commit ({below[:8]})", wider)
    opened.review(*wider.split()[2:])
    let_out(opened, "origin", "main")


def test_chain_of_reviews_covers_a_push_until_a_link_fails(opened: Repo) -> None:
    commits = [opened.head, *(opened.commit(name) for name in ("one", "two", "three"))]
    for base, commit in pairwise(commits):
        record_pass(opened, commit, base)
    record_review(opened, commits[2], commits[1], FAILED)
    wider = f"{RUN} --base {commits[0][:8]}"
    assert refused(opened, "origin", "main") == uncovered(commits[2], f"1 commit ({commits[2][:8]})", wider)
    record_pass(opened, commits[2], commits[1])
    let_out(opened, "origin", "main")


def test_reviewed_commit_needs_no_new_review_when_one_comes_back_to_it(opened: Repo) -> None:
    reviewed = opened.commit("reviewed")
    opened.review()
    opened.commit("not reviewed")
    opened.git("switch", "--quiet", "--detach", reviewed)
    let_out(opened, "origin", "HEAD:main")


def test_what_one_remote_has_does_not_count_for_another(opened: Repo, tmp_path: Path) -> None:
    opened.git("init", "--quiet", "--bare", str(tmp_path / "other.git"))
    opened.git("remote", "add", "other", str(tmp_path / "other.git"))
    first = opened.head
    forget(opened, first)
    record_pass(opened, opened.commit("second"), first)
    let_out(opened, "origin", "main")
    words = uncovered(first, f"1 commit ({first[:8]})", f"{RUN} --scope all")
    assert refused(opened, "other", "main", remote="other") == words
    opened.review("--scope", "all")
    let_out(opened, "other", "main")


def test_remote_that_moved_on_is_asked_for_what_it_got_without_touching_a_ref(opened: Repo) -> None:
    base = opened.head
    forget(opened, base)
    theirs = move_remote_on(opened)
    record_pass(opened, opened.commit("ours"), base)
    refs = opened.git("for-each-ref")
    let_out(opened, "origin", "main:new")
    assert opened.git("cat-file", "-t", theirs) == "commit"
    assert opened.git("for-each-ref").replace(f"{opened.head} commit\trefs/remotes/origin/new\n", "") == refs
    assert not (opened.path / ".git/FETCH_HEAD").exists()


def test_moved_remote_proves_nothing_about_commits_that_it_lacks(opened: Repo) -> None:
    published, base = opened.head, opened.commit("never reviewed")
    opened.git("update-ref", "refs/remotes/origin/main", base)
    theirs = move_remote_on(opened)
    record_pass(opened, opened.commit("ours"), base)
    words = uncovered(base, f"1 commit ({base[:8]})", f"{RUN} --base {published[:8]}")
    assert refused(opened, "origin", "main:new") == words
    assert opened.git("cat-file", "-t", theirs) == "commit"


def test_moved_remote_that_nothing_here_points_to_confirms_nothing(opened: Repo) -> None:
    base = opened.head
    forget(opened, base)
    move_remote_on(opened)
    opened.git("--git-dir", opened.git("remote", "get-url", "origin"), "symbolic-ref", "HEAD", "refs/heads/gone")
    opened.git("update-ref", "-d", "refs/remotes/origin/main")
    record_pass(opened, opened.commit("ours"), base)
    what = f"The review starts at {base[:8]}, but 1 commit ({base[:8]}) below it would leave unreviewed."
    why = f"the remote has commits that are not here, so nobody can say whether it has {base[:8]}"
    assert refused(opened, "origin", "main:new") == block(what, why, "git fetch origin, then git push again")
    opened.git("fetch", "--quiet")
    let_out(opened, "origin", "main:new")


def test_other_repository_is_not_asked_in_the_place_of_the_remote(opened: Repo, tmp_path: Path) -> None:
    """Git has rewritten the URL once before the hook sees it; a second rewriting would lead elsewhere."""
    url, decoy = opened.git("remote", "get-url", "origin"), str(tmp_path / "decoy.git")
    opened.commit("not reviewed")
    opened.git("clone", "--quiet", "--bare", str(opened.path), decoy)
    opened.git("config", f"url.{url}.insteadOf", "short:")
    opened.git("config", f"url.{decoy}.insteadOf", url)
    assert gate_words(opened.push("short:", "main:new")).startswith("blocked: ")
    assert opened.git("--git-dir", url, "branch", "--format=%(refname:short)") == "main"


def test_incomplete_review_does_not_hold_back_what_the_remote_has(opened: Repo) -> None:
    forget(opened, opened.head)
    let_out(opened, "origin", "main:same")
    record_review(opened, opened.head, loops=INCOMPLETE)
    let_out(opened, "origin", "main:same-again")


def test_base_that_is_pushed_too_is_still_known_to_be_on_the_remote(opened: Repo) -> None:
    base = opened.head
    forget(opened, base)
    record_pass(opened, opened.commit("second"), base)
    let_out(opened, "origin", "main", f"{base}:refs/heads/backup")


def test_review_whose_base_is_gone_does_not_hide_a_good_one(opened: Repo) -> None:
    base = opened.head
    record_pass(opened, opened.commit("second"), base)
    let_out(opened, "origin", "main")
    forget(opened, base)
    commit = grow(opened, "side", base)
    record_pass(opened, commit, base)
    record_pass(opened, commit, "1" * 40)
    let_out(opened, "origin", f"{commit}:refs/heads/side")


def test_long_chain_of_reviews_is_followed_to_its_end(opened: Repo) -> None:
    base = tip = opened.head
    forget(opened, base)
    for number in range(30):
        below, tip = tip, opened.git("commit-tree", "-m", str(number), "-p", tip, "HEAD^{tree}")
        record_pass(opened, tip, below)
    third, next_to_tip = opened.git("rev-parse", f"{tip}~27", f"{tip}~1").split()
    forget(opened, third)
    step = f"git switch --detach {tip[:8]} && {RUN} --base {base[:8]} --allow-empty"
    words = uncovered(next_to_tip, f"1 commit ({third[:8]})", step, gap=third)
    assert refused(opened, "origin", f"{tip}:refs/heads/long") == words
    record_pass(opened, third, f"{opened.git('rev-parse', third + '~1')}")
    let_out(opened, "origin", f"{tip}:refs/heads/long")


# Rule 5: a review of the index


def test_staged_review_counts_for_the_commit_of_that_tree_on_that_parent(opened: Repo) -> None:
    side = grow(opened, "side")
    inherited = commit_after_staged_review(opened)
    tree = opened.git("rev-parse", "HEAD^{tree}")
    others = {
        "other parent": opened.git("commit-tree", "-m", "moved", "-p", side, tree),
        "no parent": opened.git("commit-tree", "-m", "root", tree),
        "other tree": opened.commit("amended", {"staged.txt": "changed\n"}, "--amend"),
    }
    for other in others.values():
        assert other[:8] in refused(opened, "origin", f"{other}:refs/heads/x")
    let_out(opened, "origin", f"{inherited}:main")


def test_staged_review_does_not_speak_for_a_second_parent(opened: Repo) -> None:
    base, side = opened.head, grow(opened, "side")
    tree = opened.git("rev-parse", commit_after_staged_review(opened) + "^{tree}")
    merge = opened.git("commit-tree", "-m", "merge", "-p", base, "-p", side, tree)
    assert refused(opened, "origin", f"{merge}:main").startswith("blocked: ")
