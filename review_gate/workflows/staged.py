"""The fast reviewers over what git is about to commit: the index it names, never the disk, never a stash."""

from __future__ import annotations

from review_gate.embedded import HYGIENE
from review_gate.reviewers.result import HookResult
from review_gate.shell.contents import Contents
from review_gate.shell.file_pass import FilePass
from review_gate.workflows.hook_checks import as_problem, hook_scan
from review_gate.workflows.policy import settings_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from review_gate.checks.alarm import Alarm
    from review_gate.shell.changes import Change
    from review_gate.shell.repository import Repository


def review_staged(repository: Repository, staged: Callable[[], tuple[str, list[Change]]]) -> HookResult:
    """What the embedded reviewers and the checks say of the staged changes, which git may still be looking for."""
    settings = settings_in_force(repository)
    files = FilePass(settings.config, may_fork=True)
    base, changes = staged()
    scan = None
    if changes:
        # Git and the parser of YAML come up while we read the checks.
        with Contents(repository.git, changes, with_old_sizes=True) as contents:
            files.warm_up(changes)
            scan = hook_scan(repository, settings.section("checks"), base, changes)
            if scan is not None:
                scan.foresee(contents)
            files.review(contents, also=scan.look_at if scan else None)
    problems = [found for reviewer in files.problems.values() for found in reviewer]
    failures = tuple(f"{reviewer}: {why}" for reviewer, why in files.failures.items())
    if scan is not None:
        result = scan.finish()
        problems += [(alarm.file, as_problem(alarm)) for alarm in result.alarms if not _is_said(alarm, files)]
        failures += tuple(f"checks: {failure}" for failure in result.failures)
    next_step = "fix the files, git add them, git commit again"
    if failures and not problems:
        next_step = "exclude those files from the reviewer or raise its limit in .review-gate.yaml, git commit again"
    return HookResult("the staged files", problems, next_step=next_step, failures=failures)


def _is_said(alarm: Alarm, files: FilePass) -> bool:
    """Whether the reviewer of hidden characters has spoken of a line already: the pack about them says the same."""
    return (
        alarm.hit is not None
        and alarm.hit.rule.source == "pack:unicode"
        and any(path == alarm.file and problem.line == alarm.line for path, problem in files.problems[HYGIENE])
    )
