"""The file with old findings, which scans do not report again."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.listing import label_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.alarm import Alarm, ScanResult
    from review_gate.checks.baseline import Baseline, Comparison

MAX_BASELINE_BYTES = 64_000_000


def baseline_path(top: str, settings: Mapping[str, object]) -> str | None:
    """Where the configuration keeps it."""
    configured = settings.get("baseline")
    return os.path.join(top, str(configured)) if configured else None


def baseline_label(top: str, settings: Mapping[str, object]) -> str:
    """How reports call it, nothing where there is none."""
    path = baseline_path(top, settings)
    return label_of(path, top) if path is not None else ""


def read_known(top: str, settings: Mapping[str, object]) -> Baseline | None:
    """The baseline of a repository, None when it has none."""
    path = baseline_path(top, settings)
    return read_baseline_file(path) if path is not None and has_baseline(top, settings) else None


def read_baseline_file(path: str) -> Baseline:
    """The baseline in a file, which has to be there."""
    from review_gate.checks.baseline import read_baseline

    return read_baseline(_bytes_of(path), os.path.basename(path))


def baseline_bytes(top: str, settings: Mapping[str, object]) -> bytes | None:
    """The baseline of a repository as it lies there, None when it has none."""
    path = baseline_path(top, settings)
    return _bytes_of(path) if path is not None and has_baseline(top, settings) else None


def _bytes_of(path: str) -> bytes:
    try:
        data = read_plain_file(path, MAX_BASELINE_BYTES)
    except UnsafeFileError as error:
        raise _unreadable(path, str(error)) from None
    if data is None:
        raise _unreadable(path, "there is no such file")
    return data


def _unreadable(path: str, why: str) -> MisuseError:
    return MisuseError(
        f"{path} cannot be read: {why}",
        why="without the baseline nobody can tell old findings from new ones",
        next_step="mend the file, or review-gate scan --no-baseline",
    )


def has_baseline(top: str, settings: Mapping[str, object]) -> bool:
    """Whether there is one."""
    path = baseline_path(top, settings)
    return path is not None and os.path.lexists(path)


def compared_with(known: Baseline, alarms: Sequence[Alarm], old: Sequence[Alarm]) -> Comparison:
    """What is new; `old` are the findings in lines that a change leaves alone.

    These come first: a line that a change repeats is a new finding, though the baseline knows one like it.
    """
    from review_gate.checks.baseline import Baseline

    compared = Baseline(known.without_known(old).left).without_known(alarms)
    compared.known = len(alarms) - len(compared.new)
    return compared


def new_alarms(known: Baseline, result: ScanResult, *, old: Sequence[Alarm] = ()) -> Comparison:
    """Leave out of a result what the baseline knows, and count it."""
    compared = compared_with(known, result.alarms, old)
    result.alarms = compared.new
    result.baselined = compared.known
    return compared
