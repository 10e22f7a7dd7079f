"""loop-state.json and the timings of earlier runs: written under a lock, replaced whole."""

from __future__ import annotations

import json
import os

from filelock import FileLock, Timeout

from review_gate.errors import ReviewGateError
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.repository import Repository

LOCK_SECONDS = 30.0
TIMINGS = "timings.json"
TIMINGS_KEPT = 5
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
        raise ReviewGateError(
            f"{state_file} cannot be written: {error.strerror}",
            why="the review itself is in the ledger; the view of it is the old one",
            next_step="free disk space or mend the permissions, then review-gate run",
        ) from None


def read_timings(repository: Repository) -> dict[str, list[float]]:
    """Seconds that each reviewer took in earlier runs; anything unreadable counts as no experience."""
    try:
        data = json.loads(read_plain_file(repository.shared_path(TIMINGS), MAX_TIMINGS_BYTES) or b"{}")
    except (UnsafeFileError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {
        str(name): [float(second) for second in seconds if isinstance(second, int | float)]
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
