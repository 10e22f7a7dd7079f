"""LoopState: the shape of loop-state.json, and of the record that the ledger keeps."""

from __future__ import annotations

from typing import Any, Literal

from review_gate import __version__
from review_gate.gate.record import LOOP_STATUSES
from review_gate.gate.state_view import STATE_VERSION
from review_gate.loops.report import LoopResult, ReviewerResult, RunReport
from review_gate.models import Finding, Frozen, Severity
from review_gate.ports import REVIEWER_PASSED

# The view must stay far below the size at which the gate refuses to read it.
ISSUES_KEPT = 200
BLOCKERS_KEPT = 100
TEXT_KEPT = 500
SILENT = "passed_silently"


class Issue(Frozen):
    """One finding in the words of loop-state.json."""

    severity: Literal["error", "warning"]
    message: str
    file: str | None = None
    line: int | None = None


class LoopDetail(Frozen):
    """One loop's part of loop-state.json."""

    passed: bool
    issues: tuple[Issue, ...]


class LoopState(Frozen):
    """loop-state.json: a view of the latest run in one work tree."""

    head_commit: str
    timestamp: str
    loop_1_passed: bool
    loop_2_passed: bool
    loop_3_passed: bool
    loop_4_passed: bool
    ship_allowed: bool
    blockers: tuple[str, ...]
    loop_details: dict[str, LoopDetail]
    version: int = STATE_VERSION
    base_commit: str
    tree: str
    policy: str
    reviewers: tuple[dict[str, Any], ...]
    decision: dict[str, Any]

    def to_json(self) -> bytes:
        """The bytes of the file; absent file and line are left out, as in the seed's schema."""
        import json

        data = self.model_dump(mode="json")
        for detail in data["loop_details"].values():
            detail["issues"] = [{k: v for k, v in issue.items() if v is not None} for issue in detail["issues"]]
        return json.dumps(data, indent=2).encode("ascii") + b"\n"


def loop_state(report: RunReport) -> LoopState:
    """The view of a finished run; staged content is named by its tree, so no commit looks reviewed by mistake."""
    passed = {f"loop_{loop.number}_passed": loop.has_passed for loop in report.loops}
    return LoopState(
        head_commit=report.subject.name,
        timestamp=report.finished,
        **passed,
        ship_allowed=report.has_passed_all,
        blockers=_told_blockers(report),
        loop_details={f"loop_{loop.number}": _detail(loop) for loop in report.loops},
        base_commit=report.subject.base,
        tree=report.subject.tree,
        policy=report.policy,
        reviewers=_reviewers(report),
        decision={"record": report.id, "loops": _loop_words(report)},
    )


def ledger_review(report: RunReport) -> dict[str, object]:
    """The review as the ledger keeps it."""
    return {
        **report.heading,
        "loops": [loop.status for loop in report.loops],
        "requested": list(report.requested),
        "blockers": list(_kept_blockers(report)),
        "blocker_count": len(report.blockers),
        "via_session": list(report.via_session),
        "not_reviewed": [(finding.file or "")[:TEXT_KEPT] for finding in report.not_reviewed[:ISSUES_KEPT]],
        "loop_results": [_loop_to_store(loop) for loop in report.loops],
        "tool": f"review-gate {__version__}",
    }


def stored_loop(data: object) -> LoopResult | None:
    """A loop's result as a record holds it, or None when it is not usable."""
    from pydantic import ValidationError

    entry = dict(data) if isinstance(data, dict) else {}
    names = entry.pop(SILENT, [])
    try:
        loop = LoopResult.model_validate(entry)
        silent = [ReviewerResult(id=name, status=REVIEWER_PASSED) for name in names]
    except (ValidationError, TypeError):
        return None
    if loop.status not in LOOP_STATUSES:
        return None
    return loop.model_copy(update={"reviewers": (*loop.reviewers, *silent)})


def _loop_to_store(loop: LoopResult) -> dict[str, Any]:
    """A loop small enough to keep, for every push reads it: who passed without a word is a name in a list."""
    worst = set(loop.findings[:ISSUES_KEPT])
    reviewers, silent = [], []
    for reviewer in loop.reviewers:
        if (
            reviewer.status == REVIEWER_PASSED
            and reviewer.is_required
            and not reviewer.findings
            and not reviewer.detail
            and reviewer.via is None
            and reviewer.model is None
        ):
            silent.append(reviewer.id)
            continue
        kept = tuple(_shortened(finding) for finding in reviewer.findings if finding in worst)
        reviewers.append(reviewer.model_copy(update={"findings": kept, "detail": reviewer.detail[:TEXT_KEPT]}))
    blockers = tuple(blocker[:TEXT_KEPT] for blocker in loop.blockers[:BLOCKERS_KEPT])
    told = loop.model_copy(update={"reviewers": tuple(reviewers), "blockers": blockers})
    return told.model_dump(mode="json", exclude_defaults=True) | ({SILENT: silent} if silent else {})


def _shortened(finding: Finding) -> Finding:
    """A finding of bounded size: whoever writes the report that a command prints decides how long its texts are."""
    texts = {name: value[:TEXT_KEPT] for name, value in finding if isinstance(value, str) and name != "severity"}
    return finding.model_copy(update=texts)


def _kept_blockers(report: RunReport) -> tuple[str, ...]:
    return tuple(blocker[:TEXT_KEPT] for blocker in report.blockers[:BLOCKERS_KEPT])


def _told_blockers(report: RunReport) -> tuple[str, ...]:
    """The blockers for a reader of the file, who has no count of them."""
    kept = _kept_blockers(report)
    left = len(report.blockers) - len(kept)
    return (*kept, f"and {left} more") if left else kept


def _detail(loop: LoopResult) -> LoopDetail:
    issues = tuple(_issue(finding) for finding in loop.findings[:ISSUES_KEPT] if finding.severity is not Severity.INFO)
    return LoopDetail(passed=loop.has_passed, issues=issues)


def _issue(finding: Finding) -> Issue:
    return Issue(
        severity="error" if finding.severity.is_blocking else "warning",
        message=finding.message[:TEXT_KEPT],
        file=finding.file,
        line=finding.line,
    )


def _loop_words(report: RunReport) -> dict[str, str]:
    return {f"loop_{loop.number}": loop.status.replace("_", " ") for loop in report.loops}


def _reviewers(report: RunReport) -> tuple[dict[str, Any], ...]:
    """Who reviewed what; an empty loop is named too, so that it cannot be mistaken for a reviewed one."""
    entries: list[dict[str, Any]] = []
    for loop in report.loops:
        for reviewer in loop.reviewers:
            entries.append(
                {
                    "id": reviewer.id,
                    "loop": loop.number,
                    "status": reviewer.status,
                    "detail": reviewer.detail[:TEXT_KEPT],
                    "seconds": reviewer.seconds,
                    "findings": len(reviewer.findings),
                    **({"via": reviewer.via} if reviewer.via else {}),
                }
            )
        if not loop.reviewers:
            entries.append({"id": None, "loop": loop.number, "status": loop.status, "detail": loop.note})
    return tuple(entries)
