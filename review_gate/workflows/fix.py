"""`scan --fix`: the fixes of checks applied to files on disk, or shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from review_gate.checks.alarm import Alarm, FixedPlace, ScanResult, in_order
from review_gate.checks.applies import Page
from review_gate.checks.diff import changed_blocks, unified_diff
from review_gate.checks.fix import Fixed
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.languages import language_of
from review_gate.checks.rule import Hit
from review_gate.checks.scan import Scan
from review_gate.reviewers.text import split_lines, visible
from review_gate.shell.deadline import watch
from review_gate.shell.edit import Edit, apply_edits
from review_gate.workflows.scan import Scanner, judged_here
from review_gate.workflows.scan_repository import Ground

NOT_AS_SCANNED = "it is not on disk as it was scanned"


def fix_files(ground: Ground, scanner: Scanner, result: ScanResult, *, is_dry_run: bool) -> None:
    """Fix every file with a finding that has a fix; what is left to find is what the result then holds."""
    edits: list[Edit] = []
    left: dict[str, list[Alarm]] = {}
    for path in sorted({alarm.file for alarm in result.alarms if alarm.fix is not None}):
        fixing = _Fixing(ground, scanner, path)
        fixed = fixing.fixed()
        if fixed is None:
            result.not_fixed.append(f"{visible(path)}: {NOT_AS_SCANNED}")
            continue
        result.not_fixed += _reasons(path, fixed)
        if fixed.changes:
            edits.append(fixing.edit(fixed))
            result.diff += unified_diff(path, fixing.text, fixed.text)
            result.fixed += [FixedPlace(path, one.line, one.rule, one.before, one.after) for one in fixed.changes]
            left[path] = fixing.alarms(fixed.text)
    if is_dry_run:
        return
    result.diff = ""
    result.alarms = in_order(
        [
            *(alarm for alarm in result.alarms if alarm.file not in left),
            *(one for alarms in left.values() for one in alarms),
        ]
    )
    for path, error in apply_edits(edits).refused:
        result.failures.append(f"{visible(path)} was not fixed: {error.what}")
        label = scanner.label(path)
        result.fixed = [place for place in result.fixed if place.file != label]


def _reasons(path: str, fixed: Fixed) -> list[str]:
    """Why fixes were not made, each once."""
    return list(dict.fromkeys(f"{visible(path)}:{one.hit.line}: {one.hit.rule.id}: {one.reason}" for one in fixed.left))


class _Fixing:
    """One file whose findings are fixed."""

    def __init__(self, ground: Ground, scanner: Scanner, path: str) -> None:
        self._ground = ground
        self._path = path
        self._name = scanner.disk_name(path)
        self._added = scanner.added_lines(path)
        self._place = scanner.place
        self.data = _on_disk(self._name)
        self._is_as_scanned = self.data is not None and scanner.is_as_scanned(path, self.data)
        self.text = (self.data or b"").decode("utf-8", "surrogateescape")
        self._language = language_of(path, self.data or b"")

    def fixed(self) -> Fixed | None:
        """The text after its fixes, or None when the file must not be touched."""
        if not self._is_as_scanned:
            return None
        return fix_until_stable(self.text, self._hits, language=self._language)

    def edit(self, fixed: Fixed) -> Edit:
        """The change to the file."""
        return Edit(self._name, self.data or b"", fixed.text.encode("utf-8", "surrogateescape"))

    def alarms(self, text: str) -> list[Alarm]:
        """What the checks say of a version of the text."""
        is_change = self._added is not None
        scan = Scan(
            self._ground.plan,
            judge=judged_here,
            added_of=self._added_in(text),
            watch=watch(float(str(self._ground.settings["seconds_per_file"]))),
        )
        data = text.encode("utf-8", "surrogateescape")
        scan.look_at(Page(self._path, data, self._language, place=self._place, is_change=is_change))
        alarms = scan.finish().alarms
        return self._ground.baseline.without_known(alarms).new if self._ground.baseline else alarms

    def _hits(self, text: str) -> list[Hit]:
        return [alarm.hit for alarm in self.alarms(text) if alarm.hit is not None]

    def _added_in(self, text: str) -> Callable[[Sequence[str]], Mapping[str, Sequence[range]]]:
        """The new lines of a later version: those that were new before, and those that a fix has changed."""
        if self._added is None:
            return lambda _: {}
        ranges = moved_ranges(self._added, split_lines(self.text), split_lines(text))
        return lambda paths: dict.fromkeys(paths, ranges)


def moved_ranges(ranges: Sequence[range], before: Sequence[str], after: Sequence[str]) -> list[range]:
    """Where lines (from 1) of one version are in another; lines that differ count too."""
    moved: list[range] = []
    blocks = [*changed_blocks(before, after), (len(before), len(before), len(after), len(after))]
    kept_from, shift = 0, 0
    for old, old_end, new, new_end in blocks:
        for one in ranges:
            start, stop = max(one.start, kept_from + 1), min(one.stop, old + 1)
            if start < stop:
                moved.append(range(start + shift, stop + shift))
        if new < new_end:
            moved.append(range(new + 1, new_end + 1))
        kept_from, shift = old_end, new_end - old_end
    return moved


def _on_disk(name: str) -> bytes | None:
    if os.path.islink(name) or not os.path.isfile(name):
        return None
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError:
        return None
