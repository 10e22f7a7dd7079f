"""`git push` of one changed file to a local bare repository, hooked in different ways."""

from __future__ import annotations

from functools import partial

from benchmarks import ways
from benchmarks.bench import Bench
from benchmarks.repositories import Repo, published_repository
from benchmarks.results import Comparison, Measured
from benchmarks.timing import Case

HOOK = "pre-push"
PUSH = ("git", "push", "--quiet")
NAMES = (
    ways.BARE,
    ways.SH,
    ways.PYTHON,
    ways.NATIVE,
    ways.PREK_SYSTEM,
    ways.LEFTHOOK_TRUE,
    ways.PRE_COMMIT_SYSTEM,
    ways.PRE_COMMIT_PYTHON,
)
TARGETS = (
    Comparison(ways.NATIVE, ways.BARE, 3.0, aim=2.0),
    Comparison(ways.NATIVE, ways.PRE_COMMIT_PYTHON, 0.25),
    Comparison(ways.NATIVE, ways.PREK_SYSTEM),
    Comparison(ways.NATIVE, ways.LEFTHOOK_TRUE),
)


def measure(bench: Bench) -> Measured:
    """The push through each way; review-gate gives its full verdict on a commit that was reviewed before."""
    found, missing = ways.available(bench, NAMES, HOOK)
    cases = [_case(bench, way, f"push-{number}") for number, way in enumerate(found)]
    return Measured("git push", bench.time("push", cases), ways.BARE, TARGETS, missing)


def _case(bench: Bench, way: ways.Way, folder: str) -> Case:
    repo = published_repository(bench.world, folder, way.files)
    way.set_up(repo)
    _prove(repo, way)
    return Case(way.name, PUSH, repo.path, repo.environ, prepare=partial(_prepare, repo, way))


def _prepare(repo: Repo, way: ways.Way, number: int) -> None:
    repo.commit(f"Change {number}", {"text/00.txt": f"change number {number}\n"})
    if way.is_gate:
        repo.gate("run", "--yes")


def _prove(repo: Repo, way: ways.Way) -> None:
    """One push before the clock runs, of a commit that nobody reviewed."""
    repo.commit("Proof", {"text/00.txt": "proof\n"})
    way.check(repo.git("push", expected=way.refusal))
