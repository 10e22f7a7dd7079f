"""The process that parses YAML and long Python: it can be stopped, and both take for ever on hostile input.

A hook has one thread and little in memory, so there it is a copy of the hook, which starts in a tenth of the time.
"""

from __future__ import annotations

import os
import time

from review_gate.packages import see_package
from review_gate.reviewers import syntax
from review_gate.reviewers.syntax_answers import answer_for, get_ready
from review_gate.shell.spawn import fork
from review_gate.shell.worker import start_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from review_gate.reviewers.problem import Problem, ReviewedFile
    from review_gate.shell.spawn import Started

BYTES_AT_ONCE = 16_000_000
# The package that parses YAML.
PARSER = "ruamel"


class SyntaxChild:
    """Files go in one by one; what is wrong with them is in `problems`, why it could not tell in `failure`."""

    def __init__(self, seconds: float, *, may_fork: bool = False) -> None:
        self.problems: list[tuple[str, Problem]] = []
        self.failure = ""
        self.may_fork = may_fork and hasattr(os, "fork") and see_package(PARSER)
        self.kinds = syntax.FORKED_KINDS if self.may_fork else syntax.CHILD_KINDS
        self._seconds = seconds
        self._deadline = 0.0
        self._started: Started | None = None
        self._is_stopped = self._has_files = False
        self._files: list[ReviewedFile] = []
        self._bytes = 0

    def warm_up(self, kinds: Collection[str]) -> None:
        """Start the process ahead of files of these kinds: it needs longer for its imports than for most files."""
        try:
            self._started = self._started or self._start(kinds)
        except OSError:
            # Said when it is really needed.
            self._started = None

    def take(self, file: ReviewedFile) -> None:
        """Parse a file, now or together with the next ones."""
        self._files.append(file)
        self._bytes += len(file.data or b"")
        if self._bytes > BYTES_AT_ONCE:
            self.finish()

    def begin(self) -> None:
        """Let everything that was taken be parsed now, by a copy of this process that has it in memory already."""
        if self.may_fork and self._files and self._started is None:
            frames = syntax.encode_frames(self._files)
            try:
                self._started = fork(lambda _: _answer(frames), lambda: None)
                self._has_files = True
            except OSError:
                # It is tried again when the answer is wanted.
                return

    def finish(self) -> None:
        """Parse everything that was taken and not parsed yet."""
        files, self._files, self._bytes = self._files, [], 0
        if not files:
            return
        try:
            answer = self._answer(files)
            self.problems += [(files[index].path, found) for index, found in syntax.decode_yaml_answer(answer, files)]
        except TimeoutError:
            self.failure = (
                f"the parser did not finish {_named(files)} within {self._seconds:g} seconds (limits.yaml_seconds)"
            )
        except (OSError, ValueError) as error:
            self.failure = f"the parser failed on {_named(files)}: {error}"

    def _answer(self, files: list[ReviewedFile]) -> bytes:
        frames = b"" if self._has_files else syntax.encode_frames(files)
        self._started = self._started or self._start()
        if self._is_stopped:
            self._started.end()
        # One deadline for all batches: it starts when the first of them is really asked about.
        self._deadline = self._deadline or time.monotonic() + self._seconds
        seconds = max(0.0, self._deadline - time.monotonic())
        try:
            code, answer, errors = self._started.finish(frames, seconds)
        finally:
            self._started, self._has_files = None, False
        if code != 0:
            raise ValueError(errors.decode("utf-8", "replace").strip()[-200:] or f"exit code {code}")
        return answer

    def _start(self, kinds: Collection[str] = ()) -> Started:
        if self.may_fork:
            return fork(_answer, lambda: get_ready(kinds))
        return start_worker("syntax")

    def stop(self) -> None:
        """End the process, from another thread; the one that waits for its answer is told that it failed."""
        self._is_stopped = True
        started = self._started
        if started is not None:
            started.end()

    def close(self) -> None:
        """End a process that got no files after all."""
        if self._started is not None:
            self._started.abandon()
            self._started = None


def _answer(stream: bytes) -> bytes:
    return answer_for(stream).encode("ascii")


def _named(files: list[ReviewedFile]) -> str:
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return ", ".join(file.path for file in files[:3]) + more
