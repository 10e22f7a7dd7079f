"""Reviewers with faults in a real run: what the run says of them, how soon it ends, and that nothing outlives it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

from conftest import Repo, Result
from modelling import Model
from running import PATIENCE, is_running

CODE = {"src/app.py": "def total(a, b):\n    return a + b\n"}
# By then everything is over, also on a busy machine; no fault may take as long as the service or the program likes.
LATE = 45.0
# Escapes, bells and carriage returns move what a terminal shows.
HARMLESS = frozenset("\n\t")


class Told(NamedTuple):
    """What a run with faulty reviewers says."""

    code: int
    loop: str
    status: str
    detail: str
    result: Result

    @property
    def short(self) -> tuple[int, str, str]:
        """Exit code, status of the loop, and of its reviewer."""
        return self.code, self.loop, self.status


def review(repo: Repo, server: Model | None = None, *, use: str = "required", **environ: str) -> Told:
    """A run of loop 2 with a model that leaves nothing running; what it says of the build reviewer."""
    ended = ended_in_time(repo, server, use=use, **environ)
    assert left_running(repo) == []
    return ended


def ended_in_time(repo: Repo, server: Model | None = None, *, use: str = "required", **environ: str) -> Told:
    """The same, whatever it leaves."""
    settings = {"REVIEW_GATE_MODELS__USE": use, "REVIEW_GATE_MODELS__SECOND_PASS": "false", **environ}
    options = ("run", "--base", "HEAD~1", "--yes", "--loops", "2", "--format", "json")
    started = time.monotonic()
    result = repo.gate(*options, **{**(server.environ if server is not None else {}), **settings})
    assert time.monotonic() - started < LATE
    assert_sound(result)
    return told(result)


def told(result: Result, reviewer: str = "build-reviewer") -> Told:
    """What a report says of one reviewer."""
    loop = json.loads(result.stdout)["loops"][1]
    one: dict[str, Any] = next(one for one in loop["reviewers"] if one["id"] == reviewer)
    return Told(result.returncode, loop["status"], one["status"], one["detail"], result)


def assert_sound(result: Result) -> None:
    """Whatever came from outside, there is no traceback, and nothing that a terminal would obey."""
    for text in (result.stdout, result.stderr):
        assert "Traceback" not in text
        assert not [one for one in set(text) if one not in HARMLESS and not one.isprintable()]


def left_running(repo: Repo) -> list[int]:
    """The processes of this test's world that are still alive after some patience."""
    end = time.monotonic() + PATIENCE
    while (alive := running(repo)) and time.monotonic() < end:
        time.sleep(0.01)
    return alive


def running(repo: Repo) -> list[int]:
    """The processes of this test's world."""
    mark = f"HOME={repo.environ['HOME']}\0".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environ = (folder / "environ").read_bytes() + b"\0"
        except OSError:
            continue
        if mark in environ and int(folder.name) != os.getpid() and is_running(int(folder.name)):
            found.append(int(folder.name))
    return found
