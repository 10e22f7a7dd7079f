"""Steps for a push of several refs, and of branches that have settings of their own."""

from __future__ import annotations

import pytest
from conftest import Repo
from pushing import (
    forget,
    grow,
    next_step,
    opened_by_its_step,
    record_pass,
    record_review,
    refused,
    seed,
    type_step,
)
from refusals import RUN, block


def test_second_ref_does_not_widen_the_review_of_the_first(opened: Repo) -> None:
    opened.commit("old and broken", {"old.json": "{"})
    seed(opened, "origin", "main")
    remote = opened.head
    below = opened.commit("below")
    record_pass(opened, opened.commit("above"), below)
    fine = grow(opened, "fine", remote)
    opened.git("branch", "fine", fine)
    record_pass(opened, fine, remote)
    assert opened_by_its_step(opened, "origin", "main", "fine") == f"{RUN} --base {remote[:8]}"


@pytest.fixture
def strict(opened: Repo) -> Repo:
    """Besides main there is a branch with a configuration of its own; both were reviewed, each under its own."""
    opened.branch_off("strict", "strict", {".review-gate.yaml": "hygiene: {binary: block}\n"})
    opened.git("switch", "--quiet", "strict")
    opened.review()
    opened.git("switch", "--quiet", "main")
    opened.commit("mine")
    opened.review()
    return opened


def test_branch_whose_review_does_not_fit_its_own_settings_either_is_reviewed_there(strict: Repo) -> None:
    commit = strict.git("rev-parse", "strict")
    forget(strict, commit)
    record_review(strict, commit, policy="f" * 64)
    words = refused(strict, "origin", "main", "strict")
    assert words == block(
        f"The review of {commit[:8]} was made under another policy. Run /review again.",
        "the settings that decide how strict a review is have changed since",
        f"git switch strict && {RUN}, then git push origin HEAD",
        ref="refs/heads/strict -> refs/heads/strict",
    )
    type_step(strict, next_step(words))
    assert strict.remote_ref("strict") == commit


def test_settings_that_stay_when_one_switches_are_not_those_of_the_branch(strict: Repo) -> None:
    strict.git("switch", "--quiet", "strict")
    (strict.path / ".review-gate.yaml").write_text("hygiene: {binary: allow}\n")
    strict.git("update-index", "--assume-unchanged", ".review-gate.yaml")
    assert next_step(refused(strict, "origin", "main")) == f"git switch main && {RUN}, then git push origin HEAD"


def test_review_under_another_policy_leaves_under_the_name_that_was_asked_for(strict: Repo) -> None:
    strict.git("tag", "v1", "strict")
    step = next_step(refused(strict, "origin", "v1", "strict:other"))
    commit = strict.git("rev-parse", "strict")
    assert step == "git switch strict && git push origin 'HEAD:refs/heads/other'"
    type_step(strict, step)
    assert strict.remote_ref("other") == commit
    strict.git("switch", "--quiet", "main")
    strict.git("push", "--quiet", "origin", ":other")
    step = next_step(refused(strict, "origin", "v1"))
    assert step == f"git switch --detach {commit[:8]} && git push origin 'HEAD:refs/tags/v1'"
    type_step(strict, step)
    assert strict.remote_ref("refs/tags/v1") == commit


def test_commit_named_from_head_is_still_the_one_that_leaves_after_the_switch(strict: Repo) -> None:
    strict.git("switch", "--quiet", "strict")
    commit = strict.head
    strict.commit("looser again", {".review-gate.yaml": "hygiene: {binary: allow}\n"})
    step = next_step(refused(strict, "origin", "HEAD~1:refs/heads/rel"))
    assert step == f"git switch --detach {commit[:8]} && git push origin 'HEAD:refs/heads/rel'"
    type_step(strict, step)
    assert strict.remote_ref("rel") == commit


@pytest.mark.parametrize("name", ["amb", "-x"], ids=["a tag has the name too", "like an option"])
def test_branch_whose_name_means_something_else_to_git_leaves_too(strict: Repo, name: str) -> None:
    commit = strict.git("rev-parse", "strict")
    strict.git("update-ref", f"refs/heads/{name}", commit)
    strict.git("update-ref", f"refs/tags/{name}", "main")
    type_step(strict, next_step(refused(strict, "origin", f"refs/heads/{name}")))
    assert strict.remote_ref(f"refs/heads/{name}") == commit


def test_rewritten_branch_leaves_by_force_as_it_was_asked_to(strict: Repo) -> None:
    seed(strict, "origin", "strict")
    strict.git("switch", "--quiet", "strict")
    rewritten = strict.commit("rewritten", None, "--amend")
    strict.review()
    strict.git("switch", "--quiet", "main")
    step = next_step(refused(strict, "--force", "origin", "strict"))
    assert step == "git switch strict && git push origin '+HEAD'"
    type_step(strict, step)
    assert strict.remote_ref("strict") == rewritten


def test_verify_of_a_branch_with_settings_of_its_own_names_the_way_there(strict: Repo) -> None:
    commit = strict.git("rev-parse", "strict")
    step = next_step(strict.gate("verify", "strict").stdout)
    assert step == f"git switch --detach {commit[:8]} && review-gate verify"
    type_step(strict, step)
