"""The first stages of the pipeline over a change of 100,000 files, against git listing the same change."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.changes import huge_change
from benchmarks.memory import peak_memory
from benchmarks.repositories import Repo
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.run import NO_MODEL
from benchmarks.timing import WARM_UP_ROUNDS, Case, Series
from benchmarks.world import FailedToRunError, run_checked
from review_gate.shell.spawn import package_place

FILES = 100_000
GIT = "`git diff-tree --raw -r`"
STAGES = "git's list, normalize, classify, compose"
PREVIEW = "review-gate run --plan-only, the whole program"
MOST_TIMES = 5
# It takes seconds.
EVERY = 3
Times = dict[str, dict[int, float]]


def measure(bench: Bench) -> Measured:
    """The stages time themselves in a new process: what is imported before them is told by other measures."""
    bench.say("pipeline: making a repository")
    repo = huge_change(bench.world, "pipeline", FILES)
    preview = _preview(repo)
    figures = (Figure(f"{PREVIEW}: peak MB of the largest process", peak_memory(preview)[0]),)
    series = (*_rounds(bench, repo), *bench.time("pipeline", [preview]))
    title = f"A change of {FILES:,} files"
    return Measured(title, series, GIT, (Comparison(STAGES, GIT, MOST_TIMES),), figures=figures)


def _preview(repo: Repo) -> Case:
    command = str(Path(sys.executable).with_name("review-gate"))
    argv = (command, "run", "--plan-only", "--base", "HEAD~1")
    return Case(PREVIEW, argv, repo.path, repo.environ | NO_MODEL, every=EVERY)


def _rounds(bench: Bench, repo: Repo) -> list[Series]:
    base, tree = repo.resolve("HEAD~1"), repo.resolve("HEAD^{tree}")
    ways: dict[str, Callable[[], float]] = {
        GIT: lambda: _of_git(repo, base, tree),
        STAGES: lambda: _of_stages(repo, (repo.resolve("HEAD"), tree, base)),
    }
    taken: Times = {name: {} for name in ways}
    for number in range(WARM_UP_ROUNDS + bench.rounds):
        for name in random.sample(list(ways), len(ways)):
            bench.say(f"pipeline: round {number + 1}: {name}")
            milliseconds = ways[name]()
            if number >= WARM_UP_ROUNDS:
                taken[name][number] = milliseconds
    return [Series(name, by_round) for name, by_round in taken.items()]


def _of_git(repo: Repo, base: str, tree: str) -> float:
    argv = ("git", "diff-tree", "--raw", "-r", base, tree)
    start = time.perf_counter()
    done = subprocess.run(argv, cwd=repo.path, env=repo.environ, capture_output=True, check=False)
    milliseconds = (time.perf_counter() - start) * 1000
    listed = done.stdout.count(b"\n")
    if done.returncode or listed != FILES:
        raise FailedToRunError(f"git listed {listed} files")
    return milliseconds


def _of_stages(repo: Repo, ends: tuple[str, str, str]) -> float:
    code = "import sys; sys.path.append(sys.argv.pop(1)); from benchmarks import stages; stages.main(*sys.argv[1:])"
    argv = (sys.executable, "-I", "-c", code, package_place(), str(repo.path), *ends)
    milliseconds, files, reviewers = run_checked(argv, repo.path, repo.environ).split()
    if int(files) != FILES or not int(reviewers):
        raise FailedToRunError(f"the stages saw {int(files)} files and chose {int(reviewers)} reviewers")
    return float(milliseconds)
