"""Rounds of reviewers: a look at one that is over, what a round takes besides its reviewers, and what it sends."""

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
MOST_SENT = 40
SETTINGS = {
    "REVIEW_GATE_ROUNDS__REVIEWERS": "[anthropic]",
    "REVIEW_GATE_ROUNDS__QUORUM": "1",
}
GATE = str(Path(sys.executable).with_name("review-gate"))
_numbers = itertools.count(1)


def measure(bench: Bench) -> Measured:
    """Against an interpreter that does nothing; the two figures against one reviewer that asks a model on loopback."""
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
            Figure(
                f"% of round one's text sent in round two, 1 of {FILES} files mended", _sent(repo, server), MOST_SENT
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


def _sent(repo: Repo, server: ModelServer) -> float:
    """What the second round sends that is in no cache of the service, in percent of the first."""
    _change(repo)
    server.expect(0.0, objects_once=True)
    environ = server.environ(repo.environ) | SETTINGS
    review = str(_spawned(repo, environ, expected=1)["id"])
    first = server.hearings[-1].fresh
    server.expect(0.0)
    repo.write({f"src/file_{FILES // 2:02}.py": _text(FILES // 2, next(_numbers))})
    run_checked((GATE, "check", review, "--wait"), repo.path, environ)
    return 100 * server.hearings[-1].fresh / first


def _spawned(repo: Repo, environ: Mapping[str, str], *, expected: int = 0) -> dict[str, object]:
    command = (GATE, "spawn-code-review", "--uncommitted", "--wait", "--format", "json")
    output = run_checked(command, repo.path, environ, expected=expected)
    found: dict[str, object] = json.loads(output)["reviews"][0]
    return found


def _change(repo: Repo) -> None:
    """All files are others than ever before, so that nobody knows anything of them."""
    repo.write(_files(next(_numbers)))


def _files(number: int) -> dict[str, str]:
    return {f"src/file_{at:02}.py": _text(at, number) for at in range(FILES)}


def _text(at: int, number: int) -> str:
    return "".join(f"def step_{at}_{line}(value):\n    return value + {number * line}\n" for line in range(LINES))
