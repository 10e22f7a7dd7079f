"""One file whose findings are fixed: whether it may be touched, its new text, and what is still found in that."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from review_gate.checks.alarm import Alarm, FixedPlace, ScanResult
from review_gate.checks.evidence import redacted
from review_gate.checks.fix import Fixed, Rounds
from review_gate.checks.fix_rounds import fix_until_stable, line_before, moved_ranges
from review_gate.checks.readings import NUL, UTF_16_MARKS
from review_gate.checks.rule import REDACTED_CATEGORIES, Hit
from review_gate.checks.scan import Scan
from review_gate.checks.search import too_much
from review_gate.checks.watch import TooSlowError
from review_gate.errors import ReviewGateError
from review_gate.reviewers.text import visible
from review_gate.shell.content_diff import content_diff
from review_gate.shell.deadline import LONGEST, watch
from review_gate.shell.edit import Edit, obstacle_to, passes_link
from review_gate.shell.files import lies_in
from review_gate.workflows.baseline import compared_with
from review_gate.workflows.scan import Scanner
from review_gate.workflows.scan_ground import Ground

NOT_AS_SCANNED = "it is not on disk as it was scanned"
FIXED_ALREADY = "it is fixed on disk already, and what was scanned is the {} version"
LINK = "it is a symbolic link; fix the file that it leads to, by its own name"
FOLDER_LINK = "a folder on its way is a symbolic link; fix the file by its own name"
OUTSIDE = "it is outside the {}, and fixes are made inside only"
UTF_16 = "it is UTF-16 or holds NUL bytes, and fixes are made in plain UTF-8 only"
OTHER_LINE = "a comment that suppresses a finding would come to speak of another line"
UNTOLD = "what its fixes do cannot be told: to work it out {}"
GIVEN_UP = "given up, because the fixes of other files took too long"
UNSURE = "what its fixes do cannot be told, because a scan of it fails: {}"


class UnsureError(Exception):
    """A text could not be searched as a whole, so nothing may be decided from what was found; the message says why."""


class FileFix:
    """The fixes of one file; `obstacle` says why it must not be touched, if so."""

    def __init__(self, ground: Ground, scanner: Scanner, path: str, *, is_given_up: bool = False) -> None:
        self._ground = ground
        self._limit = watch(float(str(ground.settings["seconds_per_file"])))
        self._begin = self._limit.used()
        # The time that went by without a fix to show for it.
        self.seconds_in_vain = 0.0
        self._scanner = scanner
        self.path = path
        self._name = scanner.disk_name(path)
        self._added = scanner.added_lines(path)
        self.is_change = scanner.is_change(path)
        disk = _on_disk(self._name)
        scanned = scanner.scanned(path) if self.is_change else disk
        self._data = scanned or b""
        self.text = self._data.decode("utf-8", "surrogateescape")
        self.fixed = Fixed(self.text)
        self._has_secret = False
        # Check and line of what comments let pass in the version that was looked at last.
        self._suppressed: set[tuple[str, int]] = set()
        # What is found in the text after its fixes.
        self.left: list[Alarm] = []
        self.obstacle = GIVEN_UP if is_given_up else self._obstacle_on_the_way() or self._obstacle_in(disk, scanned)
        if not self.obstacle:
            self._fix()

    @property
    def refusal(self) -> str:
        """The obstacle with the name of the file."""
        return f"{visible(self.path)}: {self.obstacle}"

    @property
    def edit(self) -> Edit:
        """The change to the file."""
        return Edit(self._name, self._data, self._new_data(), self._ground.top)

    @property
    def diff(self) -> str:
        """The change for people, and for git apply."""
        return content_diff(self.path, self._data, self._new_data())

    def places(self) -> list[FixedPlace]:
        """What is fixed; in a file with a secret nothing of the text is shown, since it may hold that."""
        hidden = redacted if self._has_secret else str
        changes = self.fixed.changes
        return [FixedPlace(self.path, one.line, one.rule, hidden(one.before), hidden(one.after)) for one in changes]

    def reasons(self) -> list[str]:
        """Why fixes that exist are not made, each once."""
        left = [one for one in self.fixed.left if one.hit.rule.fix is not None]
        name = visible(self.path)
        return list(dict.fromkeys(f"{name}:{one.hit.line}: {one.hit.rule.id}: {one.reason}" for one in left))

    def leads_to(self) -> str:
        """The file on disk that was scanned under this name; none for what git holds."""
        return "" if self.is_change else os.path.realpath(self._name)

    def look(self, text: str, rounds: Rounds = ()) -> ScanResult:
        """What the checks say of a version of the text, after some rounds of fixes."""
        known = self._ground.baseline
        scan = Scan(
            self._ground.plan,
            added_of=self._added_after(rounds),
            old_of=self._scanner.versions_before,
            watch=self._limit,
            keeps_old=known is not None,
            is_elsewhere=self._ground.is_elsewhere,
            baseline=self._scanner.baseline,
        )
        scan.look_at(self._scanner.page(self.path, text.encode("utf-8", "surrogateescape")))
        result = scan.finish()
        self._suppressed = {(alarm.rule, alarm.line) for alarm in scan.suppressed}
        self._has_secret = self._has_secret or any(map(_is_secret, [*result.alarms, *scan.old]))
        if known is not None:
            result.alarms = compared_with(known, result.alarms, scan.old).new
        return result

    def _obstacle_on_the_way(self) -> str:
        """Why a write to this name could end up elsewhere, if so."""
        if os.path.islink(self._name):
            return LINK
        if passes_link(self._name, self._ground.top):
            return FOLDER_LINK
        if not lies_in(os.path.dirname(self._name), self._ground.top):
            return OUTSIDE.format("repository" if self._ground.repository else "current folder")
        return ""

    def _obstacle_in(self, disk: bytes | None, scanned: bytes | None) -> str:
        """Why the file on disk must stay as it is, if so."""
        if disk is None or scanned is None:
            return NOT_AS_SCANNED
        if disk != scanned:
            return self._fixed_already(disk) or NOT_AS_SCANNED
        if self._data.startswith(UTF_16_MARKS) or NUL in self._data:
            return UTF_16
        error = obstacle_to(Edit(self._name, disk, disk, self._ground.top))
        return reason_in(error, self._name) if error else ""

    def _fixed_already(self, disk: bytes) -> str:
        """What to say where the file on disk is what the fixes would make of the version that was scanned."""
        self._fix()
        is_same = not self.obstacle and self.fixed.changes and self._new_data() == disk
        self.fixed, self.left, self.obstacle = Fixed(self.text), [], ""
        return FIXED_ALREADY.format(self._scanner.version) if is_same else ""

    def _fix(self) -> None:
        language = self._scanner.page(self.path, self._data).language
        self.obstacle = ""
        try:
            self._surely(self.text)
            before = self._suppressed
            fixed = fix_until_stable(self.text, self._hits, language=language, within=self._limit)
            left = self._surely(fixed.text, fixed.rounds) if fixed.changes else []
        except (UnsureError, TooSlowError, MemoryError) as error:
            self.obstacle = (UNSURE if isinstance(error, UnsureError) else UNTOLD).format(too_much(error))
            self.seconds_in_vain = self._limit.used() - self._begin
            return
        if fixed.changes and _speak_of_others(self._suppressed, before, fixed.rounds):
            self.obstacle = OTHER_LINE
        else:
            self.fixed, self.left = fixed, left

    def _surely(self, text: str, rounds: Rounds = ()) -> list[Alarm]:
        """Everything that is found in a version of the text; a part of it would let problems vanish."""
        result = self.look(text, rounds)
        if result.failures:
            raise UnsureError(result.failures[0].removeprefix(f"{visible(self.path)}: "))
        return result.alarms

    def _hits(self, text: str, rounds: Rounds) -> list[Hit]:
        # Each round has its time; there may be hundreds of them.
        if self._limit.used() - self._begin > LONGEST * self._limit.seconds:
            raise TooSlowError(LONGEST * self._limit.seconds)
        return [alarm.hit for alarm in self._surely(text, rounds) if alarm.hit is not None]

    def _new_data(self) -> bytes:
        return self.fixed.text.encode("utf-8", "surrogateescape")

    def _added_after(self, rounds: Rounds) -> Callable[[Sequence[str]], Mapping[str, Sequence[range]]]:
        """The new lines of a later version: those that were new before, and those that a fix has changed."""
        if self._added is None:
            return lambda _: {}
        ranges = moved_ranges(self._added, rounds)
        return lambda paths: dict.fromkeys(paths, ranges)


def _speak_of_others(after: set[tuple[str, int]], before: set[tuple[str, int]], rounds: Rounds) -> bool:
    """Whether a finding is suppressed in a new version of a text that was none, or was reported, in the old one."""
    return any(all((rule, one + 1) not in before for one in line_before(line - 1, rounds)) for rule, line in after)


def reason_in(error: ReviewGateError, name: str) -> str:
    """Why a file was left as it is, without its name on disk."""
    return error.what.removeprefix(f"{visible(name)} was not fixed: ")


def _is_secret(alarm: Alarm) -> bool:
    return alarm.hit is not None and alarm.hit.rule.category in REDACTED_CATEGORIES


def _on_disk(name: str) -> bytes | None:
    if os.path.islink(name) or not os.path.isfile(name):
        return None
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError:
        return None
