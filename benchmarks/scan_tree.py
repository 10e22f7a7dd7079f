"""`review-gate scan --all` over a repository of thousands of files, beside programs that look for the same."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.bench import Bench
from benchmarks.corpus import corpus, corpus_repository, text_size
from benchmarks.peers import RIPGREP, SEMGREP
from benchmarks.repositories import Repo
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.rule_sets import SMALL, BenchRule, literal_rules, regex_lines, rules
from benchmarks.scanners import (
    COMMAND,
    FOUND,
    SEMGREP_IGNORE,
    Places,
    prove_semgrep,
    ripgrep,
    ripgrep_places,
    scan_places,
    semgrep,
)
from benchmarks.timing import Case

LITERALS, MIXED = "review-gate, 35 literals", "review-gate, 50 checks"
LITERALS_ALONE, MIXED_ALONE = f"{LITERALS}, --jobs 1", f"{MIXED}, --jobs 1"
RG_LITERALS, RG_LITERALS_ALONE = "rg -F, the same 35", "rg -F, the same 35, --threads 1"
RG_MIXED = f"rg, {len(regex_lines(rules(SMALL)).splitlines())} of the 50"
SEMGREP_MIXED = "semgrep, the same 50"
COMPARISONS = (
    Comparison(LITERALS, RG_LITERALS, 2.5),
    Comparison(LITERALS_ALONE, RG_LITERALS_ALONE),
    Comparison(MIXED, RG_MIXED, 1 / 15),
    Comparison(MIXED, SEMGREP_MIXED, 1 / 40),
)
# Rounds for what takes a second, some seconds, half a minute.
SOME, FEW, TWO = 3, 6, 15
LEAST_FILES = 4000


def measure(bench: Bench) -> Measured:
    """Every program looks at the same files and prints what it finds, with as many processes as it likes."""
    bench.say("scan-tree: making repositories")
    ours = {True: _repository(bench, literal_rules()), False: _repository(bench, rules(SMALL))}
    found = {is_literal: scan_places(repo, "--all") for is_literal, repo in ours.items()}
    missing, figures = dict[str, str](), _size(bench)
    cases = [*_own_cases(ours[True], LITERALS, 1), *_own_cases(ours[False], MIXED, SOME)]
    if RIPGREP in bench.searchers.problems:
        missing |= dict.fromkeys((RG_LITERALS, RG_LITERALS_ALONE, RG_MIXED), bench.searchers.problems[RIPGREP])
    else:
        cases += _ripgrep_cases(bench)
        figures.append(_differing(bench, found[True]))
    if SEMGREP in bench.searchers.problems:
        missing[SEMGREP_MIXED] = bench.searchers.problems[SEMGREP]
    else:
        cases.append(_semgrep_case(bench))
    series = bench.time("scan-tree", cases)
    title = "review-gate scan --all, the whole of a large repository"
    return Measured(title, series, LITERALS, COMPARISONS, missing, tuple(figures))


def _repository(bench: Bench, chosen: Sequence[BenchRule]) -> Repo:
    return corpus_repository(bench.world, f"tree-{len(chosen)}", chosen)


def _size(bench: Bench) -> list[Figure]:
    files, megabytes = text_size(corpus(bench.world))
    return [Figure("text files", files), Figure("MB of text", megabytes)]


def _own_cases(repo: Repo, name: str, every: int) -> list[Case]:
    return [scan_case(repo, name, every=every), scan_case(repo, f"{name}, --jobs 1", "--jobs", "1", every=every)]


def scan_case(repo: Repo, name: str, *options: str, every: int) -> Case:
    """A scan of everything as a user starts it."""
    argv = (COMMAND, "scan", "--all", *options)
    return Case(name, argv, repo.path, repo.environ, expected=FOUND, every=every)


def _ripgrep_cases(bench: Bench) -> list[Case]:
    literal = ripgrep(bench, literal_rules(), is_literal=True)
    commands = {
        RG_LITERALS: (literal, 1),
        RG_LITERALS_ALONE: ((*literal, "--threads", "1"), 1),
        RG_MIXED: (ripgrep(bench, rules(SMALL), is_literal=False), FEW),
    }
    folder, environ = corpus(bench.world), bench.world.environ
    return [Case(name, argv, folder, environ, every=every) for name, (argv, every) in commands.items()]


def _differing(bench: Bench, ours: Places) -> Figure:
    """Fair play: both programs found the same."""
    argv = ripgrep(bench, literal_rules(), is_literal=True)
    theirs = ripgrep_places(argv, corpus(bench.world), bench.world.environ)
    name = f"lines that only one of review-gate and rg -F reports, of {len(ours | theirs)}"
    return Figure(name, len(ours ^ theirs), 0)


def _semgrep_case(bench: Bench) -> Case:
    repo = corpus_repository(bench.world, "tree-semgrep", ())
    repo.write(SEMGREP_IGNORE)
    argv = semgrep(bench, rules(SMALL), ".")
    prove_semgrep(argv, repo.path, repo.environ, least=LEAST_FILES)
    return Case(SEMGREP_MIXED, argv, repo.path, repo.environ, every=TWO)
