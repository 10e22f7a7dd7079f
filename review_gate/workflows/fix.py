"""`scan --fix`: the fixes of checks applied to files on disk, or shown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from review_gate.checks.alarm import Alarm, ScanResult, in_order
from review_gate.checks.judge import MOST_SLOW_SECONDS
from review_gate.reviewers.text import visible
from review_gate.shell.edit import apply_edits, changed_so_far
from review_gate.shell.interrupts import Interrupts
from review_gate.workflows.fix_file import FileFix, reason_in
from review_gate.workflows.scan import Scanner
from review_gate.workflows.scan_ground import Ground

ON_DISK_ONLY = "fixed on disk only: the findings are about the {} version"


def fix_files(ground: Ground, scanner: Scanner, result: ScanResult, *, is_dry_run: bool) -> None:
    """Fix every file with a finding that has a fix; the result then says what is found in what was scanned."""
    untouched: list[FileFix] = []
    ready: list[FileFix] = []
    in_vain = 0.0
    for path in sorted({alarm.file for alarm in result.alarms if alarm.fix is not None}):
        one = FileFix(ground, scanner, path, is_given_up=in_vain >= MOST_SLOW_SECONDS)
        in_vain += one.seconds_in_vain
        if one.obstacle:
            result.not_fixed.append(one.refusal)
            untouched.append(one)
            continue
        result.not_fixed += one.reasons()
        if one.fixed.changes:
            ready.append(one)
    if is_dry_run:
        result.diff = "".join(one.diff for one in ready)
    else:
        ready = _made(ready, result)
        _look_again(ready, untouched, result)
    result.fixed += [place for one in ready for place in one.places()]
    if not is_dry_run and any(one.is_change for one in ready):
        result.notes.append(ON_DISK_ONLY.format(scanner.version))


def _made(ready: Sequence[FileFix], result: ScanResult) -> list[FileFix]:
    """Change the files; those that could be changed."""
    edits = {one.path: one.edit for one in ready}
    paths = {edit.path: path for path, edit in edits.items()}
    interrupts = Interrupts()
    interrupts.obey()
    edited = apply_edits(edits.values())
    interrupts.obey(changed_so_far(edited.changed, len(edits)))
    refused = {paths[name]: reason_in(error, name) for name, error in edited.refused}
    result.not_fixed += [f"{visible(path)}: {reason}" for path, reason in refused.items()]
    return [one for one in ready if one.path not in refused]


def _look_again(made: Iterable[FileFix], untouched: Sequence[FileFix], result: ScanResult) -> None:
    """Put what is left in the fixed files in the place of what was found; what git holds is as it was."""
    on_disk = [one for one in made if not one.is_change]
    left = {one.path: one.left for one in on_disk}
    left |= _by_other_names(untouched, {os.path.realpath(one.edit.path): one.fixed.text for one in on_disk}, result)
    kept = [alarm for alarm in result.alarms if alarm.file not in left]
    result.alarms = in_order([*kept, *(alarm for alarms in left.values() for alarm in alarms)])


def _by_other_names(
    untouched: Sequence[FileFix], texts: Mapping[str, str], result: ScanResult
) -> dict[str, list[Alarm]]:
    """What is left to find under names that were not touched, and yet lead to a file that was fixed."""
    left = {}
    for one in untouched:
        text = texts.get(one.leads_to())
        if text is not None:
            seen = one.look(text)
            left[one.path] = seen.alarms
            result.take_failures(seen)
            if all(alarm.fix is None for alarm in seen.alarms):
                result.not_fixed.remove(one.refusal)
    return left
