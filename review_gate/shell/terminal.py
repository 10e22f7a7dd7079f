"""A live display of a run for people; nothing at all for machines."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from review_gate.safe_text import safe_line

if TYPE_CHECKING:
    from rich.progress import TaskID

PLAIN = {"passed": "pass", "failed": "FAIL", "could_not_run": "could not run"}
KEPT_APART = "surrogateescape"
COLORED = {"passed": "[green]pass[/]", "failed": "[red]FAIL[/]", "could_not_run": "[yellow]could not run[/]"}


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
    """A line for each reviewer that is at work, one for the files, and a lasting line for each that is done."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as RichProgress
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

        is_plain = bool(os.environ.get("NO_COLOR"))
        console = Console(stderr=True, no_color=is_plain, highlight=False)
        columns = (SpinnerColumn(style=""), TextColumn("{task.description}", style=""), TimeElapsedColumn())
        self._display = RichProgress(*columns, console=console, transient=True)
        self._words = PLAIN if is_plain else COLORED
        self._tasks: dict[str, TaskID] = {}
        self._files: TaskID | None = None

    def __enter__(self) -> Live:
        self._display.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._display.stop()

    def loop_started(self, number: int, title: str, reviewers: tuple[str, ...]) -> None:
        """Show who is at work."""
        self._display.console.print(f"loop {number}  {title}")
        self._tasks = {name: self._display.add_task(f"  {escape(safe_line(name))}", total=None) for name in reviewers}

    def reviewer_finished(self, reviewer: str, status: str, seconds: float) -> None:
        """Show how one reviewer ended."""
        if reviewer in self._tasks:
            self._display.remove_task(self._tasks.pop(reviewer))
        word = self._words.get(status, status)
        self._display.console.print(f"  {word} {escape(safe_line(reviewer))} ({seconds:.1f} s)")

    def files_done(self, done: int, total: int) -> None:
        """Count the files."""
        if self._files is None:
            self._files = self._display.add_task("  files", total=None)
        self._display.update(self._files, description=f"  {done} of {total} files")
        if done >= total:
            self._display.remove_task(self._files)
            self._files = None

    def loop_finished(self, number: int, status: str) -> None:
        """Clear what the loop left on the display."""
        for task in self._tasks.values():
            self._display.remove_task(task)
        self._tasks = {}


def escape(text: str) -> str:
    """Text without rich's own markup."""
    return text.replace("[", "\\[")


def watcher() -> Quiet | Live:
    """The display that fits standard error."""
    return Live() if sys.stderr is not None and sys.stderr.isatty() else Quiet()


def can_ask() -> bool:
    """Whether someone is there to answer a question."""
    # A stream is None when it was closed before we started.
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask(question: str) -> str:
    """One line from the person at the terminal, lower-case; an ended input is no answer."""
    return read_line(question).lower()


def read_line(question: str) -> str:
    """The same as it was typed; bytes that are no characters are kept apart, as in names of files."""
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != KEPT_APART:
        sys.stdin.reconfigure(errors=KEPT_APART)
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip()
