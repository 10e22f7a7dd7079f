"""How long our programs take to start: the command line, and the modules of each hook without any git."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.repositories import published_repository
from benchmarks.results import Comparison, Measured
from benchmarks.timing import Case
from review_gate.shell.spawn import package_place

ISOLATED = "`python -I -c pass`"
WITHOUT_SITE = "`python -I -S -c pass`"
VERSION = "review-gate --version"
VERIFY = "review-gate verify"
HOOK_MODULES = ("pre_push", "pre_commit", "commit_msg")
IMPORT = "import sys; sys.path.append(sys.argv[1]); import git_hooks.{module}"
COMPARISONS = (
    Comparison(VERSION, ISOLATED),
    Comparison(VERIFY, ISOLATED),
    *(Comparison(f"import git_hooks.{module}", WITHOUT_SITE) for module in HOOK_MODULES),
)


def measure(bench: Bench) -> Measured:
    """Against an interpreter that does nothing; the imports run as the hooks do, without `site`."""
    repo = published_repository(bench.world, "startup")
    repo.commit("Change", {"text/00.txt": "changed\n"})
    repo.gate("run", "--yes")
    command = str(Path(sys.executable).with_name("review-gate"))
    commands = {
        WITHOUT_SITE: (sys.executable, "-I", "-S", "-c", "pass"),
        ISOLATED: (sys.executable, "-I", "-c", "pass"),
        VERSION: (command, "--version"),
        VERIFY: (command, "verify"),
    }
    for module in HOOK_MODULES:
        code = IMPORT.format(module=module)
        commands[f"import git_hooks.{module}"] = (sys.executable, "-I", "-S", "-c", code, package_place())
    cases = [Case(name, argv, repo.path, repo.environ) for name, argv in commands.items()]
    return Measured("Start-up", bench.time("startup", cases), ISOLATED, COMPARISONS)
