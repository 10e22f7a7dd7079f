"""A live display of a run for people; nothing at all for machines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from review_gate.safe_text import safe_line

if TYPE_CHECKING:
    from rich.progress import TaskID

SYMBOLS = {"passed": "[green]pass[/]", "failed": "[red]FAIL[/]", "could_not_run": "[yellow]could not run[/]"}


class Quiet:
    """Says nothing: standard error is not a terminal."""

    def __enter__(self) -> Quiet:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def loop_started(self, number: int, title: str, reviewers: tuple[str, ...]) -> None:
        """Say nothing."""

    def reviewer_finished(self, reviewer: str, status: str, seconds: float) -> None:
        """Say nothing."""

    def files_done(self, done: int, total: int) -> None:
        """Say nothing."""

    def loop_finished(self, number: int, status: str) -> None:
        """Say nothing."""


class Live:
    """A spinner for each reviewer that is at work, a bar for the files."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._display = RichProgress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}
        self._files: TaskID | None = None

    def __enter__(self) -> Live:
        self._display.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._display.stop()

    def loop_started(self, number: int, title: str, reviewers: tuple[str, ...]) -> None:
        """Show who is at work."""
        self._display.console.print(f"[bold]loop {number}[/] {title}")
        self._tasks = {name: self._display.add_task(f"  {safe_line(name)}", total=None) for name in reviewers}

    def reviewer_finished(self, reviewer: str, status: str, seconds: float) -> None:
        """Show how one reviewer ended."""
        if reviewer in self._tasks:
            self._display.remove_task(self._tasks.pop(reviewer))
        self._display.console.print(f"  {SYMBOLS.get(status, status)} {safe_line(reviewer)} ({seconds:.1f} s)")

    def files_done(self, done: int, total: int) -> None:
        """Move the bar."""
        if self._files is None:
            self._files = self._display.add_task("  files", total=total)
        self._display.update(self._files, completed=done)
        if done >= total:
            self._display.remove_task(self._files)
            self._files = None

    def loop_finished(self, number: int, status: str) -> None:
        """Clear what the loop left on the display."""
        for task in self._tasks.values():
            self._display.remove_task(task)
        self._tasks = {}


def watcher() -> Quiet | Live:
    """The display that fits standard error."""
    return Live() if sys.stderr.isatty() else Quiet()


def can_ask() -> bool:
    """Whether someone is there to answer a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> str:
    """One line from the person at the terminal, lower-case; an ended input is no answer."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower()
