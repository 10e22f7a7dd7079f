"""The fail-open table of prompt review, row by row: whoever fails, a prompt goes on, and is told what happened."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest
from conftest import Repo
from prompting import ALWAYS, ONE_GUARD, REFINED, TASK, Desk
from running import PATIENCE, wait_until_gone

from review_gate.prompts.outcome import PromptRequest, PromptReview
from review_gate.shell.process import Commands
from review_gate.workflows import prompt_review

NO_KEY = "ANTHROPIC_API_KEY is not set"


@pytest.fixture
def desk(repo: Repo) -> Desk:
    return Desk(repo).claude(ONE_GUARD)


def test_without_a_key_the_subscription_is_asked_and_that_is_told(desk: Desk) -> None:
    found = desk.document(TASK, PROMPT_REVIEW_MODE="api")
    assert (found["status"], found["mode"]) == ("proposed", "subscription")
    assert found["notes"] == [f"the API cannot be asked ({NO_KEY}), so the subscription is"]


def test_one_that_hangs_is_not_waited_for_and_not_left_behind(desk: Desk) -> None:
    desk.claude({**ONE_GUARD, "clarity": "hang"})
    found = desk.document(TASK, PROMPT_REVIEW_TIMEOUT="1500")
    assert found["refined"] == REFINED
    (late,) = (one for one in found["reviewers"] if one["standing"] == "unavailable")
    assert late["role"] == "clarity"
    assert wait_until_gone(*(call["pid"] for call in desk.calls())) == []


def test_an_interrupt_ends_the_reviewers_too(desk: Desk) -> None:
    desk.claude({"*": "hang"})
    start = "import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp('review-gate', "
    argv = ["python", "-c", f"{start} ['review-gate', 'prompt-review', '{TASK}'])"]
    child = subprocess.Popen(
        argv, cwd=desk.repo.path, env=desk.repo.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    path = desk.bin / "calls.jsonl"
    while not path.exists() or path.read_text().count("\n") < len(ALWAYS):
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=PATIENCE)
    assert (child.returncode, output, errors) == (130, "", "\ninterrupted: no prompt goes on\n")
    assert wait_until_gone(*(call["pid"] for call in desk.calls())) == []
    assert desk.run("statusline").stdout == "ok repo | main\n"


# The editor is code that has no known failure, so one is put in its place.


def broken(*_: object) -> None:
    raise RecursionError("too deep")


def test_an_editor_that_fails_leaves_the_critiques_and_the_prompt(
    desk: Desk, same_world: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in desk.repo.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(desk.repo.path)
    monkeypatch.setattr(prompt_review, "edit", broken)
    found = prompt_review.review_prompt(PromptRequest(prompt=TASK), os.environ, Commands())
    assert isinstance(found, PromptReview)
    assert (found.status, found.refined) == ("editor_failed", TASK)
    assert found.why == "the editor could not merge the critiques: too deep"
    shown = shown_by(found)
    assert "| -- Critiques (1) --" in shown
    assert "| - [Security] major: It says too little. " in shown
    assert shown.endswith(
        "\nprompt review: the prompt goes on as it is: the editor could not merge the critiques: too deep"
    )


def shown_by(found: PromptReview) -> str:
    """The block of a review and its last line, as the verb prints them."""
    from review_gate.cli.prompt_review import _shown

    return _shown(found, waits=False)
