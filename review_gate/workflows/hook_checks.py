"""The check engine at the door of a commit, over what is staged."""

from __future__ import annotations

from review_gate.checks.applies import Page
from review_gate.checks.readings import is_binary_by_beginning
from review_gate.checks.scan import Scan
from review_gate.globs import matches_any
from review_gate.reviewers.problem import Problem
from review_gate.shell.added_lines import AddedLines
from review_gate.shell.check_sources import KnownElsewhere
from review_gate.shell.deadline import watch
from review_gate.shell.old_content import OldContent
from review_gate.workflows.baseline import baseline_label, has_baseline, new_alarms, read_known
from review_gate.workflows.check_plan import plan_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.alarm import Alarm, ScanResult
    from review_gate.reviewers.problem import ReviewedFile
    from review_gate.shell.changes import Change
    from review_gate.shell.contents import Contents
    from review_gate.shell.repository import Repository

# Changes up to here are compared before it is known whether a check has found something in them.
MOST_FORESEEN = 100
MOST_FORESEEN_BYTES = 4_000_000


class HookScan:
    """The checks in force over the files of one commit, as a pass over them hands them on."""

    def __init__(
        self, repository: Repository, settings: Mapping[str, object], base: str, changes: Sequence[Change]
    ) -> None:
        self._repository = repository
        self._changes = changes
        self._settings = settings
        exclude = settings.get("exclude")
        self._exclude = exclude if isinstance(exclude, list) else []
        self._max_bytes = int(str(settings["max_file_bytes"]))
        self._added_lines = AddedLines(repository.git, ("diff-index", "--cached", base))
        self._old_content = OldContent(repository, changes, is_staged=True, exclude=self._exclude)
        plan, keeps_old = plan_in_force(repository, settings), has_baseline(repository.top, settings)
        old = self._old_content
        self._scan = Scan(
            plan,
            added_of=old.beside(self._added_lines),
            old_of=old.versions,
            watch=watch(float(str(settings["seconds_per_file"]))),
            keeps_old=keeps_old,
            is_elsewhere=KnownElsewhere(settings, top=repository.top),
            baseline=baseline_label(repository.top, settings),
        )

    def foresee(self, contents: Contents) -> None:
        """Let git tell new lines from old ones meanwhile, where that is little work even if nobody will ask."""
        changed = sum(change.old_oid is not None for change in contents.changes)
        if 0 < changed <= MOST_FORESEEN and sum(contents.sizes.values()) <= MOST_FORESEEN_BYTES:
            self._added_lines.begin()

    def look_at(self, change: Change, file: ReviewedFile) -> None:
        """Search one file."""
        if matches_any(file.path, self._exclude) or self._old_content.is_settled(change):
            return
        data = self._content(change, file)
        if data is None:
            return
        is_new, moved_from = self._old_content.is_new(change), self._old_content.moved_from(change.path)
        self._scan.look_at(Page(file.path, data, is_change=True, is_new=is_new, moved_from=moved_from))

    def _content(self, change: Change, file: ReviewedFile) -> bytes | None:
        """What is staged; the limit is our own, so a file that other reviewers do not read may be small enough."""
        data, is_cut = file.data, file.data is not None and len(file.data) > self._max_bytes
        if data is None:
            with self._repository.git.objects() as objects:
                found = objects.read(str(change.oid), limit=self._max_bytes)
            data, is_cut = (found.data, found.is_cut) if found else (None, False)
        if data is not None and (not is_cut or is_binary_by_beginning(file.path, data)):
            return data
        large = f"it is larger than checks.max_file_bytes ({self._max_bytes})"
        self._scan.could_not_look_at(file.path, large if is_cut else "git does not have its content")
        return None

    def finish(self) -> ScanResult:
        """What was found and is not known of old."""
        result = self._scan.finish()
        self._added_lines.abandon()
        known = read_known(self._repository.top, self._settings)
        if known is not None:
            gone = {change.path for change in self._changes if change.oid is None}
            new = {change.path for change in self._changes if change.old_oid is None}
            renamed = known.renamed(
                result.alarms,
                is_gone=gone.__contains__,
                is_new=new.__contains__,
                moves=self._old_content.moves,
            )
            new_alarms(renamed, result, old=self._scan.old)
        return result


def hook_scan(
    repository: Repository, settings: Mapping[str, object], base: str, changes: Sequence[Change]
) -> HookScan | None:
    """The scan that the configuration wants at a commit."""
    return HookScan(repository, settings, base, changes) if settings.get("enabled") else None


def as_problem(alarm: Alarm) -> Problem:
    """An alarm in the shape of the other reviewers' problems."""
    return Problem(
        alarm.rule,
        alarm.severity,
        alarm.message,
        line=alarm.line,
        column=alarm.column,
        evidence=alarm.evidence,
        recommendation=alarm.fix or "",
    )
