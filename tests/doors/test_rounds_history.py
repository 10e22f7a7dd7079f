"""Reviews in rounds while history moves: what was found in a change does not vanish below another base or branch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Repo
from rounding import Rounds, rounds_in, staged
from voting import PASS, Voters, finding, says


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture
def rounds(repo: Repo, stage: Voters) -> Iterator[Rounds]:
    found = rounds_in(repo, stage)
    yield found
    found.assert_nothing_runs()


@pytest.mark.parametrize("scope", [("--uncommitted",), ("--commit", "HEAD"), ("HEAD~1..HEAD",), ("--base", "HEAD~1")])
def test_what_was_found_is_not_mended_by_a_commit_that_is_looked_at_instead(
    rounds: Rounds, scope: tuple[str, ...]
) -> None:
    repo = rounds.repo
    if scope != ("--uncommitted",):
        repo.git("commit", "--quiet", "--no-verify", "-am", "two")
    rounds.voters.play("codex", says(finding()), PASS)
    review = rounds.spawn("spawn-code-review", *scope)
    assert rounds.check(code=1)["outcome"] == "fix"
    repo.commit("bad, and other", {"app.py": "x = 2\n", "other.py": "y = 1\n"})
    repo.write("more.py", "z = 1\n")
    found = rounds.check(code=1)
    assert (found["outcome"], found["round"]) == ("needs_person", 1)
    assert found["reason"].endswith("what was reviewed may be below that, and would not be seen again")
    rounds.gate("rounds", "continue", review)
    assert rounds.check(code=0)["round"] == 2


def bad_and_other(rounds: Rounds) -> str:
    """A review of two commits on a branch, of which the first is bad."""
    repo = rounds.repo
    repo.git("switch", "--quiet", "--create", "feature")
    repo.git("commit", "--quiet", "--no-verify", "-am", "bad")
    repo.commit("other", {"other.py": "y = 1\n"})
    rounds.voters.play("codex", says(finding()), PASS)
    review = rounds.spawn("spawn-code-review", "--base", "main")
    assert rounds.check(code=1)["outcome"] == "fix"
    return review


@pytest.mark.parametrize("how", ["moved", "squashed", "picked"])
def test_what_was_found_is_not_mended_by_a_base_that_has_it(rounds: Rounds, how: str) -> None:
    review, repo = bad_and_other(rounds), rounds.repo
    if how == "moved":
        repo.git("branch", "--force", "main", "HEAD~1")
        repo.commit("more", {"app.py": "x = 2\nz = 1\n"})
    elif how == "picked":
        repo.git("switch", "--quiet", "main")
        # Beside a change of its own, so that the file is nowhere as it was reviewed.
        repo.commit("bad, and more", {"app.py": "x = 2\nz = 1\n"})
        repo.git("rebase", "--quiet", "--strategy-option=ours", "main", "feature")
    else:
        repo.git("switch", "--quiet", "main")
        repo.commit("bad, by another name", {"app.py": "x = 2\n", "third.py": "z = 1\n"})
        repo.git("rebase", "--quiet", "main", "feature")
    found = rounds.check(code=1)
    assert (found["outcome"], found["round"]) == ("needs_person", 1)
    assert found["reason"].endswith("what was reviewed may be below that, and would not be seen again")
    rounds.gate("rounds", "close", review, "--because", "seen")


def test_what_git_has_removed_meanwhile_may_be_below_a_base_that_moved(rounds: Rounds) -> None:
    review, repo = bad_and_other(rounds), rounds.repo
    repo.git("switch", "--quiet", "main")
    repo.commit("somebody else's", {"third.py": "z = 1\n"})
    repo.git("rebase", "--quiet", "main", "feature")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "--quiet", "--prune=now")
    found = rounds.check(code=1)
    assert found["reason"].endswith("what was reviewed may be below that, and would not be seen again")
    repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.gate("rounds", "continue", review).returncode == 0
    assert rounds.check(code=0)["round"] == 2


def test_a_history_that_was_written_anew_keeps_nobody_from_going_on(rounds: Rounds) -> None:
    bad_and_other(rounds)
    repo = rounds.repo
    repo.git("switch", "--quiet", "main")
    root = repo.git("commit-tree", "-m", "all of it", "HEAD^{tree}")
    repo.git("rebase", "--quiet", "--onto", root, "main", "feature")
    repo.git("branch", "--force", "main", root)
    repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


def test_a_base_that_moves_on_by_itself_keeps_nobody_from_going_on(rounds: Rounds) -> None:
    bad_and_other(rounds)
    repo = rounds.repo
    repo.git("switch", "--quiet", "main")
    repo.commit("somebody else's", {"third.py": "z = 1\n"})
    repo.git("rebase", "--quiet", "main", "feature")
    repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


def test_another_branch_is_not_what_was_reviewed(rounds: Rounds) -> None:
    bad_and_other(rounds)
    repo = rounds.repo
    repo.git("switch", "--quiet", "--create", "elsewhere", "main")
    repo.commit("harmless", {"third.py": "z = 1\n"})
    found = rounds.check(code=1)
    assert (found["outcome"], found["reason"]) == (
        "needs_person",
        "elsewhere is checked out now, feature was before: what was reviewed would not be seen again",
    )
    repo.git("switch", "--quiet", "feature")
    assert rounds.check(code=1)["outcome"] == "fix"
    repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


def test_a_base_that_moves_on_in_the_same_file_keeps_nobody_from_going_on(rounds: Rounds) -> None:
    repo = rounds.repo
    lines = [f"line {number}\n" for number in range(20)]
    repo.commit("long", {"app.py": "x = 1\n", "long.js": "".join(lines)})
    repo.write("long.js", "".join(["if (x) {\n", *lines[1:5], "}\n", *lines[5:]]))
    repo.write("app.py", "x = 2\n")
    bad_and_other(rounds)
    repo.git("switch", "--quiet", "main")
    repo.commit("somebody else's", {"long.js": "".join([*lines[:15], "if (y) {\n", *lines[15:], "}\n"])})
    repo.git("rebase", "--quiet", "main", "feature")
    repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


def test_the_same_command_on_another_branch_is_another_review(rounds: Rounds) -> None:
    review, repo = bad_and_other(rounds), rounds.repo
    repo.git("switch", "--quiet", "--create", "elsewhere", "main")
    repo.commit("harmless", {"third.py": "z = 1\n"})
    again = rounds.told("spawn-code-review", "--base", "main", code=0)
    assert (again["is_new"], again["id"] != review) == (True, True)
    assert rounds.check(again["id"], code=0)["outcome"] == "agreed"
    repo.git("switch", "--quiet", "feature")
    assert rounds.check(code=1)["id"] == review


def test_a_branch_is_not_what_was_reviewed_on_none(rounds: Rounds) -> None:
    repo = rounds.repo
    repo.git("switch", "--quiet", "--detach")
    bad = repo.commit("bad", {"app.py": "x = 2\n"})
    rounds.voters.play("codex", says(finding()), PASS)
    rounds.spawn("spawn-code-review", "--base", "main")
    assert rounds.check(code=1)["outcome"] == "fix"
    repo.git("switch", "--quiet", "--create", "elsewhere", "main")
    harmless = repo.commit("harmless", {"third.py": "z = 1\n"})
    for options, now in ((("elsewhere",), "elsewhere"), (("--detach", "elsewhere"), harmless[:8])):
        repo.git("switch", "--quiet", *options)
        told = f"{now} is checked out now, {bad[:8]} was before: what was reviewed would not be seen again"
        assert rounds.check(code=1)["reason"] == told
    repo.git("switch", "--quiet", "--detach", bad)
    repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


@pytest.mark.parametrize("how", [("--create", "mend"), ("--detach",)])
def test_what_was_reviewed_may_go_on_under_another_name(rounds: Rounds, how: tuple[str, ...]) -> None:
    bad_and_other(rounds)
    rounds.repo.git("switch", "--quiet", *how)
    rounds.repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


@pytest.mark.parametrize("scope", [("--commit", "HEAD"), ("--base", "HEAD~1"), ("HEAD~1..HEAD",)])
def test_a_commit_that_is_mended_in_place_goes_on(rounds: Rounds, scope: tuple[str, ...]) -> None:
    rounds.repo.git("commit", "--quiet", "--no-verify", "-am", "two")
    rounds.voters.play("codex", says(finding()), PASS)
    review = rounds.spawn("spawn-code-review", *scope)
    how = "git commit --amend; an older one: --fixup, then git rebase -i --autosquash"
    assert rounds.check(code=1)["next"].endswith(
        f"then put that into the commit ({how}), then review-gate check {review}"
    )
    rounds.repo.write("app.py", "x = 3\n")
    # In the work tree alone it changes nothing of a commit.
    assert rounds.check(code=1)["round"] == 1
    rounds.repo.git("commit", "--quiet", "--no-verify", "-a", "--amend", "-m", "three")
    assert rounds.check(code=0)["round"] == 2


@pytest.mark.parametrize("scope", [("--base", "HEAD~1"), ("HEAD~1..HEAD",)])
def test_what_is_mended_in_a_branch_is_committed_first(rounds: Rounds, scope: tuple[str, ...]) -> None:
    rounds.repo.git("commit", "--quiet", "--no-verify", "-am", "two")
    base = rounds.repo.git("rev-parse", "HEAD~1")
    rounds.voters.play("codex", says(finding()), PASS)
    review = rounds.spawn("spawn-code-review", *(one.replace("HEAD~1", base) for one in scope))
    assert rounds.check(code=1)["next"].endswith(f"then commit that, then review-gate check {review}")
    rounds.repo.commit("mended", {"app.py": "x = 3\n"})
    assert rounds.check(code=0)["round"] == 2


def test_a_commit_that_stays_as_it_is_is_reviewed_with_its_fixes(rounds: Rounds) -> None:
    repo = rounds.repo
    base = repo.git("rev-parse", "HEAD")
    repo.git("commit", "--quiet", "--no-verify", "-am", "two")
    rounds.voters.play("codex", says(finding()), PASS)
    review = rounds.spawn("spawn-code-review", "--commit", repo.git("rev-parse", "HEAD"))
    told = rounds.check(code=1)["next"]
    assert told.endswith(
        f"then commit that, and have both reviewed: review-gate spawn-code-review {base[:12]}..HEAD; "
        f"this review ends with review-gate rounds close {review} --because TEXT"
    )
