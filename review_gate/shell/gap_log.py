"""The log of gaps in the shared git directory: JSON lines, the newest thousand kept."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from filelock import FileLock, Timeout
from pydantic import ValidationError

from review_gate.errors import ReviewGateError
from review_gate.pipeline.gap_report import LoggedGap, logged
from review_gate.pipeline.schema import GapLogEntry
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.repository import Repository
from review_gate.strict_json import StrictJsonError, parse

GAPS = "gaps.jsonl"
LOCK = "gaps.lock"
LOCK_SECONDS = 10.0
MOST_GAPS = 1_000
# Whatever is longer was not written by us.
MOST_READ = 64_000_000


class GapLog(NamedTuple):
    """The gaps of a log, oldest first, and how many of its lines cannot be read."""

    gaps: list[LoggedGap]
    damaged: int = 0


def append_gaps(repository: Repository, run: str, commit: str, entries: Sequence[GapLogEntry], when: str) -> None:
    """Keep the gaps of one run; a log that cannot be written is a ReviewGateError, and no reason to lose the review."""
    if not entries:
        return
    new = [_line(logged(entry, run=run, commit=commit, when=when)) for entry in entries]
    with _locked(repository):
        path = repository.shared_path(GAPS)
        kept = [*_lines(read_plain_file(path, MOST_READ) or b""), *new][-MOST_GAPS:]
        replace_file(path, b"".join(kept), scratch=repository.scratch)


def read_gap_log(repository: Repository) -> GapLog:
    """The gaps that were logged; reading takes no lock."""
    try:
        data = read_plain_file(repository.shared_path(GAPS), MOST_READ) or b""
    except UnsafeFileError as error:
        raise _unusable(repository, str(error)) from None
    read = [_gap(line) for line in _lines(data)]
    gaps = [gap for gap in read if gap is not None]
    return GapLog(gaps[-MOST_GAPS:], len(read) - len(gaps))


def clear_gaps(repository: Repository) -> int:
    """Forget all gaps; how many lines there were. What stands there and is no log is not touched."""
    path = repository.shared_path(GAPS)
    if not os.path.lexists(path):
        return 0
    with _locked(repository):
        lines = _lines(read_plain_file(path, MOST_READ) or b"")
        os.unlink(path)
    return len(lines)


@contextlib.contextmanager
def _locked(repository: Repository) -> Iterator[None]:
    try:
        os.makedirs(os.path.dirname(repository.shared_path(LOCK)), exist_ok=True)
        with FileLock(repository.shared_path(LOCK), timeout=LOCK_SECONDS):
            yield
    except Timeout:
        raise _unusable(repository, f"another run held it for {LOCK_SECONDS:g} seconds") from None
    except UnsafeFileError as error:
        raise _unusable(repository, str(error)) from None
    except OSError as error:
        raise _unusable(repository, error.strerror or str(error)) from None


def _unusable(repository: Repository, what: str) -> ReviewGateError:
    return ReviewGateError(
        f"the log of gaps cannot be used: {what}",
        why="what the policies missed is kept there; no review depends on it",
        next_step=f"see what stands at {repository.shared_path(GAPS)}, move it away, then the same command again",
    )


def _line(gap: LoggedGap) -> bytes:
    # ASCII alone: a path may hold bytes that are no UTF-8.
    return json.dumps(gap.model_dump(mode="python"), ensure_ascii=True).encode("ascii") + b"\n"


def _lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n") if line.strip()]


def _gap(line: bytes) -> LoggedGap | None:
    try:
        fields = parse(line)
        return LoggedGap.model_validate(fields) if isinstance(fields, dict) else None
    except (StrictJsonError, ValidationError):
        return None
