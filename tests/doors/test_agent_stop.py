"""A session is kept from stopping while a review in rounds says fix, and never for ever."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from conftest import Repo
from deciding import Session, session_in
from rounding import Rounds, rounds_in, staged
from running import PATIENCE
from voting import Voters, finding, says

NOTHING = ("", "")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Voters:
    return staged(tmp_path_factory.mktemp("stage"))


@pytest.fixture
def rounds(repo: Repo, stage: Voters) -> Iterator[Rounds]:
    found = rounds_in(repo, stage)
    yield found
    found.assert_nothing_runs()


def objected(rounds: Rounds, **environ: str) -> str:
    """A review in which a reviewer has found something."""
    rounds.voters.play("codex", says(finding()))
    review = rounds.spawn("spawn-code-review", "--uncommitted", **environ)
    assert rounds.check(code=1)["outcome"] == "fix"
    return review


def test_findings_keep_a_session_at_work_until_the_limit_and_then_let_it_go(rounds: Rounds) -> None:
    review = objected(rounds)
    session = Session(rounds.repo)
    kept = (
        f"{review}, round 1: 1 finding to be settled in the code.\n  next:  review-gate check {review} tells them and"
        " what to do; after the fix the same command begins the next round"
    )
    for is_active in (False, True, True, True, True):
        assert session.stop(stop_hook_active=is_active) == (kept, "")
    let_go = f"review-gate: kept from stopping 5 times, so it may stop now; still to be fixed: {review} (1 finding)"
    assert session.stop(stop_hook_active=True) == ("", let_go)
    assert session.stop(stop_hook_active=True) == ("", let_go)
    # Another session has a count of its own, and a word of the user begins the count anew.
    assert Session(rounds.repo, session=f"another-{session_in(rounds.repo)}").stop() == (kept, "")
    session.answered("UserPromptSubmit", prompt="go on")
    assert session.stop() == (kept, "")


def test_a_stop_that_two_registrations_ask_about_counts_once(rounds: Rounds) -> None:
    objected(rounds)
    session = Session(rounds.repo)
    for turn in range(5):
        for _ in range(2):
            assert session.stop(last_assistant_message=f"Done {turn}.")[0] != ""
    for _ in range(2):
        kept, told = session.stop(last_assistant_message="Done at last.")
        assert (kept, told.partition(",")[0]) == ("", "review-gate: kept from stopping 5 times")


def test_who_says_the_same_again_is_not_kept_for_ever(rounds: Rounds) -> None:
    objected(rounds)
    session, until = Session(rounds.repo), time.monotonic() + PATIENCE
    # Each second in which it is said counts once.
    while session.stop(last_assistant_message="Done.")[0]:
        assert time.monotonic() < until
        time.sleep(0.2)


def test_the_limit_is_a_setting(rounds: Rounds) -> None:
    objected(rounds)
    path = rounds.repo.path / ".review-gate.yaml"
    path.write_text(json.dumps({**json.loads(path.read_text()), "agents": {"stop_limit": 1}}))
    session = Session(rounds.repo)
    assert session.stop()[0] != ""
    assert session.stop()[0] == ""


def test_background_work_lets_a_session_stop_and_says_so(rounds: Rounds) -> None:
    review = objected(rounds)
    task = {"id": "a", "type": "subagent", "status": "running"}
    assert Session(rounds.repo).stop(background_tasks=[task]) == (
        "",
        f"review-gate: background work goes on, so the session may stop; still to be fixed: {review} (1 finding)",
    )


def test_a_review_of_another_session_keeps_nobody(rounds: Rounds) -> None:
    objected(rounds, CLAUDE_CODE_SESSION_ID=session_in(rounds.repo))
    assert Session(rounds.repo).stop()[0] != ""
    assert Session(rounds.repo, session=f"another-{session_in(rounds.repo)}").stop() == NOTHING


def test_what_only_a_person_can_settle_keeps_nobody(rounds: Rounds) -> None:
    review = objected(rounds)
    rounds.repo.git("commit", "--quiet", "--no-verify", "-am", "all of it")
    assert rounds.check(code=1)["outcome"] == "needs_person"
    assert Session(rounds.repo).stop() == ("", f"review-gate: {review} needs you: review-gate check {review}")
