"""`review-gate scan --all` over a repository of thousands of files, beside programs that look for the same."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.bench import Bench
from benchmarks.corpus import corpus, corpus_repository, text_size
from benchmarks.peers import RIPGREP, SEMGREP
from benchmarks.repositories import Repo
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.rule_sets import SMALL, BenchRule, literal_rules, rules, shared_rules
from benchmarks.scanners import (
    COMMAND,
    FOUND,
    SEMGREP_IGNORE,
    prove_semgrep,
    ripgrep,
    ripgrep_places,
    scan_places,
    semgrep,
)
from benchmarks.timing import Case

LITERALS, LITERALS_ALONE = "review-gate, 35 literals", "review-gate, 35 literals, --jobs 1"
MIXED, MIXED_ALONE = "review-gate, 50 checks", "review-gate, 50 checks, --jobs 1"
SHARED = "review-gate, 48 of the 50: what rg accepts"
RG_LITERALS, RG_LITERALS_ALONE = "rg -F, the 35 literals", "rg -F, the 35 literals, --threads 1"
RG_SHARED = "rg, the 48"
SEMGREP_MIXED = "semgrep, the 50"
COMPARISONS = (
    Comparison(LITERALS, RG_LITERALS, 2.5),
    Comparison(LITERALS_ALONE, RG_LITERALS_ALONE),
    Comparison(SHARED, RG_SHARED, 1 / 15),
    # Not the same rules: rg refuses two of the 50.
    Comparison(MIXED, RG_SHARED),
    Comparison(MIXED, SEMGREP_MIXED, 1 / 40),
)
# In which rounds runs what takes a second, and what takes more.
SOME, FEW = 3, 6
LEAST_FILES = 4000


def measure(bench: Bench) -> Measured:
    """Every program looks at the same files and prints what it finds, with as many processes as it likes."""
    bench.say("scan-tree: making repositories")
    cases, missing, figures = _own_cases(bench), dict[str, str](), _size(bench)
    problems = bench.searchers.problems
    if RIPGREP in problems:
        missing |= dict.fromkeys((RG_LITERALS, RG_LITERALS_ALONE, RG_SHARED), problems[RIPGREP])
    else:
        cases += _ripgrep_cases(bench)
        figures.append(_differing(bench, cases[0]))
    if SEMGREP in problems:
        missing[SEMGREP_MIXED] = problems[SEMGREP]
    else:
        cases.append(_semgrep_case(bench))
    series = bench.time("scan-tree", cases)
    title = "review-gate scan --all, a repository of 5,000 text files"
    return Measured(title, series, RG_LITERALS, COMPARISONS, missing, tuple(figures))


def _size(bench: Bench) -> list[Figure]:
    files, megabytes = text_size(corpus(bench.world))
    return [Figure("text files", files), Figure("MB of text", megabytes)]


def _own_cases(bench: Bench) -> list[Case]:
    literal = tree_repository(bench, literal_rules())
    shared = tree_repository(bench, shared_rules(SMALL))
    mixed = tree_repository(bench, rules(SMALL))
    return [
        scan_case(literal, LITERALS),
        scan_case(literal, LITERALS_ALONE, "--jobs", "1"),
        scan_case(shared, SHARED, every=SOME),
        scan_case(mixed, MIXED, every=SOME),
        scan_case(mixed, MIXED_ALONE, "--jobs", "1", every=SOME),
    ]


def tree_repository(bench: Bench, chosen: Sequence[BenchRule]) -> Repo:
    """The large repository with these rules, scanned once before the clock runs: so their plan is there."""
    repo = corpus_repository(bench.world, f"tree-{len(chosen)}", chosen)
    scan_places(repo.path, repo.environ)
    return repo


def scan_case(repo: Repo, name: str, *options: str, every: int = 1) -> Case:
    """A scan of everything as a user starts it."""
    argv = (COMMAND, "scan", "--all", *options)
    return Case(name, argv, repo.path, repo.environ, expected=FOUND, every=every)


def _ripgrep_cases(bench: Bench) -> list[Case]:
    literal = ripgrep(bench, literal_rules(), is_literal=True)
    commands = {
        RG_LITERALS: (literal, 1),
        RG_LITERALS_ALONE: ((*literal, "--threads", "1"), 1),
        RG_SHARED: (ripgrep(bench, shared_rules(SMALL), is_literal=False), FEW),
    }
    folder, environ = corpus(bench.world), bench.world.environ
    return [Case(name, argv, folder, environ, every=every) for name, (argv, every) in commands.items()]


def _differing(bench: Bench, case: Case) -> Figure:
    """Fair play: both programs found the same."""
    ours = scan_places(case.folder, case.environ)
    argv = ripgrep(bench, literal_rules(), is_literal=True)
    theirs = ripgrep_places(argv, corpus(bench.world), bench.world.environ)
    name = f"lines that only one of review-gate and rg -F reports, of {len(ours | theirs)}"
    return Figure(name, len(ours ^ theirs), 0)


def _semgrep_case(bench: Bench) -> Case:
    repo = corpus_repository(bench.world, "tree-semgrep", ())
    repo.write(SEMGREP_IGNORE)
    argv = semgrep(bench, rules(SMALL), ".")
    prove_semgrep(argv, repo.path, repo.environ, least=LEAST_FILES)
    return Case(SEMGREP_MIXED, argv, repo.path, repo.environ, every=FEW)
