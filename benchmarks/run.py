"""`review-gate run` on a change of twenty files: without a model, and with six reviewers that ask one."""

from __future__ import annotations

import importlib.util
import itertools
import statistics
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.changes import files_of_all_kinds, twenty_files
from benchmarks.model_server import ModelServer, model_server
from benchmarks.repositories import Repo, published_repository
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.startup import ISOLATED
from benchmarks.timing import Case, Series
from benchmarks.world import FailedToRunError, run_checked

IMPORT = '`python -c "import pydantic, git"`'
RUN = "review-gate run, 20 files, no model"
MOST_IMPORTS, AIMED_IMPORTS = 4, 3.3
WITHOUT, AT_ONCE, LATE = "no model", "six reviewers, answers at once", "six reviewers, answers after 1 s"
REVIEWERS = 6
ANSWER_SECONDS = 1.0
MOST_SECONDS = 1.3
# A run with models takes seconds.
EVERY = 3
NO_MODEL = {"REVIEW_GATE_MODELS__USE": "off"}
RUN_COMMAND = (str(Path(sys.executable).with_name("review-gate")), "run", "--yes", "--base", "HEAD~1")
Files = Callable[[int], Mapping[str, str]]
_numbers = itertools.count()


def measure(bench: Bench) -> Measured:
    """From the start to the verdict, against the import of two packages that such a program would begin with."""
    repo = published_repository(bench.world, "run", twenty_files(-1))
    run = _run_case(RUN, repo, twenty_files)
    commands: dict[str, tuple[str, ...]] = {ISOLATED: (sys.executable, "-I", "-c", "pass")}
    missing = {IMPORT: "not installed: GitPython"}
    if importlib.util.find_spec("git") is not None:
        commands[IMPORT], missing = (sys.executable, "-c", "import pydantic, git"), {}
    cases = [Case(name, argv, repo.path, repo.environ) for name, argv in commands.items()]
    series = bench.time("run", [*cases, run])
    target = Comparison(RUN, IMPORT, MOST_IMPORTS, AIMED_IMPORTS)
    return Measured("review-gate run, 20 files, no model", series, ISOLATED, (target,), missing)


def measure_with_models(bench: Bench) -> Measured:
    """What six reviewers add that ask a model, each of them twice, and how long the model hears from them."""
    if importlib.util.find_spec("anthropic") is None:
        raise FailedToRunError("the Python package anthropic is not installed: pip install 'review-gate[anthropic]'")
    with model_server() as server:
        repo = published_repository(bench.world, "run-models", files_of_all_kinds(-1))
        _prove(repo, server)
        cases = [
            _run_case(WITHOUT, repo, files_of_all_kinds, every=EVERY),
            _model_case(AT_ONCE, repo, server, 0.0),
            _model_case(LATE, repo, server, ANSWER_SECONDS),
        ]
        series = bench.time("run-models", cases)
        heard = [one.ended - one.began for one in server.hearings if one.seconds == ANSWER_SECONDS]
    without, at_once, late = series
    figures = (
        Figure("s from the first question to the last answer", statistics.median(heard), MOST_SECONDS),
        Figure("s longer than with answers at once", _seconds_longer(late, at_once), MOST_SECONDS),
        Figure("s longer than without a model", _seconds_longer(late, without)),
    )
    return Measured("review-gate run, six reviewers that ask a model", series, WITHOUT, figures=figures)


def _seconds_longer(one: Series, other: Series) -> float:
    """The median of the differences of each round, whose two sides saw the same load."""
    return statistics.median(one.by_round[number] - other.by_round[number] for number in one.by_round) / 1000


def _run_case(name: str, repo: Repo, files: Files, *, every: int = 1) -> Case:
    return Case(
        name, RUN_COMMAND, repo.path, repo.environ | NO_MODEL, prepare=lambda _: _commit(repo, files), every=every
    )


def _model_case(name: str, repo: Repo, server: ModelServer, seconds: float) -> Case:
    def prepare(_: int) -> None:
        _commit(repo, files_of_all_kinds)
        server.expect(seconds)

    return Case(name, RUN_COMMAND, repo.path, server.environ(repo.environ), prepare=prepare, every=EVERY)


def _commit(repo: Repo, files: Files) -> None:
    """A commit that changes all files; what no reviewer has seen is in no cache."""
    repo.commit("Change", files(next(_numbers)))


def _prove(repo: Repo, server: ModelServer) -> None:
    """One run before the clock starts: all six are asked twice, nobody is missing, and each has voted."""
    _commit(repo, files_of_all_kinds)
    output = run_checked(RUN_COMMAND, repo.path, server.environ(repo.environ))
    questions = server.hearings[-1].questions
    if questions != 2 * REVIEWERS + 1 or b"could not run" in output:
        raise FailedToRunError(f"{questions} questions of {REVIEWERS} reviewers: {output.decode('utf-8', 'replace')}")
