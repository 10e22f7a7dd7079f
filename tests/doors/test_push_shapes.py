"""Every shape a push can have: each ref update that carries a commit is judged on its own, 38 of 38 of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest
from conftest import Repo
from pushing import (
    FAILED,
    empty_tree_of,
    forget,
    gate_words,
    grow,
    let_out,
    publish,
    record_pass,
    record_review,
    refs_of_remote,
)


class Update(NamedTuple):
    """One ref update that carries a commit; one `on_remote` carries a commit that the remote has already."""

    local_ref: str
    remote_ref: str
    commit: str
    on_remote: bool = False


class Shape(NamedTuple):
    """A push ready to be made."""

    repo: Repo
    arguments: tuple[str, ...]
    updates: tuple[Update, ...]
    base: str = ""


def grown_branches(repo: Repo, *names: str) -> tuple[Update, ...]:
    """New branches, each with a commit of its own."""
    for name in names:
        repo.git("branch", name, grow(repo, name))
    return tuple(branch(repo, name) for name in names)


def branch(repo: Repo, name: str, *, on_remote: bool = False) -> Update:
    """The update of a branch under its own name."""
    return Update(f"refs/heads/{name}", f"refs/heads/{name}", repo.git("rev-parse", name), on_remote)


def tag(repo: Repo, name: str, commit: str, *, annotated: bool = False, on_remote: bool = False) -> Update:
    """A new tag and its update."""
    repo.git("tag", *(("-a", "-m", name) if annotated else ()), name, commit)
    return Update(f"refs/tags/{name}", f"refs/tags/{name}", commit, on_remote)


def single(repo: Repo) -> Shape:
    repo.commit("more")
    return Shape(repo, ("origin", "main"), (branch(repo, "main"),))


def first_push(repo: Repo) -> Shape:
    empty = repo.path.parent / "empty.git"
    repo.git("init", "--quiet", "--bare", str(empty))
    repo.git("remote", "set-url", "origin", str(empty))
    return Shape(repo, ("origin", "main"), (branch(repo, "main"),), empty_tree_of(repo.head))


def new_branch(repo: Repo) -> Shape:
    return Shape(repo, ("origin", "one"), grown_branches(repo, "one"))


def same_commit_branch(repo: Repo) -> Shape:
    repo.git("branch", "again")
    return Shape(repo, ("origin", "again"), (branch(repo, "again", on_remote=True),))


def three_branches(repo: Repo) -> Shape:
    return Shape(repo, ("origin", "one", "two", "three"), grown_branches(repo, "one", "two", "three"))


def existing_and_new(repo: Repo) -> Shape:
    others = grown_branches(repo, "one")
    repo.commit("more")
    return Shape(repo, ("origin", "one", "main"), (*others, branch(repo, "main")))


def lightweight_tag(repo: Repo) -> Shape:
    return Shape(repo, ("origin", "v1"), (tag(repo, "v1", grow(repo, "one")),))


def annotated_tag(repo: Repo) -> Shape:
    return Shape(repo, ("origin", "v1"), (tag(repo, "v1", grow(repo, "one"), annotated=True),))


def tag_on_pushed_commit(repo: Repo) -> Shape:
    return Shape(repo, ("origin", "v1"), (tag(repo, "v1", repo.head, on_remote=True),))


def all_tags(repo: Repo) -> Shape:
    light = tuple(tag(repo, name, grow(repo, name)) for name in ("v1", "v2"))
    return Shape(repo, ("origin", "--tags"), (*light, tag(repo, "v3", grow(repo, "v3"), annotated=True)))


def follow_tags(repo: Repo) -> Shape:
    below = tag(repo, "v1", repo.commit("tagged"), annotated=True)
    repo.commit("above the tag")
    return Shape(repo, ("--follow-tags", "origin", "main"), (branch(repo, "main"), below))


def forced(repo: Repo) -> Shape:
    repo.commit("rewritten", None, "--amend")
    return Shape(repo, ("--force", "origin", "main"), (branch(repo, "main"),), empty_tree_of(repo.head))


def forced_with_lease(repo: Repo) -> Shape:
    others = grown_branches(repo, "one")
    repo.commit("rewritten", None, "--amend")
    arguments = ("--force-with-lease", "origin", "main", "one")
    return Shape(repo, arguments, (branch(repo, "main"), *others), empty_tree_of(repo.head))


def rewind(repo: Repo) -> Shape:
    record_pass(repo, repo.commit("more"))
    let_out(repo, "--quiet", "origin", "main")
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    return Shape(repo, ("--force", "origin", "main"), (branch(repo, "main", on_remote=True),))


def by_url(repo: Repo) -> Shape:
    repo.commit("more")
    return Shape(repo, (repo.git("remote", "get-url", "origin"), "main"), (branch(repo, "main"),))


def not_checked_out(repo: Repo) -> Shape:
    (one,) = grown_branches(repo, "one")
    return Shape(repo, ("origin", "one:main"), (one._replace(remote_ref="refs/heads/main"),))


def review_server(repo: Repo) -> Shape:
    update = Update("HEAD", "refs/for/main", repo.commit("more"))
    return Shape(repo, ("origin", "HEAD:refs/for/main"), (update,))


def forged_tracking_ref(repo: Repo) -> Shape:
    updates = grown_branches(repo, "one")
    repo.git("update-ref", "refs/remotes/origin/one", updates[0].commit)
    return Shape(repo, ("origin", "one"), updates)


def linked_worktree(repo: Repo) -> Shape:
    elsewhere = repo.path.parent / "elsewhere"
    repo.git("worktree", "add", "--quiet", "-b", "apart", str(elsewhere))
    apart = Repo(elsewhere, repo.environ)
    apart.commit("work apart")
    return Shape(apart, ("origin", "apart"), (branch(repo, "apart"),))


def all_branches(repo: Repo) -> Shape:
    others = grown_branches(repo, "one", "two", "three")
    repo.commit("more")
    return Shape(repo, ("--all", "origin"), (branch(repo, "main"), *others))


def mirror(repo: Repo) -> Shape:
    tracking = Update("refs/remotes/origin/main", "refs/remotes/origin/main", repo.head, on_remote=True)
    others = grown_branches(repo, "one", "two")
    tags = tag(repo, "v1", grow(repo, "v1")), tag(repo, "v2", grow(repo, "v2"), annotated=True)
    repo.commit("more")
    return Shape(repo, ("--mirror", "origin"), (branch(repo, "main"), *others, *tags, tracking))


def detached_and_raw_beside_a_delete(repo: Repo) -> Shape:
    let_out(repo, "--quiet", "origin", "main:old")
    raw, detached = grow(repo, "raw"), grow(repo, "detached")
    repo.git("checkout", "--quiet", detached)
    updates = Update("HEAD", "refs/heads/here", detached), Update(raw, "refs/heads/raw", raw)
    return Shape(repo, ("origin", ":old", "HEAD:refs/heads/here", f"{raw}:refs/heads/raw"), updates)


# How many updates with a commit each shape holds.
SHAPES: dict[Callable[[Repo], Shape], int] = {
    single: 1,
    first_push: 1,
    new_branch: 1,
    same_commit_branch: 1,
    three_branches: 3,
    existing_and_new: 2,
    lightweight_tag: 1,
    annotated_tag: 1,
    tag_on_pushed_commit: 1,
    all_tags: 3,
    follow_tags: 2,
    forced: 1,
    forced_with_lease: 2,
    rewind: 1,
    by_url: 1,
    not_checked_out: 1,
    review_server: 1,
    forged_tracking_ref: 1,
    linked_worktree: 1,
    all_branches: 4,
    mirror: 6,
    detached_and_raw_beside_a_delete: 2,
}


def test_the_matrix_holds_22_shapes_with_38_updates() -> None:
    assert (len(SHAPES), sum(SHAPES.values())) == (22, 38)


@pytest.mark.parametrize("make_shape", SHAPES, ids=lambda make_shape: make_shape.__name__)
def test_every_update_of_a_push_is_judged(gated: Repo, make_shape: Callable[[Repo], Shape]) -> None:
    base = publish(gated)
    shape = make_shape(gated)
    assert len(shape.updates) == len({update.commit for update in shape.updates}) == SHAPES[make_shape]
    for update in shape.updates:
        record_pass(gated, update.commit, shape.base or base)
    for update in shape.updates:
        close_gate_for(gated, update)
        assert_refused_because_of(gated, shape, update)
        record_pass(gated, update.commit, shape.base or base)
    for update in shape.updates:
        if update.on_remote:
            forget(gated, update.commit)
    assert_every_update_let_out(gated, shape)


def close_gate_for(repo: Repo, update: Update) -> None:
    """Take the review of one update away; what the remote has needs none, so there a failed one has to speak."""
    if update.on_remote:
        record_review(repo, update.commit, loops=FAILED)
    else:
        forget(repo, update.commit)


def assert_refused_because_of(repo: Repo, shape: Shape, update: Update) -> None:
    before = refs_of_remote(repo)
    words = gate_words(shape.repo.push("--porcelain", *shape.arguments))
    assert words.count("blocked:") == 1, words
    assert ("Loop 1 failed: app.py:1: broken." if update.on_remote else update.commit[:8]) in words
    if len(shape.updates) > 1:
        assert f"  ref:   {update.local_ref} -> {update.remote_ref}\n" in words
    assert refs_of_remote(repo) == before


def assert_every_update_let_out(repo: Repo, shape: Shape) -> None:
    """Git reports each update as done, the gate's own log says it let out each of them, and the remote has them."""
    log = repo.path / ".git/review-gate/pushes.jsonl"
    log.unlink()
    expected = sorted((update.remote_ref, shape.repo.git("rev-parse", update.local_ref)) for update in shape.updates)
    done = let_out(shape.repo, "--porcelain", *shape.arguments)
    sent = {line.split("\t")[1] for line in done.stdout.splitlines() if line.count("\t") == 2}
    assert {f"{update.local_ref}:{update.remote_ref}" for update in shape.updates} <= sent
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert sorted((entry["ref"], entry["id"]) for entry in entries) == expected
    for update in shape.updates:
        assert repo.remote_ref(update.remote_ref + "^{commit}") == update.commit
