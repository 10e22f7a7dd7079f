"""The reviewer that runs a configured command and turns what it says into findings."""

from __future__ import annotations

import os
from collections.abc import Callable

from review_gate.config.schema import Command, Config
from review_gate.models import Finding
from review_gate.ports import Outcome
from review_gate.reviewers.command_output import UnusableOutputError, from_exit_code, from_pattern, from_sarif
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.git import clean_environment
from review_gate.shell.process import Commands, Finished


class CommandReviewer:
    """One configured command, run in one folder."""

    def __init__(
        self, command: Command, config: Config, directory: str, still_the_same: Callable[[], str], commands: Commands
    ) -> None:
        self._command = command
        self._commands = commands
        self._limits = config.limits
        self._directory = directory
        self._still_the_same = still_the_same

    @property
    def id(self) -> str:
        """The command's name."""
        return self._command.name

    @property
    def is_required(self) -> bool:
        """Whether its loop is incomplete without it."""
        return self._command.required

    def review(self) -> Outcome:
        """Run the command; whatever keeps it from giving an opinion is said, never swallowed."""
        before = self._sarif_stamp()
        run = self._command.run
        finished = self._commands.run(
            run if isinstance(run, str) else list(run),
            directory=self._directory,
            environ=clean_environment(dict(os.environ)) | dict(self._command.env),
            seconds=self._command.timeout or self._limits.command_seconds,
            max_output=self._limits.max_output_bytes,
        )
        if finished.problem or finished.exit_code is None:
            return Outcome(could_not_run=finished.problem or "it did not end")
        moved = self._still_the_same()
        if moved:
            return Outcome(could_not_run=moved)
        try:
            findings = self._findings(finished, finished.exit_code, before)
        except UnusableOutputError as error:
            return Outcome(could_not_run=str(error))
        return Outcome(findings=findings, detail="its output was cut" if finished.is_cut else "")

    def _findings(self, finished: Finished, exit_code: int, before: object) -> tuple[Finding, ...]:
        name, severity, ok = self._command.name, self._command.severity, self._command.ok_exit_codes
        if self._command.findings == "sarif":
            return from_sarif(name, exit_code, self._sarif_text(finished, before), severity, ok=ok)
        output = finished.output.decode("utf-8", "replace")
        if self._command.findings == "pattern":
            if finished.is_cut:
                raise UnusableOutputError(f"it printed more than {self._limits.max_output_bytes} bytes")
            return from_pattern(name, self._command.pattern or "", exit_code, output, severity, ok=ok)
        return from_exit_code(name, exit_code, output, severity, ok=ok)

    def _sarif_path(self) -> str | None:
        return os.path.join(self._directory, self._command.sarif_file) if self._command.sarif_file else None

    def _sarif_stamp(self) -> object:
        """What tells a new log from one that an earlier run left: it must not speak for this run."""
        path = self._sarif_path()
        if path is None or not os.path.lexists(path):
            return None
        status = os.lstat(path)
        return status.st_mtime_ns, status.st_ino, status.st_size

    def _sarif_text(self, finished: Finished, before: object) -> str:
        path = self._sarif_path()
        if path is None:
            if finished.is_cut:
                raise UnusableOutputError(f"its SARIF is longer than {self._limits.max_output_bytes} bytes")
            return finished.output.decode("utf-8", "replace")
        try:
            data = read_plain_file(path, self._limits.max_output_bytes)
        except UnsafeFileError as error:
            raise UnusableOutputError(f"its SARIF file cannot be read: {error}") from None
        if data is None or self._sarif_stamp() == before:
            raise UnusableOutputError(f"it did not write {self._command.sarif_file}")
        return data.decode("utf-8", "replace")
