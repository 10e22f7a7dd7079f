"""The whole result of each of the last runs, one file for each, for those who want to look at one again."""

from __future__ import annotations

import json
import os
import re
from datetime import datetime
from typing import Any

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.kept_files import KeptFile, kept_files, remove, surplus
from review_gate.shell.repository import Repository
from review_gate.strict_json import StrictJsonError, parse

FOLDER = "runs"
LAST = "last"
MAX_RUNS = 50
MAX_RUN_BYTES = 20_000_000
RUN_ID = re.compile(r"[0-9a-f]{32}")
_FILE = re.compile(r"[0-9a-f]{32}\.json")
_SUFFIX = ".json"
AGAIN = "review-gate run"


class KeptRun(Frozen):
    """One run that can be looked at."""

    id: str
    written: datetime
    bytes: int


def write_run(repository: Repository, run_id: str, document: dict[str, Any]) -> None:
    """Keep the result of a run of this work tree; of more than MAX_RUNS the oldest goes."""
    path = _path(repository, run_id)
    data = json.dumps(document, indent=1, allow_nan=False).encode("ascii") + b"\n"
    if len(data) > MAX_RUN_BYTES:
        raise _not_kept(run_id, f"it is {len(data)} bytes long, more than {MAX_RUN_BYTES}")
    try:
        replace_file(path, data, scratch=repository.scratch)
        # The size of each is bounded, so their number is enough to bound them all.
        remove(surplus(_files(repository), most=MAX_RUNS, most_bytes=MAX_RUNS * MAX_RUN_BYTES, spare=path))
    except OSError as error:
        raise _not_kept(run_id, f"{error.strerror}") from None


def id_of(repository: Repository, name: str) -> str:
    """The id that a name stands for: itself, or that of the last run in this work tree."""
    if name != LAST:
        return name
    files = _files(repository)
    if not files:
        raise MisuseError(
            "there is no run to look at in this work tree",
            why=f"the results of the last {MAX_RUNS} runs are kept, and there are none",
            next_step=AGAIN,
        )
    return files[-1].name.removesuffix(_SUFFIX)


def read_run(repository: Repository, run_id: str) -> dict[str, Any]:
    """What was kept of a run."""
    path = _path(repository, run_id)
    try:
        data = read_plain_file(path, MAX_RUN_BYTES)
    except UnsafeFileError as error:
        raise damaged(run_id, str(error)) from None
    if data is None:
        raise MisuseError(
            f"there is no run {run_id} in this work tree",
            why=f"only the results of the last {MAX_RUNS} runs are kept, each in the work tree of its run",
            next_step=AGAIN,
        )
    return _document(run_id, data)


def list_runs(repository: Repository) -> list[KeptRun]:
    """The runs of this work tree that are kept, newest first."""
    return [
        KeptRun(id=file.name.removesuffix(_SUFFIX), written=file.written, bytes=file.size)
        for file in reversed(_files(repository))
    ]


def _document(run_id: str, data: bytes) -> dict[str, Any]:
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise damaged(run_id, str(error)) from None
    if not isinstance(document, dict):
        raise damaged(run_id, "it is no object")
    return document


def _path(repository: Repository, run_id: str) -> str:
    # Anything else could be a path to somewhere else.
    if not RUN_ID.fullmatch(run_id):
        raise MisuseError(
            f"{run_id[:80]!r} is not the id of a run",
            why="an id is 32 digits of 0-9 and a-f, as a run tells it",
            next_step=f"the id of a run, or the word {LAST}",
        )
    return os.path.join(_folder(repository), f"{run_id}{_SUFFIX}")


def _folder(repository: Repository) -> str:
    return repository.own_path(FOLDER)


def _files(repository: Repository) -> list[KeptFile]:
    return kept_files([_folder(repository)], _FILE)


def damaged(run_id: str, what: str) -> MisuseError:
    """What is said of a kept run that cannot be used."""
    return MisuseError(
        f"the result of run {run_id} cannot be used: {what}",
        why="the file was damaged or is not ours; the review itself is in the ledger",
        next_step=f"{AGAIN}, or review-gate status",
    )


def _not_kept(run_id: str, what: str) -> ReviewGateError:
    return ReviewGateError(
        f"the result of run {run_id} cannot be kept: {what}",
        why="nobody can look at this run again; the review itself is in the ledger",
        next_step="review-gate status",
    )
