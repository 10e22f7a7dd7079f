"""The rules of the gate, each by real pushes: what is refused and in which words, and what goes through."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from test_push_shapes import (
    FAILED,
    INCOMPLETE,
    forget,
    gate_words,
    grow,
    let_out,
    publish,
    record_pass,
    record_review,
    refused,
)

from review_gate.shell.ledger import COMMITS, LEDGER

STATE = ".claude/skills/code-review/loop-state.json"
RUN = "review-gate run"
FOUND_BROKEN = "Loop 1 failed: app.py:1: broken. Fix issues and re-run /review."


def block(what: str, why: str, next_step: str = RUN, *, ref: str = "") -> str:
    """The shape of every refusal."""
    named = f"  ref:   {ref}\n" if ref else ""
    return f"blocked: {what}\n{named}  why:   {why}\n  next:  {next_step}\n"


def missing(commit: str, next_step: str = RUN, *, ref: str = "") -> str:
    what = "No review state found. Run /review before shipping."
    return block(what, f"commit {commit[:8]} was never reviewed", next_step, ref=ref)


def stale(reviewed: str, commit: str) -> str:
    what = f"Review state is for commit {reviewed[:8]}, current HEAD is {commit[:8]}. Run /review again."
    return block(what, "no reviewer saw the content of this commit")


def failed(what: str = FOUND_BROKEN, *, ref: str = "") -> str:
    return block(what, "the review of exactly this commit did not pass", f"fix, commit, then {RUN}", ref=ref)


def uncovered(base: str, named: str, next_step: str) -> str:
    what = f"The review starts at {base[:8]}, but {named} below it would leave unreviewed."
    return block(what, f"the remote does not have {base[:8]}, and no passing review covers it", next_step)


def tampered(commit: str, why: str) -> str:
    return block(f"The review state of {commit[:8]} does not agree with the review ledger.", why)


def not_a_commit(remote_ref: str, oid: str) -> str:
    why = "a review is of commits; no review can cover any other object"
    return block(f"{remote_ref} would receive {oid[:8]}, which is not a commit.", why, "push again without this ref")


@pytest.fixture
def opened(gated: Repo) -> Repo:
    """A gated repository whose first commit is on the remote, without a state file."""
    publish(gated)
    return gated


# Rules 2 and 3: the reasons


def test_first_push_needs_a_review_and_passes_with_one(gated: Repo) -> None:
    assert refused(gated, "origin", "main") == missing(gated.head)
    gated.review()
    let_out(gated, "origin", "main")
    assert gated.remote_ref("refs/heads/main") == gated.head


def test_push_is_blocked_when_head_moved_after_review(published: Repo) -> None:
    first = published.head
    second = published.commit("second")
    assert refused(published, "origin", "main") == stale(first, second)
    published.review()
    amended = published.commit("second, amended", None, "--amend")
    assert refused(published, "origin", "main") == stale(second, amended)
    published.review()
    third = published.commit("third")
    assert refused(published, "origin", "main") == stale(amended, third)
    published.git("reset", "--quiet", "--hard", second)
    let_out(published, "origin", "main")


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
    assert refused(opened, "origin", "main") == block(could_not, "a reviewer that did not run has not passed anything")
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


def test_unreviewed_side_of_a_merge_is_named(opened: Repo) -> None:
    remote, side = opened.head, grow(opened, "side")
    main = opened.commit("on main")
    opened.git("merge", "--quiet", "--no-ff", "-m", "merge", side)
    record_pass(opened, main, remote)
    record_pass(opened, opened.head, side)
    wider = f"{RUN} --base {remote[:8]}"
    assert refused(opened, "origin", "main") == uncovered(side, f"1 commit ({side[:8]})", wider)
    record_pass(opened, opened.head, main)
    let_out(opened, "origin", "main")


def test_review_under_another_policy_does_not_count(opened: Repo) -> None:
    record_pass(opened, opened.commit("second"))
    opened.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    words = block(
        f"The review of {opened.head[:8]} was made under another policy. Run /review again.",
        "the settings that decide how strict a review is have changed since",
    )
    assert refused(opened, "origin", "main") == words
    opened.write(".review-gate.yaml", "no_such_key: 1\n")
    assert refused(opened, "origin", "main").startswith("blocked: .review-gate.yaml")
    (opened.path / ".review-gate.yaml").unlink()
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


def test_remote_that_moved_to_unknown_commits_confirms_nothing_until_it_is_fetched(opened: Repo) -> None:
    base = opened.head
    forget(opened, base)
    clone = Repo(opened.path.parent / "clone", opened.environ)
    opened.git("clone", "--quiet", opened.git("remote", "get-url", "origin"), str(clone.path))
    clone.commit("somebody else's")
    let_out(clone, "origin", "main")
    record_pass(opened, opened.commit("ours"), base)
    words = uncovered(base, f"1 commit ({base[:8]})", f"{RUN} --scope all")
    assert refused(opened, "--force", "origin", "main") == words
    opened.git("fetch", "--quiet")
    let_out(opened, "--force", "origin", "main")


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
    words = uncovered(next_to_tip, f"1 commit ({third[:8]})", f"{RUN} --base {base[:8]}")
    assert refused(opened, "origin", f"{tip}:refs/heads/long") == words
    record_pass(opened, third, f"{opened.git('rev-parse', third + '~1')}")
    let_out(opened, "origin", f"{tip}:refs/heads/long")


# Rule 5: a review of the index


def commit_after_staged_review(repo: Repo) -> str:
    """A commit whose content was reviewed in the index."""
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    repo.review("--staged")
    repo.git("commit", "--quiet", "-m", "staged")
    return repo.head


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


# Corrupt and tampered

NO_JSON = "not JSON at character 0"
SPOILT_ENTRIES: dict[str, tuple[str, str, str]] = {
    "a file": ("commits/{commit}", "HEAD:app.py", NO_JSON),
    "another commit's reviews": (
        "commits/{commit}",
        "refs/review-gate/commits/{first}",
        "the document belongs to another subject",
    ),
    "a commit": ("commits/{commit}", "HEAD", "it is a commit, not a record"),
}


@pytest.mark.parametrize("kind", SPOILT_ENTRIES)
def test_entry_that_is_no_review_closes_the_gate_until_the_next_run(opened: Repo, kind: str) -> None:
    first = opened.head
    record_pass(opened, opened.commit("second"))
    ids = {"commit": opened.head, "tree": opened.git("rev-parse", "HEAD^{tree}"), "first": first}
    place, content, why = SPOILT_ENTRIES[kind]
    ref = LEDGER + place.format_map(ids)
    opened.git("update-ref", ref, opened.git("rev-parse", content.format_map(ids)))
    what = f"Cannot read the review record of commit {opened.head[:8]}."
    assert refused(opened, "origin", "main") == block(what, f"{ref}: {why}")
    opened.review()
    let_out(opened, "origin", "main")


def test_unreadable_staged_review_gives_nothing_to_inherit_and_takes_nothing_away(opened: Repo) -> None:
    commit = commit_after_staged_review(opened)
    tree = opened.git("rev-parse", "HEAD^{tree}")
    opened.git("update-ref", f"{LEDGER}trees/{tree}", opened.git("rev-parse", "HEAD:app.py"))
    assert refused(opened, "origin", "main").startswith("blocked: ")
    record_pass(opened, commit)
    let_out(opened, "origin", "main")


def test_review_of_another_commit_does_not_speak_for_this_one(opened: Repo) -> None:
    other = opened.head
    commit = opened.commit("second")
    tree = opened.git("rev-parse", f"{other}^{{tree}}")
    identity = record_review(opened, other, tree=tree, ref=COMMITS + commit)
    why = f"the record {identity[:8]} is about other content than commit {commit[:8]}"
    assert refused(opened, "origin", "main") == tampered(commit, why)


def test_record_is_found_nowhere_but_in_the_ledger(opened: Repo) -> None:
    """Git looks for a ref that does not exist below refs/tags/ too, where a `git fetch --tags` can put one."""
    commit = opened.commit("second")
    record_pass(opened, commit)
    opened.git("tag", COMMITS + commit, COMMITS + commit)
    forget(opened, commit)
    assert refused(opened, "origin", "main") == missing(commit)


def test_state_that_contradicts_the_ledger_closes_the_gate(published: Repo) -> None:
    commit = published.commit("second", {"app.py": "def broken(:\n"})
    assert published.gate("run", "--yes").returncode == 1
    state = json.loads(published.state_file.read_text())
    flags = {f"loop_{number}_passed": True for number in range(1, 5)}
    other = f"{STATE} says something else than the review it names"
    unknown = f"{STATE} names a review that the ledger does not have"
    edits = {
        "flipped to a pass": (state | flags | {"ship_allowed": True, "blockers": []}, other),
        "one flag flipped": (state | {"loop_1_passed": True}, other),
        "invented review": (state | flags | {"ship_allowed": True, "decision": {"record": "f" * 32}}, unknown),
    }
    told = {}
    for name, (lie, _) in edits.items():
        published.state_file.write_text(json.dumps(lie))
        told[name] = refused(published, "origin", "main")
    assert told == {name: tampered(commit, why) for name, (_, why) in edits.items()}
    forget(published, commit)
    published.state_file.write_text(json.dumps(state))
    assert refused(published, "origin", "main") == tampered(commit, unknown)


def corrupt_state(why: str) -> str:
    what = f"Cannot read review state file. Check {STATE}."
    return block(what, f"{why}; a state that cannot be read is no review", f"move {STATE} away, then {RUN}")


def hostile_texts(text: str) -> dict[str, tuple[bytes, str]]:
    """Spoilt versions of a good state, each with what is wrong with it."""
    good = text.encode()
    many = "a key stands twice in one object"
    spoilt = {
        "empty": (b"", "not JSON at character 0"),
        "zero bytes": (bytes(100), "not JSON at character 0"),
        "duplicate key": (good.replace(b"{", b'{"ship_allowed": false,', 1), f"not JSON: {many}"),
        "BOM": (b"\xef\xbb\xbf" + good, "not JSON at character 0"),
        "UTF-16": (text.encode("utf-16"), "not UTF-8 at byte 0"),
        "NaN": (good.replace(b'"version": 1', b'"version": NaN'), "not JSON: NaN is not JSON"),
        "infinity": (good.replace(b'"version": 1', b'"version": 1e999'), "not JSON: 1e999 is out of range"),
        "two documents": (good + good, f"something follows the document at character {len(text) - 1}"),
        "list": (b"[]", "it is not a JSON object"),
        "deep": (b"[" * 1_000_000, "nested too deeply"),
        "newer version": (good.replace(b'"version": 1', b'"version": 2'), "version 2 is not one this program reads"),
        "extra field": (good.replace(b"{", b'{"approved": true,', 1), "the field 'approved' is unknown"),
    }
    wrong = {"text": b'"true"', "number": b"1", "null": b"null", "list": b"[true]"}
    for name, value in wrong.items():
        lie = good.replace(b'"ship_allowed": true', b'"ship_allowed": ' + value)
        spoilt[f"{name} for a truth value"] = (lie, "ship_allowed is not true or false")
    return spoilt


def test_state_that_cannot_be_believed_closes_the_gate(published: Repo) -> None:
    published.commit("second")
    published.review()
    text = published.state_file.read_text()
    hostile = hostile_texts(text)
    told = {}
    for name, (content, _) in hostile.items():
        published.state_file.write_bytes(content)
        told[name] = refused(published, "origin", "main")
    assert told == {name: corrupt_state(why) for name, (_, why) in hostile.items()}
    for length in range(1, len(text) - 1, len(text) // 12):
        published.state_file.write_text(text[:length])
        words = refused(published, "origin", "main")
        assert words.startswith(f"blocked: Cannot read review state file. Check {STATE}.\n  why:   not JSON"), length
    published.state_file.write_text(text)
    let_out(published, "origin", "main")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100_000_000)


def test_state_that_is_no_plain_file_closes_the_gate(published: Repo) -> None:
    published.commit("second")
    published.review()
    path = published.state_file
    kept = path.rename(path.with_name("kept.json"))
    odd: dict[str, tuple[Callable[[Path], object], str]] = {
        "sparse": (sparse, "it is 100000000 bytes long, more than 4000000"),
        "FIFO": (os.mkfifo, "it is not a regular file"),
        "link": (lambda path: path.symlink_to(kept), "it is a symbolic link"),
        "broken link": (lambda path: path.symlink_to("nowhere"), "it is a symbolic link"),
        "folder": (Path.mkdir, "it is not a regular file"),
    }
    told = {}
    for name, (make, _) in odd.items():
        make(path)
        told[name] = refused(published, "origin", "main")
        path.rmdir() if name == "folder" else path.unlink()
    assert told == {name: corrupt_state(why) for name, (_, why) in odd.items()}
    let_out(published, "origin", "main")


# Rule 1: every ref is judged, by the commit it sends


def test_one_unreviewed_branch_among_several_holds_all_of_them_back(opened: Repo) -> None:
    for name in ("good", "bad", "worse"):
        opened.git("branch", name, grow(opened, name))
    record_pass(opened, opened.git("rev-parse", "good"))
    record_review(opened, opened.git("rev-parse", "worse"), loops=FAILED)
    bad = missing(opened.git("rev-parse", "bad"), f"git switch bad && {RUN}", ref="refs/heads/bad -> refs/heads/bad")
    words = failed(ref="refs/heads/worse -> refs/heads/worse") + bad
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


def test_tag_is_judged_by_the_commit_below_it(opened: Repo) -> None:
    commit = grow(opened, "tagged")
    opened.git("tag", "-a", "-m", "inner", "inner", commit)
    opened.git("tag", "-a", "-m", "outer", "outer", "inner")
    words = missing(commit, f"git switch --detach {commit[:8]} && {RUN}")
    assert refused(opened, "origin", "outer") == words
    record_pass(opened, commit)
    let_out(opened, "origin", "outer")


@pytest.mark.parametrize("revision", ["HEAD:app.py", "HEAD^{tree}"], ids=["blob", "tree"])
def test_what_is_no_commit_is_refused(opened: Repo, revision: str) -> None:
    oid = opened.git("rev-parse", revision)
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


def test_linked_worktrees_share_reviews_and_keep_their_own_state(opened: Repo) -> None:
    opened.git("worktree", "add", "--quiet", "-b", "apart", "../apart")
    apart = Repo(opened.path.parent / "apart", opened.environ)
    commit = apart.commit("work apart")
    assert refused(apart, "origin", "apart") == missing(commit)
    apart.review()
    assert not opened.state_file.exists()
    let_out(opened, "--dry-run", "origin", "apart")
    let_out(apart, "origin", "apart")
    apart.state_file.write_text("not a state")
    assert refused(apart, "origin", "HEAD:again") == corrupt_state("not JSON at character 0")
    let_out(opened, "origin", "apart:again")


def test_local_ref_with_blanks_is_read_whole(opened: Repo) -> None:
    commit = opened.commit("fix it all")
    assert refused(opened, "origin", ":/fix it all:refs/heads/x") == missing(commit)
    record_pass(opened, commit)
    let_out(opened, "origin", ":/fix it all:refs/heads/x")


@pytest.mark.parametrize("name", ["feat/$(touch${IFS}pwned);'\"", "a&b|c", "grün/✓"])
def test_branch_name_is_only_a_name(opened: Repo, name: str) -> None:
    commit = grow(opened, "odd")
    opened.git("branch", name, commit)
    words = refused(opened, "origin", name)
    typed = shlex.shlex(words.rpartition("  next:  ")[2], posix=True, punctuation_chars=True)
    typed.whitespace_split = True
    assert list(typed) == ["git", "switch", name, "&&", "review-gate", "run"]
    record_pass(opened, commit)
    let_out(opened, "origin", name)
    assert opened.remote_ref(f"refs/heads/{name}") == commit
    assert not (opened.path / "pwned").exists()


@pytest.mark.parametrize(
    ("name", "shown"), [("a\u202eb", "a<U+202E>b"), ("a\udcffb", "a\\xffb")], ids=["bidi", "not UTF-8"]
)
def test_branch_name_cannot_disturb_the_terminal(opened: Repo, name: str, shown: str) -> None:
    commit = grow(opened, "odd")
    opened.git("branch", name, commit)
    words = refused(opened, "origin", name)
    assert name not in words
    assert shown in words
    record_pass(opened, commit)
    let_out(opened, "origin", name)


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


NO_LIST = block(
    "git's list of pushed refs is missing",
    "the pre-push hook reads it from standard input and never guesses",
    "git push, or review-gate verify",
)


@pytest.mark.parametrize("call", ["pre-push origin url <&-", "pre-push origin </dev/null", "pre-push </dev/null"])
def test_hook_without_the_list_of_refs_refuses(gated: Repo, call: str) -> None:
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


@pytest.mark.parametrize(
    "line",
    ["refs/heads/main abc refs/heads/main def", "refs/heads/main", "\x1b[2J " * 4],
    ids=["ids", "fields", "noise"],
)
def test_hook_refuses_what_it_cannot_read(gated: Repo, line: str) -> None:
    done = gated.run(".git/hooks/pre-push", "origin", "url", stdin=f"{line}\n")
    why, next_step = "the gate cannot judge a push it cannot read", "review-gate doctor"
    what = f"not a line of git's pre-push protocol: {line!r}"
    assert (done.returncode, done.stderr) == (1, block(what, why, next_step))
