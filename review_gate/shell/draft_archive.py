"""Each call for drafts in a numbered folder of its own in the git directory, which only its owner can read."""

from __future__ import annotations

import json
import os
import re
import shutil
from datetime import UTC, datetime
from typing import Any

from review_gate.errors import ReviewGateError
from review_gate.shell.files import append_line, is_plainly_below, replace_file
from review_gate.shell.own_folder import make_own_folder
from review_gate.shell.repository import OUR_FOLDER, Repository

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
    own = os.path.join(OUR_FOLDER, FOLDER, kind)
    if not is_plainly_below(repository.git_dir, os.path.join(own, LOG)):
        raise ReviewGateError(
            f"drafts cannot be kept: {os.path.join(repository.git_dir, own)} is a link, or lies behind one",
            why="drafts that nobody can find again would have been paid for in vain",
            next_step="move that link away, then the same command again",
        )
    folder = repository.own_path(os.path.join(FOLDER, kind))
    for path in (repository.own_path(FOLDER), folder):
        make_own_folder(path)
    made = _next(folder)
    for number in _numbers(folder)[:-MOST_KEPT]:
        shutil.rmtree(os.path.join(folder, number), ignore_errors=True)
    return Iteration(made)


def _next(folder: str) -> str:
    """A new folder with a number that was never used; another call may take one at the same moment."""
    while True:
        numbers = _numbers(folder)
        path = os.path.join(folder, f"{int(numbers[-1]) + 1 if numbers else 1:02}")
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path) or os.path.islink(path):
                raise
            continue
        return path


def _numbers(folder: str) -> list[str]:
    """The iterations in their order."""
    with os.scandir(folder) as entries:
        found = [one.name for one in entries if _NUMBER.fullmatch(one.name) and one.is_dir(follow_symlinks=False)]
    return sorted(found, key=int)
