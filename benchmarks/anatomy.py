"""What costs what inside the pre-push hook: the hook cut short after each step, the whole of it at the end."""

from __future__ import annotations

import sys

from benchmarks.bench import Bench
from benchmarks.gate import hook_case
from benchmarks.ledger import real_review
from benchmarks.repositories import imported_repository
from benchmarks.results import Measured
from benchmarks.timing import Case
from benchmarks.ways import SH_HOOK
from review_gate.shell.spawn import package_place

SH = "a shell that does nothing"
INTERPRETER = "the interpreter alone"
START = "import os, sys; sys.path.append(sys.argv[1]); from benchmarks import steps; os._exit(steps.{call})"
STEPS = {
    "and our modules": "import_modules()",
    "and the configuration": "read_configuration()",
    "and one question to git": "ask_git()",
    "and the verdict": "judge(sys.argv[2:])",
}
WHOLE = "the installed hook: all of it, behind its shell shim"


def measure(bench: Bench) -> Measured:
    """Each row does what the row above does and one thing more; the last two rows differ by the shim."""
    repo = imported_repository(bench.world, "anatomy", commits=10, files=10)
    repo.gate("install")
    real_review(repo)
    whole = hook_case(repo, WHOLE, "main:main")
    empty = repo.path / ".git" / "empty-hook"
    empty.write_text(SH_HOOK)
    empty.chmod(0o755)
    python = (sys.executable, "-I", "-S", "-c")
    commands: dict[str, tuple[str, ...]] = {SH: (str(empty),), INTERPRETER: (*python, "pass")}
    for name, call in STEPS.items():
        commands[name] = (*python, START.format(call=call), package_place(), "origin", str(repo.remote))
    cases = [Case(name, argv, repo.path, repo.environ, whole.stdin) for name, argv in commands.items()]
    series = bench.time("anatomy", [*cases, whole])
    return Measured("Inside the pre-push hook, step by step", series, INTERPRETER)
