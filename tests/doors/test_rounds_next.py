"""Reviews in rounds: what is said to do next helps when it is done, and nothing is promised that does not come."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from conftest import TIMEOUT, Repo
from rounding import SPAWN, Rounds, rounds_in, staged
from running import catches
from voting import Voters, finding, says


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture
def rounds(repo: Repo, stage: Voters) -> Iterator[Rounds]:
    found = rounds_in(repo, stage)
    yield found
    found.assert_nothing_runs()


def commit_all(rounds: Rounds) -> None:
    rounds.repo.git("commit", "--quiet", "--no-verify", "-am", "all of it")


def test_another_round_is_not_offered_where_there_is_nothing_to_show(rounds: Rounds) -> None:
    rounds.voters.play("codex", says(finding()))
    review = rounds.spawn()
    rounds.wait_for_answers(review)
    commit_all(rounds)
    found = rounds.check(code=1)
    assert (found["outcome"], found["reason"]) == ("needs_person", "nothing to review: nothing is uncommitted")
    assert found["next"] == (
        f"once there is something to review again: review-gate check {review}, "
        f"or review-gate rounds close {review} --because TEXT"
    )
    rounds.repo.git("reset", "--quiet", "--soft", "HEAD~1")
    assert rounds.check(code=1)["outcome"] == "fix"


def test_who_commits_exactly_what_was_agreed_on_has_changed_nothing(rounds: Rounds) -> None:
    review = rounds.spawn()
    rounds.wait_for_answers(review)
    commit_all(rounds)
    assert rounds.check(code=0)["outcome"] == "agreed"
    tree = rounds.repo.git("rev-parse", "HEAD^{tree}")
    assert rounds.repo.git("for-each-ref", f"refs/review-gate/rounds/{tree}") != ""


def test_who_makes_the_first_commit_of_what_was_agreed_on_has_changed_nothing(rounds: Rounds) -> None:
    rounds.repo.git("checkout", "--quiet", "--orphan", "anew")
    rounds.wait_for_answers(rounds.spawn())
    commit_all(rounds)
    assert rounds.check(code=0)["outcome"] == "agreed"


def test_who_commits_something_else_than_what_was_agreed_on_is_told(rounds: Rounds) -> None:
    rounds.spawn()
    rounds.wait_for_answers(rounds.told("rounds", "list")[0]["id"])
    rounds.repo.write("app.py", "x = 9\n")
    commit_all(rounds)
    assert rounds.check(code=1)["outcome"] == "needs_person"


def test_no_line_of_the_git_directory_is_evidence(rounds: Rounds) -> None:
    rounds.voters.play("codex", says(finding()))
    review = rounds.spawn()
    (found,) = rounds.check(code=1)["findings"]
    done = rounds.gate(
        "rounds", "refute", review, found["fingerprint"], "--because", "It is so.", "--evidence", ".git/config:1"
    )
    assert (done.returncode, "has no line 1 that reviewers could be shown" in done.stderr) == (2, True)


def test_a_round_that_is_granted_to_a_stale_agreement_takes_place(rounds: Rounds) -> None:
    review = rounds.spawn()
    rounds.wait_for_answers(review)
    rounds.repo.write("app.py", "x = 3\n")
    assert rounds.check(code=1)["outcome"] == "stale"
    assert rounds.gate("rounds", "continue", review).returncode == 0
    found = rounds.check(code=0)
    assert (found["id"], found["round"], found["outcome"]) == (review, 2, "agreed")


def test_a_new_review_takes_the_place_of_one_whose_last_look_found_nothing(rounds: Rounds) -> None:
    review = rounds.spawn()
    rounds.wait_for_answers(review)
    rounds.repo.write("app.py", "x = 8\n")
    commit_all(rounds)
    assert rounds.check(code=1)["outcome"] == "needs_person"
    rounds.repo.write("app.py", "x = 3\n")
    again = rounds.spawn()
    assert rounds.check(code=0)["id"] == again
    assert rounds.read(review)["consensus"]["outcome"] == "closed"


def test_who_closed_a_review_is_not_warned_that_nobody_asks_any_more(rounds: Rounds) -> None:
    rounds.voters.play("codex", trouble="hang")
    review = rounds.spawn()
    rounds.wait_for_programs()
    rounds.gate("rounds", "close", review, "--because", "enough")
    done = rounds.gate("check", review)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == f"{review}: round 1, --uncommitted: closed\n  enough\n"


@pytest.mark.parametrize("arguments", [SPAWN, ("check",)], ids=["spawn", "check"])
def test_an_interrupt_does_not_deny_what_may_have_begun(rounds: Rounds, arguments: tuple[str, ...]) -> None:
    review = rounds.spawn()
    with rounds.start(*arguments) as one:
        assert one.stderr is not None
        rounds.wait_until(lambda: one.poll() is not None or catches(one.pid, signal.SIGTERM))
        one.send_signal(signal.SIGTERM)
        assert one.wait(TIMEOUT) == 130
        assert one.stderr.read().startswith("\ninterrupted: review-gate check ")
    assert rounds.check(code=0)["id"] == review


def test_a_pool_of_nobody_is_told(rounds: Rounds) -> None:
    done = rounds.gate(*SPAWN, REVIEW_GATE_ROUNDS__REVIEWERS="[]")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        1,
        "blocked: no reviewer can be asked: rounds.reviewers names nobody",
    )


def test_what_only_a_tool_found_is_not_said_to_be_refutable(rounds: Rounds) -> None:
    rounds.repo.write("app.py", "eval(input())\n")
    review = rounds.spawn()
    text = rounds.gate("check", "--wait").stdout
    assert text.splitlines()[-1].endswith(f"then review-gate check {review}")
    rounds.gate("rounds", "close", review, "--because", "seen")
    rounds.voters.play("codex", says(finding(quote="eval", message="It runs what people type.")))
    rounds.spawn()
    assert "\n       one that is wrong: review-gate rounds refute " in rounds.gate("check", "--wait").stdout


def test_programs_are_told_as_little_of_a_long_quote_as_people(rounds: Rounds) -> None:
    line = "x = " + " + ".join(str(number) for number in range(300))
    rounds.repo.write("app.py", f"{line}\n")
    rounds.voters.play("codex", says(finding(quote=line)))
    rounds.spawn()
    found = rounds.check(code=1)
    assert found["findings"][0]["quote"] == f"{line[:200]}..."
    with open(found["feedback"], encoding="utf-8") as feedback:
        assert line in feedback.read()


def test_the_same_command_again_goes_on_with_what_has_to_be_settled(rounds: Rounds) -> None:
    rounds.voters.play("codex", says(finding()), says(finding(quote="x = 3")))
    review = rounds.spawn()
    assert rounds.check(code=1)["outcome"] == "fix"
    rounds.repo.write("app.py", "x = 3\n")
    told = rounds.told(*SPAWN)
    assert (told["id"], told["is_new"], told["next"]) == (review, False, f"review-gate check {review} --wait")
    again = rounds.check(code=1)
    assert (again["id"], again["round"], again["fixed"] != []) == (review, 2, True)
    # Exactly the same is not asked about anew under other settings while something is open in it.
    assert not rounds.told(*SPAWN, REVIEW_GATE_ROUNDS__QUORUM="1")["is_new"]
    # Other settings for something else, another prompt, or another base, is another review.
    rounds.repo.write("app.py", "x = 4\n")
    assert rounds.told(*SPAWN, REVIEW_GATE_ROUNDS__QUORUM="1")["is_new"]
    assert rounds.told(*SPAWN, "--prompt", "Look at money.")["is_new"]
    commit_all(rounds)
    rounds.repo.write("app.py", "x = 5\n")
    assert rounds.told(*SPAWN)["is_new"]
    rounds.gate("check", "--wait")
