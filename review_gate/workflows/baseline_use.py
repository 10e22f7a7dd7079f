"""The baseline of one scan: what it knows is left out, what of it is stale is told, and it is written anew."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.reviewers.text import visible
from review_gate.workflows.baseline import MAX_BASELINE_BYTES, new_alarms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.checks.alarm import ScanResult
    from review_gate.checks.baseline import Baseline
    from review_gate.workflows.scan import Scanner
    from review_gate.workflows.scan_ground import Ground
    from review_gate.workflows.scan_options import ScanJob

UPDATE = "review-gate scan --all --update-baseline"


def use_baseline(ground: Ground, scanner: Scanner, result: ScanResult, job: ScanJob) -> None:
    """Write the baseline anew where that is asked for, then leave out of a result what it knows."""
    if job.updates_baseline:
        _write_baseline(ground, scanner, result, is_possible=job.options.is_of_files)
    if ground.baseline is not None:
        _leave_out_known(ground, scanner, result, job)


def _leave_out_known(ground: Ground, scanner: Scanner, result: ScanResult, job: ScanJob) -> None:
    """Leave out of a result what is known, and say which entries of the baseline are of no use."""
    written = ground.baseline
    if written is None:
        return
    # Fixes then see the names of today as well.
    ground.baseline = _renamed(written, ground, scanner, result, job)
    left = new_alarms(ground.baseline, result, old=scanner.old).left
    # What could not be looked at may still be there.
    if ground.is_whole(job) and not result.failures:
        result.stale = written.stale(left, looked_at=scanner.seen.__contains__, is_gone=scanner.is_gone)
    if result.stale:
        result.notes.append(_staleness(result, job))


def _renamed(written: Baseline, ground: Ground, scanner: Scanner, result: ScanResult, job: ScanJob) -> Baseline:
    """The baseline with the names of today.

    A change tells itself which files it renames, of files on disk the history of git does. A scan of all of them may
    look for the new name of one by its findings, while a part of them can only take git's word: another file may be it.
    """
    if job.options.is_change:
        return scanner.renamed(written, result.alarms)
    if ground.repository is None or ground.baseline_path is None or not any(map(scanner.is_gone, written.files())):
        return written
    from review_gate.shell.names_since import NamesSince

    names = NamesSince(ground.repository, ground.baseline_path)
    if ground.is_whole(job):
        return written.renamed(result.alarms, is_gone=scanner.is_gone, is_new=names.is_new)
    return written.moved(names.renames())


def _staleness(result: ScanResult, job: ScanJob) -> str:
    """Which command drops stale entries; it takes new findings for known, so these come first."""
    from shlex import quote

    many = result.stale > 1
    entries = f"{result.stale} stale {'entries' if many else 'entry'} of the baseline"
    before = "when nothing else is reported, " if result.alarms else ""
    file = f" --baseline {quote(job.baseline)}" if job.baseline is not None else ""
    update = f"review-gate scan --all{file} --update-baseline drops {'them' if many else 'it'}"
    return f"{entries}: the finding, or the file of that name, is gone; {before}{update}"


def _write_baseline(ground: Ground, scanner: Scanner, result: ScanResult, *, is_possible: bool) -> None:
    """Take every finding of a scan of files for known."""
    from review_gate.checks.baseline import baseline_of, may_not_persist

    if ground.baseline_path is None or not is_possible:
        raise MisuseError(
            "there is no baseline to update here",
            why="it holds what whole files contain; checks.baseline names the file",
            next_step=UPDATE,
        )
    if result.failures:
        raise MisuseError(
            f"the baseline was not changed: {result.failures[0]}",
            why="what was not looked at would be missing from it",
            next_step="mend that, then the same command again",
        )
    seen = scanner.seen
    ground.baseline = baseline_of(
        result.alarms,
        ground.baseline,
        looked_at=lambda file: file in seen or scanner.is_gone(file),
    )
    data = ground.baseline.text().encode()
    _refuse_too_long(ground.baseline_path, data)
    _write_file(ground.baseline_path, data)
    left_out = _left_out(sum(map(may_not_persist, result.alarms)))
    result.notes.append(f"{os.path.relpath(ground.baseline_path)} now holds every finding of these files{left_out}")


def _refuse_too_long(path: str, data: bytes) -> None:
    """Refuse what no scan and no commit would read again."""
    if len(data) > MAX_BASELINE_BYTES:
        raise MisuseError(
            f"the baseline was not changed: {os.path.relpath(path)} would be {len(data)} bytes long, more than "
            f"{MAX_BASELINE_BYTES}",
            why="a longer one is not read, so every commit would be refused",
            next_step="leave files out (checks.exclude) or checks (checks.disable), then the same command again",
        )


def _left_out(firm: int) -> str:
    """That the findings which nobody may wave through are not held."""
    if firm == 0:
        return ""
    whose = (
        "of a check with reject_if_persists, which stays"
        if firm == 1
        else "of checks with reject_if_persists, which stay"
    )
    return f" but {firm} {whose} reported"


def _write_file(path: str, data: bytes) -> None:
    from review_gate.shell.edit import write_whole

    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_whole(path, data)
    except ReviewGateError as error:
        why = error.what.removeprefix(f"{visible(path)} was not fixed: ")
        raise ReviewGateError(
            f"{path} cannot be written: {why}", why="the findings are not known yet", next_step=error.next_step
        ) from None
