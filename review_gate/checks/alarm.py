"""What a scan says: one alarm for each place that a check does not like, and what could not be looked at."""

from __future__ import annotations

from review_gate.checks.rule import REDACTED_CATEGORIES
from review_gate.reviewers.text import quote, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.checks.rule import Hit, Rule

SHOWN_MATCH = 200
SHOWN_SECRET = 4


class Alarm:
    """One match in one file, ready to be shown; `evidence` is its line, `hit` is None for what no check found."""

    __slots__ = (
        "column",
        "evidence",
        "file",
        "fix",
        "hit",
        "line",
        "match",
        "message",
        "rule",
        "severity",
        "source_line",
    )

    def __init__(
        self,
        rule: str,
        severity: str,
        message: str,
        *,
        file: str,
        line: int,
        column: int = 1,
        match: str = "",
        evidence: str = "",
        source_line: str = "",
        fix: str | None = None,
        hit: Hit | None = None,
    ) -> None:
        self.rule = rule
        self.severity = severity
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.match = match
        self.evidence = evidence
        self.source_line = source_line
        self.fix = fix
        self.hit = hit

    def fingerprint(self) -> str:
        """An identity made from the line itself, so that it survives a shift of lines."""
        from review_gate.fingerprint import fingerprint_of

        return fingerprint_of(self.rule, self.file, self.source_line)

    def __repr__(self) -> str:
        return f"Alarm({self.rule}, {self.file}:{self.line}:{self.column}, {self.severity}: {self.message})"


def alarm_of(hit: Hit, file: str, line: str) -> Alarm:
    """The alarm for a match in a file, given the line that it begins on."""
    rule = hit.rule
    is_secret = rule.category in REDACTED_CATEGORIES
    shown = redacted(hit.text) if is_secret else visible(hit.text[:SHOWN_MATCH])
    evidence = quote(line.replace(hit.text, shown) if is_secret else line, hit.column)
    return Alarm(
        rule.id,
        rule.severity,
        message_of(rule, is_hidden=hit.is_hidden),
        file=file,
        line=hit.line,
        column=hit.column,
        match=shown,
        evidence=evidence,
        source_line=line,
        fix=fix_of(rule),
        hit=hit,
    )


def message_of(rule: Rule, *, is_hidden: bool) -> str:
    """Why the match is a problem, or what was found where the check does not say why."""
    said = visible(rule.reason) if rule.reason else f"{visible(rule.pattern[:SHOWN_MATCH])} is not wanted here"
    return f"{said} (written with look-alike or unseen characters)" if is_hidden else said


def fix_of(rule: Rule) -> str | None:
    """What `scan --fix` would do, in words."""
    if rule.fix is None:
        return None
    action, text = rule.fix
    return f"replace with {visible(text)}" if action == "replace" else action.replace("_", " the ", 1)


def redacted(secret: str) -> str:
    """The beginning of a secret, enough to find it by."""
    return visible(secret[:SHOWN_SECRET]) + "…" if len(secret) > 2 * SHOWN_SECRET else "…"


class ScanResult:
    """All that a scan found; `failures` name what could not be looked at, and a scan with one has not passed."""

    __slots__ = ("alarms", "baselined", "checks", "failures", "files", "notes", "suppressed")

    def __init__(self) -> None:
        self.alarms: list[Alarm] = []
        self.failures: list[str] = []
        self.notes: list[str] = []
        self.files = 0
        self.checks = 0
        self.suppressed = 0
        self.baselined = 0
