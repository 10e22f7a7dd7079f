"""Rounds: every case once in each round, in a new order each time, so that a change of load meets all of them alike."""

from __future__ import annotations

import random
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.world import FailedToRunError, failure_text

# The first rounds fill caches: bytecode, the compiled configuration, the frameworks' own environments.
WARM_UP_ROUNDS = 2
TIMED_SECONDS = 600


def nothing(_: int) -> None:
    """No preparation."""


@dataclass(frozen=True)
class Case:
    """One command that is timed, and what is done before it in each round without being timed."""

    name: str
    argv: tuple[str, ...]
    folder: Path
    environ: Mapping[str, str]
    stdin: bytes = b""
    prepare: Callable[[int], None] = nothing
    # The exit code that means that it did its work: programs that find something often end with 1.
    expected: int = 0
    # A program that takes seconds runs in every so many rounds only; the others are compared with it in these.
    every: int = 1

    def is_due(self, number: int) -> bool:
        """Whether this round has it; what takes seconds is not warmed up again after the proof that it works."""
        timed = number - WARM_UP_ROUNDS
        return timed % self.every == 0 and (timed >= 0 or self.every == 1)


@dataclass(frozen=True)
class Series:
    """The milliseconds that one case took, round by round, in the rounds that had it."""

    name: str
    by_round: Mapping[int, float]

    @property
    def milliseconds(self) -> Sequence[float]:
        """The times without their rounds."""
        return tuple(self.by_round.values())

    @property
    def median(self) -> float:
        """The middle value."""
        return statistics.median(self.milliseconds)

    @property
    def p10(self) -> float:
        """What the quickest tenth stays under: nearest to the true cost on a machine that does other things too."""
        return sorted(self.milliseconds)[len(self.milliseconds) // 10]

    def ratio_to(self, other: Series) -> float:
        """The median of the ratios of each round, whose two sides saw the same load."""
        common = self.by_round.keys() & other.by_round.keys()
        return statistics.median(self.by_round[number] / other.by_round[number] for number in common)


def time_cases(cases: Sequence[Case], rounds: int, progress: Callable[[str], None]) -> tuple[Series, ...]:
    """The times of all cases, in the order given."""
    taken: dict[str, dict[int, float]] = {case.name: {} for case in cases}
    for number in range(WARM_UP_ROUNDS + rounds):
        due = [case for case in cases if case.is_due(number)]
        for case in random.sample(due, len(due)):
            progress(f"round {number + 1} of {WARM_UP_ROUNDS + rounds}: {case.name}")
            case.prepare(number)
            milliseconds = _time(case)
            if number >= WARM_UP_ROUNDS:
                taken[case.name][number] = milliseconds
    return tuple(Series(name, by_round) for name, by_round in taken.items())


def _time(case: Case) -> float:
    start = time.perf_counter()
    try:
        done = subprocess.run(
            case.argv,
            cwd=case.folder,
            env=case.environ,
            input=case.stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=TIMED_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FailedToRunError(f"{case.name}: {error}") from None
    end = time.perf_counter()
    if done.returncode != case.expected:
        raise FailedToRunError(f"{case.name}: {failure_text(case.argv, done.returncode, done.stderr)}")
    return (end - start) * 1000
