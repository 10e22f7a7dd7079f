"""review-gate expert-review on a real terminal: the question is a choice, and whatever else is typed are new words."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Repo
from running import PATIENCE

PROMPT = b"or the text to put in its place: "
CHECKS = "checks: [{id: no_eval, pattern: eval(, reason: it runs whatever it is given}]\n"
PLAN = "# Plan\n\nLoad it with eval(text).\n"
QUESTION = (
    "[As Anybody]: Pattern 'eval(' found. it runs whatever it is given\r\n"
    "L3: eval(\r\n"
    "1 Approve this instance, 2 Abort review, or the text to put in its place: "
)


class Terminal:
    """A review with its own terminal, and what that shows."""

    def __init__(self, repo: Repo, plan: Path) -> None:
        self._ours, theirs = pty.openpty()
        environ = repo.environ | {"NO_COLOR": "1"}
        argv = ["review-gate", "expert-review", str(plan)]
        self.child = subprocess.Popen(
            argv, cwd=repo.path, env=environ, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        self.screen = b""

    def until(self, text: bytes) -> None:
        """Read until the screen ends so, or everything was said."""
        limit = time.monotonic() + PATIENCE
        while not self.screen.endswith(text) or not text:
            assert time.monotonic() < limit, self.screen
            try:
                piece = os.read(self._ours, 4096) if select.select([self._ours], [], [], 0.1)[0] else None
            except OSError:
                return
            if piece is not None:
                self.screen += piece

    def answered(self, answers: Sequence[bytes]) -> tuple[int, str]:
        """The exit code and the screen after these answers."""
        for answer in answers:
            self.until(PROMPT)
            os.write(self._ours, answer)
            self.screen += b"."
        self.until(b"")
        os.close(self._ours)
        return self.child.wait(PATIENCE), self.screen.decode()


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
    code, screen = Terminal(repo, plan).answered([b"1\n"])
    assert (code, screen.startswith(QUESTION)) == (0, True)
    assert "\r\nAPPROVED\r\n" in screen
    assert plan.read_text() == PLAN


def test_two_aborts(repo: Repo, plan: Path) -> None:
    code, screen = Terminal(repo, plan).answered([b"2\n"])
    assert (code, "Reason: user aborted\r\n" in screen) == (1, True)


def test_other_words_are_put_there_and_asked_about_again_where_they_do_not_do(repo: Repo, plan: Path) -> None:
    code, screen = Terminal(repo, plan).answered([b"my eval(\n", b"json.loads(\n"])
    assert (code, screen.count("[As Anybody]: ")) == (0, 2)
    assert plan.read_text() == "# Plan\n\nLoad it with my json.loads(text).\n"


@pytest.mark.parametrize("nothing", [b"\n", b"\x04"], ids=["an empty line", "an ended input"])
def test_no_answer_leaves_the_question_for_later(repo: Repo, plan: Path, nothing: bytes) -> None:
    code, screen = Terminal(repo, plan).answered([nothing])
    assert (code, screen.splitlines()[-1]) == (
        1,
        f"next:  review-gate expert-review {plan} --answer approve (or abort, or replace=TEXT)",
    )
    assert repo.gate("expert-review", str(plan), "--answer", "approve").returncode == 0


def test_an_interrupt_leaves_everything_as_it_was(repo: Repo, plan: Path) -> None:
    terminal = Terminal(repo, plan)
    terminal.until(PROMPT)
    os.kill(terminal.child.pid, signal.SIGINT)
    code, screen = terminal.answered([])
    kept = "interrupted: edits and answers so far are kept, and the same command goes on from there"
    assert (code, screen.splitlines()[-1]) == (130, kept)
    assert (plan.read_text(), (plan.parent / "plan.approved").exists()) == (PLAN, False)
    assert "Pattern 'eval(' found." in repo.gate("expert-review", str(plan)).stdout
