"""The words of a scope, and what stands for its content."""

from __future__ import annotations

import pytest

from review_gate.consensus.scope import Scope, content_of_change, content_of_file, fixup_advice

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
