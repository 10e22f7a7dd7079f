"""`scan --fix`: the fixes of checks applied to files on disk, or shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from review_gate.checks.alarm import Alarm, FixedPlace, ScanResult, in_order
from review_gate.checks.diff import changed_blocks, unified_diff
from review_gate.checks.fix import Fixed
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.readings import NUL, UTF_16_MARKS
from review_gate.checks.rule import Hit
from review_gate.checks.scan import Scan
from review_gate.reviewers.text import visible
from review_gate.shell.deadline import watch
from review_gate.shell.edit import Edit, apply_edits, passes_link
from review_gate.shell.files import lies_in
from review_gate.workflows.baseline import compared_with
from review_gate.workflows.scan import Scanner, judged_here
from review_gate.workflows.scan_repository import Ground

NOT_AS_SCANNED = "it is not on disk as it was scanned"
LINK = "it is a symbolic link; fix the file that it leads to, by its own name"
FOLDER_LINK = "a folder on its way is a symbolic link; fix the file by its own name"
OUTSIDE = "it is outside the {}, and fixes are made inside only"
UTF_16 = "it is UTF-16 or holds NUL bytes, and fixes are made in plain UTF-8 only"


def fix_files(ground: Ground, scanner: Scanner, result: ScanResult, *, is_dry_run: bool) -> None:
    """Fix every file with a finding that has a fix; what is left to find is what the result then holds."""
    edits: dict[str, Edit] = {}
    left: dict[str, list[Alarm]] = {}
    untouched: list[_Fixing] = []
    for path in sorted({alarm.file for alarm in result.alarms if alarm.fix is not None}):
        fixing = _Fixing(ground, scanner, path)
        if fixing.obstacle:
            result.not_fixed.append(fixing.refusal)
            untouched.append(fixing)
            continue
        fixed = fixing.fixed()
        result.not_fixed += _reasons(path, fixed)
        if fixed.changes:
            edits[path] = fixing.edit(fixed)
            result.diff += unified_diff(path, fixing.text, fixed.text)
            result.fixed += [FixedPlace(path, one.line, one.rule, one.before, one.after) for one in fixed.changes]
            left[path] = fixing.alarms(fixed.text)
    if is_dry_run:
        return
    result.diff = ""
    _make(edits, left, result)
    texts = {os.path.realpath(edits[path].path): edits[path].new.decode("utf-8", "surrogateescape") for path in left}
    left |= _by_other_names(untouched, texts, result)
    kept = [alarm for alarm in result.alarms if alarm.file not in left]
    result.alarms = in_order([*kept, *(alarm for alarms in left.values() for alarm in alarms)])


def _make(edits: Mapping[str, Edit], left: dict[str, list[Alarm]], result: ScanResult) -> None:
    """Change the files; what cannot be changed keeps its findings."""
    paths = {edit.path: path for path, edit in edits.items()}
    for name, error in apply_edits(edits.values()).refused:
        path = paths[name]
        result.not_fixed.append(f"{visible(path)}: {error.what.removeprefix(f'{visible(name)} was not fixed: ')}")
        result.fixed = [place for place in result.fixed if place.file != path]
        del left[path]


def _by_other_names(
    untouched: Sequence[_Fixing], texts: Mapping[str, str], result: ScanResult
) -> dict[str, list[Alarm]]:
    """What is left to find under names that were not touched, and yet lead to a file that was fixed."""
    left = {}
    for fixing in untouched:
        text = texts.get(fixing.leads_to())
        if text is not None:
            left[fixing.path] = fixing.alarms(text)
            if all(alarm.fix is None for alarm in left[fixing.path]):
                result.not_fixed.remove(fixing.refusal)
    return left


def _reasons(path: str, fixed: Fixed) -> list[str]:
    """Why fixes that exist were not made, each once."""
    left = [one for one in fixed.left if one.hit.rule.fix is not None]
    return list(dict.fromkeys(f"{visible(path)}:{one.hit.line}: {one.hit.rule.id}: {one.reason}" for one in left))


class _Fixing:
    """One file whose findings are fixed."""

    def __init__(self, ground: Ground, scanner: Scanner, path: str) -> None:
        self._ground = ground
        self._scanner = scanner
        self.path = path
        self._name = scanner.disk_name(path)
        self._added = scanner.added_lines(path)
        data = _on_disk(self._name)
        self._data = data or b""
        self.text = self._data.decode("utf-8", "surrogateescape")
        # Why the file must not be touched, if so.
        self.obstacle = self._obstacle_on_the_way()
        if not self.obstacle and (data is None or not scanner.is_as_scanned(path, data)):
            self.obstacle = NOT_AS_SCANNED
        elif not self.obstacle and (self._data.startswith(UTF_16_MARKS) or NUL in self._data):
            self.obstacle = UTF_16

    @property
    def refusal(self) -> str:
        """The obstacle with the name of the file."""
        return f"{visible(self.path)}: {self.obstacle}"

    def leads_to(self) -> str:
        """The file on disk that was scanned under this name; none for what git holds."""
        is_on_disk = not self._scanner.page(self.path, self._data).is_change
        return os.path.realpath(self._name) if is_on_disk else ""

    def _obstacle_on_the_way(self) -> str:
        """Why a write to this name could end up elsewhere, if so."""
        if os.path.islink(self._name):
            return LINK
        if passes_link(self._name, self._ground.top):
            return FOLDER_LINK
        if not lies_in(os.path.dirname(self._name), self._ground.top):
            return OUTSIDE.format("repository" if self._ground.repository else "current folder")
        return ""

    def fixed(self) -> Fixed:
        """The text after its fixes."""
        language = self._scanner.page(self.path, self._data).language
        return fix_until_stable(self.text, self._hits, language=language)

    def edit(self, fixed: Fixed) -> Edit:
        """The change to the file."""
        return Edit(self._name, self._data, fixed.text.encode("utf-8", "surrogateescape"), self._ground.top)

    def alarms(self, text: str) -> list[Alarm]:
        """What the checks say of a version of the text."""
        known = self._ground.baseline
        scan = Scan(
            self._ground.plan,
            judge=judged_here,
            added_of=self._added_in(text),
            watch=watch(float(str(self._ground.settings["seconds_per_file"]))),
            keeps_old=known is not None,
        )
        scan.look_at(self._scanner.page(self.path, text.encode("utf-8", "surrogateescape")))
        alarms = scan.finish().alarms
        return alarms if known is None else compared_with(known, alarms, scan.old).new

    def _hits(self, text: str) -> list[Hit]:
        return [alarm.hit for alarm in self.alarms(text) if alarm.hit is not None]

    def _added_in(self, text: str) -> Callable[[Sequence[str]], Mapping[str, Sequence[range]]]:
        """The new lines of a later version: those that were new before, and those that a fix has changed."""
        if self._added is None:
            return lambda _: {}
        # For git only LF ends a line.
        ranges = moved_ranges(self._added, self.text.split("\n"), text.split("\n"))
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
