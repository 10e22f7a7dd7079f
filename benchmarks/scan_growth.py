"""What more rules cost: time and memory of `review-gate scan --all` with 50, 200 and 1,000 of them."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.bench import Bench
from benchmarks.corpus import corpus_repository
from benchmarks.memory import peak_memory
from benchmarks.repositories import Repo
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.rule_sets import DOUBLED_WORD, LARGE, MEDIUM, SMALL, BenchRule, rules
from benchmarks.scan_tree import scan_case
from benchmarks.scanners import scan_places
from benchmarks.timing import Case

ALL_KINDS = "{} checks"
WITHOUT_DOUBLED = "{} checks, without the one for doubled words"
COMPARISONS = (
    Comparison(ALL_KINDS.format(MEDIUM), ALL_KINDS.format(SMALL)),
    Comparison(ALL_KINDS.format(LARGE), ALL_KINDS.format(SMALL), 12),
    Comparison(WITHOUT_DOUBLED.format(LARGE - 1), WITHOUT_DOUBLED.format(SMALL - 1), 12),
)
MOST_MEGABYTES = 96
# Rounds for what takes seconds.
FEW = 6


def measure(bench: Bench) -> Measured:
    """One check costs more than many others together, so the growth is told without it too."""
    bench.say("scan-growth: making repositories")
    cases, figures = [], []
    for count in (SMALL, MEDIUM, LARGE):
        case = _case(bench, ALL_KINDS.format(count), rules(count))
        cases.append(case)
        figures += _memory(case)
    for count in (SMALL, LARGE):
        chosen = [rule for rule in rules(count) if rule.pattern != DOUBLED_WORD]
        cases.append(_case(bench, WITHOUT_DOUBLED.format(len(chosen)), chosen))
    title = "review-gate scan --all, from 50 to 1,000 checks"
    series = bench.time("scan-growth", cases)
    return Measured(title, series, ALL_KINDS.format(SMALL), COMPARISONS, figures=tuple(figures))


def _case(bench: Bench, name: str, chosen: Sequence[BenchRule]) -> Case:
    repo = corpus_repository(bench.world, f"growth-{len(chosen)}", chosen)
    _prove(repo)
    return scan_case(repo, name, every=FEW)


def _prove(repo: Repo) -> None:
    """One scan before the clock runs, which leaves the plan of the checks behind."""
    scan_places(repo, "--all")


def _memory(case: Case) -> list[Figure]:
    largest, together = peak_memory(case)
    return [
        Figure(f"{case.name}: peak MB of the largest process", largest, MOST_MEGABYTES),
        Figure(f"{case.name}: peak MB of all processes together", together, MOST_MEGABYTES),
    ]
