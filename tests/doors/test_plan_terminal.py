"""review-gate expert-review on a real terminal: the question is a choice, and whatever else is typed are new words."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Repo
from terminal import Terminal

PROMPT = b"or the text to put in its place: "
CHECKS = "checks: [{id: no_eval, pattern: eval(, reason: it runs whatever it is given}]\n"
PLAN = "# Plan\n\nLoad it with eval(text).\n"
QUESTION = (
    "[As Anybody]: Pattern 'eval(' found. it runs whatever it is given\r\n"
    "L3: eval(\r\n"
    "1 Approve this instance, 2 Abort review, or the text to put in its place: "
)


def opened(repo: Repo, plan: Path) -> Terminal:
    """A review on a terminal of its own."""
    return Terminal(repo, ["review-gate", "expert-review", str(plan)], {"NO_COLOR": "1"})


def answered(terminal: Terminal, answers: Sequence[bytes]) -> tuple[int, str]:
    """The exit code and the screen after these answers."""
    for answer in answers:
        terminal.until(PROMPT)
        terminal.press(answer)
    return terminal.ended()


@pytest.fixture
def plan(repo: Repo) -> Path:
    files: dict[str, str | bytes] = {
        ".review-gate.yaml": "checks: {packs: []}\nmodels: off\n",
        "plan/context.yaml": "reviewer_persona: Anybody\n",
        "plan/checks.yaml": CHECKS,
        "plan/plan.md": PLAN,
    }
    repo.commit("a plan", files)
    return repo.path / "plan/plan.md"


def test_one_approves_this_instance(repo: Repo, plan: Path) -> None:
    code, screen = answered(opened(repo, plan), [b"1\n"])
    assert (code, screen.startswith(QUESTION)) == (0, True)
    assert "\r\nAPPROVED\r\n" in screen
    assert plan.read_text() == PLAN


def test_two_aborts(repo: Repo, plan: Path) -> None:
    code, screen = answered(opened(repo, plan), [b"2\n"])
    assert (code, "Reason: user aborted\r\n" in screen) == (1, True)


def test_other_words_are_put_there_and_asked_about_again_where_they_do_not_do(repo: Repo, plan: Path) -> None:
    code, screen = answered(opened(repo, plan), [b"my eval(\n", b"json.loads(\n"])
    assert (code, screen.count("[As Anybody]: ")) == (0, 2)
    assert plan.read_text() == "# Plan\n\nLoad it with my json.loads(text).\n"


def test_an_interrupt_leaves_everything_as_it_was(repo: Repo, plan: Path) -> None:
    terminal = opened(repo, plan)
    terminal.until(PROMPT)
    os.kill(terminal.child.pid, signal.SIGINT)
    code, screen = terminal.ended()
    kept = "interrupted: edits and answers so far are kept, and the same command goes on from there"
    assert (code, screen.splitlines()[-1]) == (130, kept)
    assert (plan.read_text(), (plan.parent / "plan.approved").exists()) == (PLAN, False)
    assert "Pattern 'eval(' found." in repo.gate("expert-review", str(plan)).stdout
