"""The check engine at the doors of git, over a commit message."""

from __future__ import annotations

from review_gate.workflows.check_plan import message_plan_in_force, plan_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.alarm import ScanResult
    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository


def scan_message(
    repository: Repository, settings: Mapping[str, object], readings: Sequence[bytes]
) -> ScanResult | None:
    """What the checks for commit messages say of one, in each way to read it; None when they have nothing to say."""
    if not settings.get("enabled"):
        return None
    plan = message_plan_in_force(repository, settings)
    if not any(map(plan.may_match, readings)):
        return None
    return _scanned(repository, plan, settings, readings)


def _scanned(
    repository: Repository, plan: CheckPlan, settings: Mapping[str, object], readings: Sequence[bytes]
) -> ScanResult:
    # Most messages hold nothing that a check looks for, so they do not pay for these imports.
    from review_gate.checks.applies import Page
    from review_gate.checks.commit_text import said_once
    from review_gate.checks.languages import TEXT
    from review_gate.checks.rule import COMMIT_MESSAGE, MARKER
    from review_gate.checks.scan import Scan
    from review_gate.shell.check_sources import KnownElsewhere
    from review_gate.shell.deadline import watch
    from review_gate.shell.judge_child import judged_by_child

    # Only who suppresses something names checks, perhaps some that look at other texts.
    is_asked = any(MARKER in text for text in readings)
    others = {rule.id for rule in plan_in_force(repository, settings).rules} if is_asked else ()
    limit = watch(float(str(settings["seconds_per_file"])))
    scan = Scan(plan, judge=judged_by_child, watch=limit, is_elsewhere=KnownElsewhere(settings, others))
    for text in readings:
        scan.look_at(Page("message", text, TEXT, place=COMMIT_MESSAGE))
    result = scan.finish()
    result.alarms, result.failures = said_once(result.alarms), list(dict.fromkeys(result.failures))
    return result
