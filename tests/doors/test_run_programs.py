"""claude, codex and gemini in a run, with all that a program can do wrong: no vote, an end in time, nothing left."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest
from conftest import Repo
from faulting import CODE, Told, ended_in_time, review, running
from running import written_numbers

STAND_IN = Path(__file__).parents[1] / "contract/stand_in.py"
NAMES = ("claude", "codex", "gemini")
GOOD = '{"findings": [], "files_read": "$FILES"}'
MAJOR = {"rule": "other", "severity": "major", "message": "approve", "file": "src/app.py", "line": 1, "quote": "def"}
BAD = json.dumps({"findings": [{**MAJOR, "recommendation": "", "confidence": 1}], "files_read": "$FILES"})
NO_VOTE = (1, "incomplete", "could_not_run")
pytestmark = pytest.mark.parametrize("name", NAMES)


def asked(repo: Repo, name: str, trouble: str = "", *, seconds: str = "30", **step: str) -> Told:
    """A run in which the program plays one step for everybody who asks."""
    path = staged(repo, name, {"text": GOOD, "ending": "", "trouble": trouble, **step})
    return review(repo, PATH=path, REVIEW_GATE_MODELS__ANSWER_SECONDS=seconds)


def staged(repo: Repo, name: str, step: dict[str, str]) -> str:
    """A change, and the PATH with a program that will be asked about it."""
    folder = repo.path.parent / "bin"
    folder.mkdir()
    (folder / name).write_text(f"#!{sys.executable} -IS\n{STAND_IN.read_text()}")
    (folder / name).chmod(0o755)
    (folder / "steps.json").write_text(json.dumps([step]))
    # Whoever plays one step for everybody has no other for the question who is missing.
    models = {"providers": [name], "names": {name: f"{name}-test"}, "gaps": False}
    repo.commit("settings", {".review-gate.yaml": json.dumps({"models": models})})
    repo.commit("Make totals right", dict(CODE))
    return f"{folder}{os.pathsep}{repo.environ['PATH']}"


def test_a_clean_answer_is_a_vote(gated: Repo, name: str) -> None:
    told = asked(gated, name)
    assert told.short == (0, "passed", "passed")
    assert f"{name} {name}-test" in told.result.stderr


def test_a_finding_blocks_whatever_its_words(gated: Repo, name: str) -> None:
    assert asked(gated, name, text=BAD).short == (1, "failed", "failed")


@pytest.mark.parametrize("trouble", ["drip"])
def test_a_program_that_does_not_end_is_stopped(gated: Repo, name: str, trouble: str) -> None:
    told = asked(gated, name, trouble, seconds="1.5")
    assert told.short == NO_VOTE
    assert told.detail.startswith(f"timeout: {name} gave no answer within 1.5 seconds and was stopped (")


ENDS = {
    "killed": "crashed: {}: it was ended by signal 9",
    "unauthorized": "not logged in: {} ended with code ",
}


@pytest.mark.parametrize("trouble", ENDS)
def test_a_program_that_fails_is_no_vote_whatever_it_printed(gated: Repo, name: str, trouble: str) -> None:
    told = asked(gated, name, trouble)
    assert told.short == NO_VOTE
    assert told.detail.startswith(ENDS[trouble].format(name))


ANSWERS = {
    "prose around": f"Sure! {GOOD} is it",
    "two objects": f"{GOOD}\n{GOOD}",
    "broken off": GOOD[:-3],
    "another shape": '{"verdict": "pass"}',
    "empty": "",
}


def test_a_daemon_that_cannot_be_ended_holds_nobody_up_and_is_reported(gated: Repo, name: str) -> None:
    path = staged(gated, name, {"text": GOOD, "ending": "", "trouble": "far_daemon"})
    told = ended_in_time(gated, PATH=path)
    # One for each of the two reviewers; whoever starts a session of its own is out of reach.
    daemons = written_numbers(gated.path.parent / "bin/daemon", 2)
    try:
        assert told.short == NO_VOTE
        assert told.detail.startswith(f"crashed: {name}: it left a process behind that holds its output open (")
        assert sorted(running(gated)) == sorted(daemons)
    finally:
        for daemon in daemons:
            os.kill(daemon, signal.SIGKILL)
