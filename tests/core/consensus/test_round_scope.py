"""The words of a scope, and what stands for its content."""

from __future__ import annotations

import pytest

from review_gate.consensus.material import content_of_change, content_of_file, fixup_advice
from review_gate.consensus.scope import Kind, Scope

SCOPES = {
    "uncommitted": (Scope(kind="uncommitted"), "--uncommitted", "the uncommitted changes"),
    "base": (Scope(kind="base", value="main"), "--base main", "the changes since main"),
    "commit": (Scope(kind="commit", value="abc"), "--commit abc", "the commit abc"),
    "words": (Scope(kind="commit", value=":/mend it"), "--commit ':/mend it'", "the commit :/mend it"),
    "range": (Scope(kind="range", value="A...B"), "A...B", "the range A...B"),
    "plan": (Scope(kind="plan", value="a/plan.md"), "", "the plan a/plan.md"),
    "artifact": (Scope(kind="artifact", value="health.md"), "", "the artifact health.md"),
}


@pytest.mark.parametrize(("scope", "diff_args", "label"), SCOPES.values(), ids=SCOPES.keys())
def test_a_scope_is_told_as_it_was_typed(scope: Scope, diff_args: str, label: str) -> None:
    assert (scope.diff_args, scope.label, scope.is_code) == (diff_args, label, bool(diff_args))


def test_content_is_the_same_only_for_the_same_base_and_tree_or_bytes() -> None:
    told = [
        content_of_change("a", "b"),
        content_of_change("b", "a"),
        content_of_change("ab", ""),
        content_of_file(b"a"),
    ]
    assert len({*told}) == 4
    assert all(len(one) == 64 for one in told)
    assert content_of_change("a", "b") == told[0]


def test_fixes_of_an_older_commit_are_advised_by_where_it_is() -> None:
    commit = "0123456789"
    assert fixup_advice(commit, is_first=False, is_in_history=True) == (
        "put fixes into fixup commits: git commit --fixup=01234567, later git rebase -i --autosquash 01234567~1"
    )
    assert fixup_advice(commit, is_first=True, is_in_history=True) == (
        "put fixes into fixup commits: git commit --fixup=01234567, later git rebase -i --autosquash --root"
    )
    assert fixup_advice(commit, is_first=False, is_in_history=False) == (
        "switch to a branch that has this commit, and put fixes into fixup commits: git commit --fixup=01234567"
    )


FOLLOWING: dict[str, tuple[Kind, str, bool]] = {
    "a base": ("base", "main", True),
    "a commit by where HEAD is": ("commit", "HEAD~1", True),
    "a range that ends there": ("range", "main..HEAD", True),
    "a range that does not say where it ends": ("range", "main...", True),
    "a range that ends at its upstream": ("range", "main..@{u}", True),
    "a range of names": ("range", "main...other", False),
    "a commit by its name": ("commit", "v1", False),
    "what is uncommitted": ("uncommitted", "", False),
    "a plan": ("plan", "HEAD", False),
}


@pytest.mark.parametrize(("kind", "value", "follows"), FOLLOWING.values(), ids=FOLLOWING)
def test_some_changes_are_others_on_another_branch(kind: Kind, value: str, follows: bool) -> None:
    assert Scope(kind=kind, value=value).follows_branch is follows
