"""What more rules cost: time and memory of `review-gate scan --all` with 50, 200 and 1,000 of them."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.bench import Bench
from benchmarks.memory import peak_memory
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.rule_sets import DOUBLED_WORD, LARGE, MEDIUM, SMALL, BenchRule, rules
from benchmarks.scan_tree import scan_case, tree_repository
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
    whole = [_case(bench, ALL_KINDS, rules(count)) for count in (SMALL, MEDIUM, LARGE)]
    others = [_case(bench, WITHOUT_DOUBLED, without_doubled(rules(count))) for count in (SMALL, LARGE)]
    figures = [figure for case in whole for figure in _memory(case)]
    series = bench.time("scan-growth", [*whole, *others])
    title = "review-gate scan --all, from 50 to 1,000 checks"
    return Measured(title, series, ALL_KINDS.format(SMALL), COMPARISONS, figures=tuple(figures))


def without_doubled(chosen: Sequence[BenchRule]) -> list[BenchRule]:
    """The rules without the one for doubled words."""
    return [rule for rule in chosen if rule.pattern != DOUBLED_WORD]


def _case(bench: Bench, name: str, chosen: Sequence[BenchRule]) -> Case:
    return scan_case(tree_repository(bench, chosen), name.format(len(chosen)), every=FEW)


def _memory(case: Case) -> list[Figure]:
    largest, together = peak_memory(case)
    return [
        Figure(f"{case.name}: peak MB of the largest process", largest, MOST_MEGABYTES),
        Figure(f"{case.name}: peak MB of all processes together", together, MOST_MEGABYTES),
    ]
