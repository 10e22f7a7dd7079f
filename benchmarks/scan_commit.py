"""Fifty checks over ten staged files: the commit hook's process and `scan --staged`, beside programs made for it."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.corpus import corpus, rule_files
from benchmarks.peers import PRE_COMMIT, SEMGREP
from benchmarks.repositories import Repo, published_repository
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.rule_sets import SMALL, pygrep_file, rules
from benchmarks.scanners import COMMAND, FOUND, SEMGREP_IGNORE, prove_semgrep, scan_places, semgrep
from benchmarks.startup import ISOLATED
from benchmarks.timing import Case
from benchmarks.world import FailedToRunError, run_checked
from review_gate.shell.spawn import package_place

# Six of Python, two of prose, one style sheet, one script; of each the last 200 lines are new.
FILES = (
    "django/core/cache/backends/db.py",
    "django/core/handlers/asgi.py",
    "django/core/serializers/base.py",
    "django/db/utils.py",
    "django/forms/forms.py",
    "django/utils/regex_helper.py",
    "docs/howto/csrf.txt",
    "docs/topics/security.txt",
    "django/contrib/admin/static/admin/css/autocomplete.css",
    "django/contrib/admin/static/admin/js/SelectFilter2.js",
)
NEW_LINES = 200
HOOK = "pre-commit hook, its Python process"
WHOLE_HOOK = "pre-commit hook, with its shell shim"
HOOK_WITHOUT = "pre-commit hook, its Python process, checks off"
SCAN = "review-gate scan --staged"
SEMGREP_FILES = "semgrep, the same 50"
PYGREP = "pre-commit, 50 pygrep hooks"
COMPARISONS = (
    Comparison(HOOK, ISOLATED, 5, aim=4),
    Comparison(SCAN, ISOLATED, 5, aim=4),
    Comparison(SCAN, SEMGREP_FILES, 1 / 40),
    Comparison(SCAN, PYGREP, 1 / 80),
    # The hook does more than these: it also compiles, parses and looks for conflicts.
    Comparison(HOOK, SEMGREP_FILES),
    Comparison(HOOK, PYGREP),
    Comparison(HOOK, HOOK_WITHOUT),
)
# What the shim starts.
START = """
import os, sys
sys.path.append(sys.argv[1])
from git_hooks.pre_commit import main
os._exit(main(sys.argv[2:]))
"""
OFF = "version: 1\nchecks: {enabled: false}\n"
# Rounds for what takes seconds.
FEW = 6


def measure(bench: Bench) -> Measured:
    """The hook does all of its other work too; all programs print what they find."""
    bench.say("scan-commit: making repositories")
    repo = _staged(bench, "scan-commit", rule_files(rules(SMALL)))
    figures = _prove(repo)
    cases, missing = _own_cases(bench, repo), dict[str, str]()
    for name, peers, peer, make in (
        (SEMGREP_FILES, bench.searchers, SEMGREP, _semgrep_case),
        (PYGREP, bench.peers, PRE_COMMIT, _pygrep_case),
    ):
        if peer in peers.problems:
            missing[name] = peers.problems[peer]
        else:
            cases.append(make(bench))
    title = f"{SMALL} checks at a commit of 10 files"
    return Measured(title, bench.time("scan-commit", cases), ISOLATED, COMPARISONS, missing, figures)


def _staged(bench: Bench, folder: str, settings: dict[str, str]) -> Repo:
    """A repository that is about to commit new lines in ten files."""
    repo = published_repository(bench.world, folder)
    texts = {name: (corpus(bench.world) / name).read_text(encoding="utf-8") for name in FILES}
    old = {name: "".join(text.splitlines(keepends=True)[:-NEW_LINES]) for name, text in texts.items()}
    repo.commit("Old", settings | old)
    repo.write(texts)
    repo.git("add", "--all")
    return repo


def _prove(repo: Repo) -> tuple[Figure, ...]:
    """Everything that is timed has been seen at work, and the kept plan is made."""
    found = scan_places(repo.path, repo.environ, "--staged")
    repo.gate("install")
    output = run_checked(_hook(), repo.path, repo.environ, expected=FOUND).decode()
    absent = [place for place in found if ":".join(map(str, place)) not in output]
    if absent:
        raise FailedToRunError(f"{HOOK}: it does not report {absent[0]}: {output[-200:]}")
    added = sum(int(line.split("\t")[0]) for line in repo.git("diff", "--cached", "--numstat").splitlines())
    return Figure("added lines", added), Figure("lines with findings", len(found))


def _hook() -> tuple[str, ...]:
    return sys.executable, "-I", "-S", "-c", START, package_place()


def _own_cases(bench: Bench, repo: Repo) -> list[Case]:
    off = _staged(bench, "scan-commit-off", {".review-gate.yaml": OFF})
    return [
        Case(ISOLATED, (sys.executable, "-I", "-c", "pass"), repo.path, repo.environ),
        Case(HOOK, _hook(), repo.path, repo.environ, expected=FOUND),
        Case(WHOLE_HOOK, (str(repo.hooks / "pre-commit"),), repo.path, repo.environ, expected=FOUND),
        Case(HOOK_WITHOUT, _hook(), off.path, off.environ),
        Case(SCAN, (COMMAND, "scan", "--staged"), repo.path, repo.environ, expected=FOUND),
    ]


def _semgrep_case(bench: Bench) -> Case:
    """Semgrep is given the names, as a hook would give them."""
    repo = _staged(bench, "scan-commit-semgrep", SEMGREP_IGNORE)
    argv = semgrep(bench, rules(SMALL), *FILES)
    prove_semgrep(argv, repo.path, repo.environ, least=len(FILES))
    return Case(SEMGREP_FILES, argv, repo.path, repo.environ, every=FEW)


def _pygrep_case(bench: Bench) -> Case:
    repo = _staged(bench, "scan-commit-pygrep", {})
    config = bench.world.work / "pygrep.yaml"
    config.write_text(pygrep_file(rules(SMALL)), encoding="utf-8")
    argv = (bench.peers.program(PRE_COMMIT), "run", "--config", str(config))
    output = run_checked(argv, repo.path, repo.environ, expected=FOUND).decode()
    if f"{Path(FILES[0]).name}:" not in output:
        raise FailedToRunError(f"{PYGREP}: nothing was found: {output[-200:]}")
    return Case(PYGREP, argv, repo.path, repo.environ, expected=FOUND, every=FEW)
