"""loop-state.json and the timings of earlier runs: written under a lock, replaced whole."""

from __future__ import annotations

import json
import os

from filelock import FileLock, Timeout

from review_gate.errors import ReviewGateError
from review_gate.gate.message import mend_state
from review_gate.gate.state_view import FOLDER_IS_LINK, MAX_STATE_BYTES, StateError, read_state
from review_gate.shell.files import UnsafeFileError, is_plainly_below, read_plain_file, replace_file
from review_gate.shell.repository import Repository

LOCK_SECONDS = 30.0
STATE_NAME = "loop-state.json"
TIMINGS = "timings.json"
TIMINGS_KEPT = 5
MAX_SECONDS = 1e7
MAX_TIMINGS_BYTES = 1_000_000


def write_state(repository: Repository, state_file: str, data: bytes) -> None:
    """Replace the view of the latest run in this work tree."""
    os.makedirs(repository.scratch, exist_ok=True)
    path = os.path.join(repository.top, state_file)
    try:
        with FileLock(os.path.join(repository.scratch, "state.lock"), timeout=LOCK_SECONDS):
            replace_file(path, data, scratch=repository.scratch)
    except Timeout:
        raise ReviewGateError(
            f"{state_file} is locked by another run",
            why=f"it did not let go within {LOCK_SECONDS:g} seconds; the review itself is in the ledger",
            next_step="review-gate status",
        ) from None
    except OSError as error:
        look = f"see what stands at {state_file}, and whether the disk is full; review-gate status"
        raise ReviewGateError(
            f"{state_file} cannot be written: {error.strerror}",
            why="the review itself is in the ledger; the view of it is the old one",
            # The gate names the same step.
            next_step=mend_state(state_file, error.strerror or "") if isinstance(error, IsADirectoryError) else look,
        ) from None


def refuse_foreign_state(repository: Repository, state_file: str) -> None:
    """Refuse to put the view where it would overwrite someone's file, or outside the work tree."""
    path = os.path.join(repository.top, state_file)
    if not is_plainly_below(repository.top, state_file):
        problem = FOLDER_IS_LINK
    elif _is_foreign(path):
        problem = "a file is there that review-gate did not write"
    else:
        return
    raise ReviewGateError(
        f"state_file cannot be {state_file}: {problem}",
        why="the state of a run is written there",
        next_step="name another state_file in .review-gate.yaml"
        + ("" if problem == FOLDER_IS_LINK else ", or move that file away"),
    )


def _is_foreign(path: str) -> bool:
    """Whether a file of another kind stands there; a damaged state under its usual name is ours to replace."""
    if os.path.basename(path) == STATE_NAME or not os.path.lexists(path):
        return False
    try:
        read_state(read_plain_file(path, MAX_STATE_BYTES) or b"")
    except (UnsafeFileError, StateError):
        return True
    return False


def read_timings(repository: Repository) -> dict[str, list[float]]:
    """Seconds that each reviewer took in earlier runs; anything unreadable counts as no experience."""
    try:
        data = json.loads(read_plain_file(repository.shared_path(TIMINGS), MAX_TIMINGS_BYTES) or b"{}")
    except (UnsafeFileError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {
        str(name): [
            float(second) for second in seconds if isinstance(second, int | float) and 0 <= second < MAX_SECONDS
        ]
        for name, seconds in data.items()
        if isinstance(seconds, list)
    }


def add_timings(repository: Repository, seconds: dict[str, float]) -> None:
    """Remember how long each reviewer took, for the estimate of the next run; a failure costs only the estimate."""
    try:
        with FileLock(repository.shared_path("timings.lock"), timeout=2):
            timings = read_timings(repository)
            for name, taken in seconds.items():
                timings[name] = [*timings.get(name, []), round(taken, 2)][-TIMINGS_KEPT:]
            data = json.dumps(timings, indent=1).encode("ascii")
            replace_file(repository.shared_path(TIMINGS), data, scratch=repository.scratch)
    except (Timeout, OSError):
        return
