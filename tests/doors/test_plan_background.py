"""review-gate expert-review --background: the caller goes on at once, and `--status` tells how the review goes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import TIMEOUT, Repo, Result
from running import PATIENCE, wait_until_gone

from review_gate.plans.target import Target
from review_gate.shell.plan_folder import PlanFolder, folder_of

PLAN = "# Plan\n\n- Type it as `x: any`.\n- Load it with eval(text).\n"
CHECKS = """\
checks:
  - {id: no_any, pattern: ": any", fix: {action: replace, with: ": unknown"}}
  - {id: no_eval, pattern: eval(, reason: it runs whatever it is given}
"""
QUESTION = """\
[As Anybody]: Pattern 'eval(' found. it runs whatever it is given
L4: eval(
next:  review-gate expert-review plan --answer approve (or abort, or replace=TEXT)
"""
# A review in the background looks for the project of the plan with git, and waits there as long as the file is there.
SLOW_GIT = """\
#!/bin/sh
case "$(ps -ww -o args= -p $PPID)" in
    *--call=*) while [ -e "$HOLD" ]; do sleep 0.02; done ;;
esac
exec "$REAL_GIT" "$@"
"""


class Reviews:
    """A plan in the folder `plan` of a repository, and its reviews."""

    def __init__(self, repo: Repo, hold: Path) -> None:
        self._repo = repo
        self._hold = hold
        self.path = repo.path / "plan"
        self.folder: PlanFolder = folder_of(Target(path=str(self.path)), repo.environ)

    def call(self, *options: str, **environ: str) -> Result:
        return self._repo.gate("expert-review", "plan", *options, **environ)

    def begin(self, *options: str, **environ: str) -> None:
        done = self.call("--background", *options, **environ)
        assert (done.returncode, done.stdout, done.stderr) == (
            0,
            f"began: the review of {self.path}/plan.md goes on in the background\n"
            "next:  review-gate expert-review plan --status\n",
            "",
        )

    def slow(self) -> dict[str, str]:
        """The environment in which a review in the background goes on until it is released."""
        self._hold.touch()
        bin_folder = self._hold.parent / "slow-bin"
        bin_folder.mkdir(exist_ok=True)
        (bin_folder / "git").write_text(SLOW_GIT)
        (bin_folder / "git").chmod(0o755)
        path = self._repo.environ["PATH"]
        real = shutil.which("git", path=path)
        assert real is not None
        return {"PATH": f"{bin_folder}{os.pathsep}{path}", "HOLD": str(self._hold), "REAL_GIT": real}

    def release(self) -> None:
        self._hold.unlink(missing_ok=True)

    def status(self) -> str:
        return self.call("--status").stdout

    def status_when(self, is_it: Callable[[str], bool]) -> str:
        """How the plan stands as soon as it stands so."""
        until = time.monotonic() + PATIENCE
        while not is_it(text := self.status()):
            assert time.monotonic() < until, text
        return text

    def ended(self) -> str:
        return self.status_when(lambda text: not text.startswith("missing: a review of it is "))

    @property
    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(Path(self.folder.record).read_bytes())
        return found


@pytest.fixture
def reviews(repo: Repo, tmp_path: Path) -> Iterator[Reviews]:
    files: dict[str, str | bytes] = {
        ".review-gate.yaml": "checks: {packs: []}\n",
        "plan/context.yaml": "reviewer_persona: Anybody\n",
        "plan/checks.yaml": CHECKS,
        "plan/plan.md": PLAN,
    }
    repo.commit("a plan", files)
    found = Reviews(repo, tmp_path / "hold")
    yield found
    found.release()
    if Path(found.folder.record).exists():
        wait_until_gone(found.record["pid"])


def test_a_review_that_is_going_on_holds_nothing_of_its_caller(reviews: Reviews, repo: Repo) -> None:
    argv = ["review-gate", "expert-review", "plan", "--background", "--format", "json"]
    environ = repo.environ | reviews.slow()
    # It comes back, though the review goes on: nobody holds its pipes.
    done = subprocess.run(argv, cwd=repo.path, env=environ, capture_output=True, timeout=TIMEOUT, check=True)
    next_step = "review-gate expert-review plan --status"
    assert json.loads(done.stdout) == {"verdict": "began", "plan": reviews.folder.plan, "next": next_step}
    pid, began = reviews.record["pid"], reviews.record["began"]
    assert os.getsid(pid) == pid
    streams = [os.readlink(f"/proc/{pid}/fd/{number}") for number in range(3)]
    assert streams == [os.devnull, os.devnull, reviews.folder.log]
    assert reviews.status() == f"missing: a review of it is going on since {began}\n"
    told = json.loads(reviews.call("--status", "--format", "json").stdout)
    assert told["review"] == {"state": "running", "began": began, "ended": None, "result": None}
    reviews.release()
    assert reviews.ended() == f"missing: the review waits for an answer\n{QUESTION}"


def test_a_killed_review_is_told_as_lost_and_the_same_command_goes_on(reviews: Reviews) -> None:
    reviews.begin(**reviews.slow())
    os.kill(reviews.record["pid"], signal.SIGKILL)
    wait_until_gone(reviews.record["pid"])
    told = reviews.call("--status")
    assert (told.returncode, told.stdout) == (
        1,
        f"missing: the review that began at {reviews.record['began']} ended without a word; "
        "the same command again goes on from where it was\n",
    )
    reviews.release()
    reviews.begin()
    assert reviews.ended() == f"missing: the review waits for an answer\n{QUESTION}"


ERRORS = {
    "no plan": ("plan.md", None, "plan.md not found at {}/plan.md"),
    "no checks": ("checks.yaml", None, "No checks found ("),
}


@pytest.mark.parametrize(("name", "text", "reason"), ERRORS.values(), ids=ERRORS)
def test_what_keeps_a_review_from_beginning_is_told_at_once(
    reviews: Reviews, name: str, text: str | None, reason: str
) -> None:
    (reviews.path / name).unlink() if text is None else (reviews.path / name).write_text(text)
    done = reviews.call("--background")
    assert done.returncode == 2
    assert done.stdout.startswith(f"ERROR\nReason: {reason.format(reviews.path)}")
    assert not Path(reviews.folder.record).exists()


def test_a_review_goes_on_in_the_background_or_is_asked_about(reviews: Reviews) -> None:
    done = reviews.call("--background", "--status")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("error: argument --status: not allowed with argument --background\n")
