"""Worker processes: one program for all tasks that cost a hook too much, or that have to be stopped at a deadline."""

from __future__ import annotations

import os
import sys

from review_gate.shell.spawn import Started, package_place, start

# Task -> module and function; each reads its question from standard input and prints its answer.
TASKS = {
    "configuration": ("review_gate.workflows.configure", "main"),
    "checks": ("review_gate.workflows.check_compile", "main"),
    "strictness": ("review_gate.workflows.check_compile", "main_strictness"),
    "switch": ("review_gate.workflows.switch_child", "main"),
    "scan": ("review_gate.workflows.scan_child", "main"),
    "syntax": ("review_gate.reviewers.syntax_answers", "main"),
}
# `-I` keeps the repository's own modules out; it also ignores PYTHONPATH, so the package's place is handed over.
PROGRAM = "import sys; sys.path.append(sys.argv[1]); from review_gate.shell.worker import main; sys.exit(main())"


def start_worker(task: str, *arguments: str) -> Started:
    """Start a process for a task."""
    argv = [sys.executable, "-I", "-c", PROGRAM, package_place(), task, *arguments]
    return start(argv, dict(os.environ))


def main() -> object:
    """Do the task that the command line names."""
    from importlib import import_module

    module, function = TASKS[sys.argv.pop(2)]
    return getattr(import_module(module), function)()
