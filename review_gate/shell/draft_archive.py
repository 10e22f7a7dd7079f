"""Each call for drafts in a numbered folder of its own in the git directory, which only its owner can read."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from datetime import UTC, datetime
from typing import Any

from review_gate.shell.files import append_line, replace_file
from review_gate.shell.own_folder import make_own_folder
from review_gate.shell.repository import Repository

FOLDER = "drafts"
MOST_KEPT = 50
LOG = "log.jsonl"
REQUEST = "request.json"
METADATA = "metadata.json"
VERSION = 1
MAX_LOG_BYTES = 1_000_000
_NUMBER = re.compile(r"[0-9]{2,9}")


class Iteration:
    """One call for drafts; its log has each event with its time, without names and without a word of any text."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def keep(self, name: str, text: str) -> None:
        """Write a file."""
        data = text.encode("utf-8", "backslashreplace")
        replace_file(os.path.join(self.folder, name), data, scratch=self.folder, mode=0o600)

    def keep_json(self, name: str, document: dict[str, Any]) -> None:
        """The same for a document."""
        self.keep(name, json.dumps({"version": VERSION, **document}, indent=1, allow_nan=False) + "\n")

    def log(self, event: str, **fields: Any) -> None:
        """Add a line to the log."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps({"at": at, "event": event, **fields}, allow_nan=False).encode("ascii") + b"\n"
        append_line(os.path.join(self.folder, LOG), line, limit=MAX_LOG_BYTES, mode=0o600)


def begin_iteration(repository: Repository, kind: str) -> Iteration:
    """A new folder for a type of draft, with the next number; the oldest goes where there are more than MOST_KEPT."""
    folder = repository.own_path(os.path.join(FOLDER, kind))
    for path in (repository.own_path(FOLDER), folder):
        make_own_folder(path)
    made = _next(folder)
    for number in _numbers(folder)[:-MOST_KEPT]:
        shutil.rmtree(os.path.join(folder, f"{number:02}"), ignore_errors=True)
    return Iteration(made)


def _next(folder: str) -> str:
    """A new folder with a number that was never used; another call may take one at the same moment."""
    while True:
        path = os.path.join(folder, f"{max(_numbers(folder), default=0) + 1:02}")
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
            return path


def _numbers(folder: str) -> list[int]:
    """The iterations in their order."""
    return sorted(int(name) for name in os.listdir(folder) if _NUMBER.fullmatch(name))
