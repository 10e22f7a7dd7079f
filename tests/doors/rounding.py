"""Reviews in rounds with three scripted programs on PATH: their commands, their files, and what they leave running."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from conftest import STARTED_WITH, Repo, Result, clean_world
from faulting import HARMLESS
from running import PATIENCE, wait_until_gone
from voting import NAMES, PASS, Voters

SETTINGS = {"models": {"names": {name: f"{name}-test" for name in NAMES}}}
SPAWN = ("spawn-code-review", "--uncommitted")


class Rounds:
    """A work tree, the programs that vote on what is in it, and the reviews of its repository."""

    def __init__(self, repo: Repo, voters: Voters) -> None:
        self.repo = Repo(repo.path, repo.environ | {"PATH": voters.path})
        self.voters = voters

    def at(self, path: Path) -> Rounds:
        """The same from another folder."""
        return Rounds(Repo(path, self.repo.environ), self.voters)

    def gate(self, *arguments: str, **environ: str) -> Result:
        """A command, which says nothing that a terminal would obey, and breaks down before nobody's eyes."""
        done = self.repo.gate(*arguments, **environ)
        assert "Traceback" not in done.stdout + done.stderr
        assert not [one for one in set(done.stdout + done.stderr) if one not in HARMLESS and not one.isprintable()]
        return done

    def start(self, *arguments: str, **environ: str) -> subprocess.Popen[str]:
        """A command that goes on beside the test."""
        return subprocess.Popen(
            ["review-gate", *arguments],
            cwd=self.repo.path,
            env=self.repo.environ | environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def told(self, *arguments: str, code: int = 0, **environ: Any) -> Any:
        """The same for programs."""
        done = self.gate(*arguments, "--format", "json", **environ)
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)

    def spawn(self, *arguments: str, **environ: Any) -> str:
        """Begin a review; its id."""
        found: str = self.told(*(arguments or SPAWN), code=0, **environ)["id"]
        return found

    def check(self, *arguments: str, code: int) -> dict[str, Any]:
        """How the only review that is open stands, or that which is named, when nobody is waited for any more."""
        (found,) = self.told("check", "--wait", *arguments, code=code)["reviews"]
        one: dict[str, Any] = found
        return one

    @property
    def home(self) -> Path:
        """Where all reviews are."""
        return self.repo.path / self.repo.git("rev-parse", "--git-common-dir") / "review-gate/rounds"

    def folder(self, review: str) -> Path:
        """Where a review is."""
        return self.home / review

    def read(self, review: str, name: str = "state.json") -> Any:
        """A file of a review."""
        return json.loads((self.folder(review) / name).read_text())

    def change(self, review: str, name: str, **fields: Any) -> None:
        """Change a file of a review behind its back."""
        (self.folder(review) / name).write_text(json.dumps(self.read(review, name) | fields))

    def wait_until(self, is_it: Callable[[], bool]) -> None:
        """Wait for something that happens soon."""
        until = time.monotonic() + PATIENCE
        while not is_it():
            assert time.monotonic() < until
            time.sleep(0.01)

    def wait_for_programs(self) -> None:
        """Wait until every reviewer is at work."""
        self.wait_until(lambda: all(self.voters.prompts(name) for name in NAMES))

    def wait_for_answers(self, review: str) -> None:
        """Wait until every reviewer has answered."""
        self.wait_until(lambda: len(list(self.folder(review).glob("01/*.answer.json"))) == len(NAMES))

    def asker(self, review: str) -> int:
        """The process that asks, once it has started all programs."""
        self.wait_for_programs()
        found: int = self.read(review, "asking.json")["pid"]
        return found

    def programs(self) -> list[int]:
        """Every process that a reviewer was."""
        return [pid for name in NAMES for pid in self.voters.pids(name)]

    def assert_nothing_runs(self) -> None:
        """No reviewer is left."""
        assert wait_until_gone(*self.programs()) == []


def staged(folder: Path) -> Voters:
    """Programs that vote, for all tests of a module."""
    return Voters(Repo(folder / "repo", clean_world(folder, STARTED_WITH)))


def rounds_in(repo: Repo, voters: Voters) -> Rounds:
    """A repository whose app.py has changed since its last commit; everybody passes whatever it is."""
    for name in NAMES:
        voters.play(name, PASS)
    repo.commit("settings", {".review-gate.yaml": json.dumps(SETTINGS), "app.py": "x = 1\n"})
    repo.write("app.py", "x = 2\n")
    return Rounds(repo, voters)


@contextlib.contextmanager
def untouched(repo: Repo) -> Iterator[None]:
    """Whatever happens meanwhile changes nothing in the work tree or the index."""
    before = _seen(repo)
    yield
    assert _seen(repo) == before


def _seen(repo: Repo) -> str:
    return repo.git("status", "--porcelain", "--untracked-files=all") + repo.git("diff") + repo.git("ls-files", "-s")
