"""The check engine at the doors of git, over a commit message."""

from __future__ import annotations

from review_gate.checks.short_texts import may_match
from review_gate.workflows.check_plan import needles_of_messages, plan_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.alarm import ScanResult
    from review_gate.shell.repository import Repository


def scan_message(
    repository: Repository, settings: Mapping[str, object], readings: Sequence[bytes]
) -> ScanResult | None:
    """What the checks for commit messages say of one, in each way to read it; None when they have nothing to say."""
    if not settings.get("enabled"):
        return None
    needles = needles_of_messages(repository, settings)
    return _scanned(repository, settings, readings) if any(may_match(text, needles) for text in readings) else None


def _scanned(repository: Repository, settings: Mapping[str, object], readings: Sequence[bytes]) -> ScanResult:
    # Most messages hold nothing that a check looks for, so they do not pay for these imports.
    from review_gate.checks.applies import Page
    from review_gate.checks.commit_text import said_once
    from review_gate.checks.languages import TEXT
    from review_gate.checks.rule import COMMIT_MESSAGE
    from review_gate.checks.scan import Scan
    from review_gate.shell.check_sources import KnownElsewhere
    from review_gate.shell.deadline import watch

    plan = plan_in_force(repository, settings)
    # Who suppresses something may name checks that look at other texts.
    others, plan = {rule.id for rule in plan.rules}, plan.for_messages()
    limit = watch(float(str(settings["seconds_per_file"])))
    scan = Scan(plan, watch=limit, is_elsewhere=KnownElsewhere(settings, others))
    for text in readings:
        scan.look_at(Page("message", text, TEXT, place=COMMIT_MESSAGE))
    result = scan.finish()
    result.alarms, result.failures = said_once(result.alarms), list(dict.fromkeys(result.failures))
    return result
