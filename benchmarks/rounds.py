"""Rounds of reviewers: a look at one that is over, and what a round takes besides its reviewers."""

from __future__ import annotations

import importlib.util
import itertools
import json
import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.model_server import ModelServer, model_server
from benchmarks.repositories import Repo, published_repository
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.startup import ISOLATED
from benchmarks.timing import Case
from benchmarks.world import FailedToRunError, run_checked

CHECK, CHECK_ALL = "check ID, a review that is over", "check, none open"
MOST_CHECK = 3
SLOW_SECONDS = 10.0
MOST_ROUND = 1.15
SLOW_ROUNDS = 2
FILES, LINES = 50, 60
SETTINGS = {
    "REVIEW_GATE_ROUNDS__REVIEWERS": "[anthropic]",
    "REVIEW_GATE_ROUNDS__QUORUM": "1",
}
GATE = str(Path(sys.executable).with_name("review-gate"))
_numbers = itertools.count(1)


def measure(bench: Bench) -> Measured:
    """Against an interpreter that does nothing; the figure against one reviewer that asks a model on loopback."""
    if importlib.util.find_spec("anthropic") is None:
        raise FailedToRunError("the Python package anthropic is not installed: pip install 'review-gate[anthropic]'")
    with model_server() as server:
        repo = published_repository(bench.world, "rounds", _files(0))
        environ = server.environ(repo.environ) | SETTINGS
        _change(repo)
        review = str(_spawned(repo, environ)["id"])
        commands: dict[str, tuple[str, ...]] = {
            ISOLATED: (sys.executable, "-I", "-c", "pass"),
            CHECK: (GATE, "check", review),
            CHECK_ALL: (GATE, "check"),
        }
        cases = [Case(name, argv, repo.path, environ) for name, argv in commands.items()]
        series = bench.time("rounds", cases)
        figures = (
            Figure(
                f"x its reviewer's {SLOW_SECONDS:g} s: a round, from command to decision",
                _slow(repo, server),
                MOST_ROUND,
            ),
        )
    targets = (Comparison(CHECK, ISOLATED, MOST_CHECK), Comparison(CHECK_ALL, ISOLATED, MOST_CHECK))
    return Measured("Rounds of reviewers", series, ISOLATED, targets, figures=figures)


def _slow(repo: Repo, server: ModelServer) -> float:
    """How much longer a round takes than its reviewer."""
    taken = []
    for _ in range(SLOW_ROUNDS):
        _change(repo)
        server.expect(SLOW_SECONDS)
        began = time.perf_counter()
        _spawned(repo, server.environ(repo.environ) | SETTINGS)
        taken.append((time.perf_counter() - began) / SLOW_SECONDS)
    server.expect(0.0)
    return statistics.median(taken)


def _spawned(repo: Repo, environ: Mapping[str, str]) -> dict[str, object]:
    command = (GATE, "spawn-code-review", "--uncommitted", "--wait", "--format", "json")
    output = run_checked(command, repo.path, environ)
    found: dict[str, object] = json.loads(output)["reviews"][0]
    return found


def _change(repo: Repo) -> None:
    """All files are others than ever before, so that nobody knows anything of them."""
    repo.write(_files(next(_numbers)))


def _files(number: int) -> dict[str, str]:
    return {f"src/file_{at:02}.py": _text(at, number) for at in range(FILES)}


def _text(at: int, number: int) -> str:
    return "".join(f"def step_{at}_{line}(value):\n    return value + {number * line}\n" for line in range(LINES))
