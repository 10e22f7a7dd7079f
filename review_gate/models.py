"""Shared nouns of a review: subject, severity, finding, verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from review_gate.severity import BLOCKING, RANKS


class Frozen(BaseModel):
    """A value that cannot change and accepts no unknown field."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Subject(Frozen):
    """What is under review, as object ids taken before the review starts; `commit` is None for staged content."""

    commit: str | None
    tree: str
    base: str
    base_label: str

    @property
    def is_staged(self) -> bool:
        """Whether the subject is the index and not a commit yet."""
        return self.commit is None

    @property
    def name(self) -> str:
        """The full id the result is bound to."""
        return self.commit or self.tree


class Severity(StrEnum):
    """How much a finding matters, worst first."""

    CRITICAL = "critical"
    MAJOR = "major"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Position in the order worst to mildest."""
        return RANKS.index(self)

    @property
    def is_blocking(self) -> bool:
        """Whether content with such a finding does not pass."""
        return self in BLOCKING


# Other tools' scales, mapped here and nowhere else: pylint, semgrep, bandit, SARIF, ESLint, npm, SonarQube, GitHub,
# ShellCheck, language servers. Semgrep itself calls its old ERROR, WARNING and INFO the same as HIGH, MEDIUM and LOW.
FOREIGN_SEVERITY = {
    "fatal": Severity.CRITICAL,
    "blocker": Severity.CRITICAL,
    "error": Severity.MAJOR,
    "high": Severity.MAJOR,
    "important": Severity.MAJOR,
    "warn": Severity.WARNING,
    "medium": Severity.WARNING,
    "moderate": Severity.WARNING,
    "minor": Severity.WARNING,
    "low": Severity.INFO,
    "information": Severity.INFO,
    "informational": Severity.INFO,
    "convention": Severity.INFO,
    "refactor": Severity.INFO,
    "style": Severity.INFO,
    "hint": Severity.INFO,
    "suggestion": Severity.INFO,
    "nit": Severity.INFO,
    "note": Severity.INFO,
    "notice": Severity.INFO,
    "none": Severity.INFO,
}
_SEVERITIES = {severity.value: severity for severity in Severity} | FOREIGN_SEVERITY


def severity_from(word: str, default: Severity) -> Severity:
    """The severity that a word of any known scale stands for."""
    return severity_named(word) or default


def severity_named(word: str) -> Severity | None:
    """The same, None for a word of no known scale."""
    return _SEVERITIES.get(word.strip().lower())


class Verdict(StrEnum):
    """An opinion on content, never leave to ship."""

    FAIL = "fail"
    NEEDS_FIXES = "needs_fixes"
    PASS_WITH_WARNINGS = "pass_with_warnings"  # noqa: S105 - a verdict, not a password
    PASS = "pass"  # noqa: S105 - a verdict, not a password

    @property
    def is_passing(self) -> bool:
        """Whether the content may go on to the next loop."""
        return self in (Verdict.PASS, Verdict.PASS_WITH_WARNINGS)


class Finding(Frozen):
    """One thing a reviewer saw, in the one shape that all reviewers share."""

    id: str
    rule: str
    severity: Severity
    category: str
    message: str
    file: str | None = None
    line: int | None = Field(default=None, ge=1)
    column: int | None = Field(default=None, ge=1)
    evidence: str = ""
    recommendation: str = ""
    reviewer: str
    confidence: float = Field(default=1.0, ge=0, le=1)
    fingerprint: str


class Snippet(Frozen):
    """Some lines of a reviewed file around the place of a finding; `first` is the number of the first of them."""

    file: str
    line: int = Field(ge=1)
    first: int = Field(ge=1)
    lines: tuple[str, ...]


def verdict_of(severities: Iterable[Severity]) -> Verdict:
    """The verdict that severity counts alone decide; the first matching rule wins."""
    counts = Counter(severities)
    if counts[Severity.CRITICAL]:
        return Verdict.FAIL
    if counts[Severity.MAJOR]:
        return Verdict.NEEDS_FIXES
    if counts[Severity.WARNING]:
        return Verdict.PASS_WITH_WARNINGS
    return Verdict.PASS


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by severity, then by place."""
    return tuple(sorted(findings, key=lambda f: (f.severity.rank, f.file or "", f.line or 0, f.rule)))
