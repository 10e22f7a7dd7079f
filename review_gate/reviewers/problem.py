"""What an embedded reviewer is given and what it says: light values that the commit hook can afford."""

from __future__ import annotations


class ReviewedFile:
    """One changed file as git's objects have it; `data` is None when it could not be read, and `unread` says why."""

    __slots__ = ("data", "is_link", "old", "path", "size", "unread")

    def __init__(
        self,
        path: str,
        data: bytes | None,
        *,
        old: bytes | None = None,
        size: int | None = None,
        is_link: bool = False,
        unread: str = "",
    ) -> None:
        self.path = path
        self.data = data
        self.old = old
        self.size = size if size is not None else len(data or b"")
        self.is_link = is_link
        self.unread = unread


class Problem:
    """One thing wrong at one place; the severity is a word of `models.Severity`."""

    __slots__ = ("column", "evidence", "line", "message", "recommendation", "rule", "severity")

    def __init__(
        self,
        rule: str,
        severity: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        evidence: str = "",
        recommendation: str = "",
    ) -> None:
        self.rule = rule
        self.severity = severity
        self.message = message
        self.line = line
        self.column = column
        self.evidence = evidence
        self.recommendation = recommendation

    def __repr__(self) -> str:
        return f"Problem({self.rule}, {self.severity}, line {self.line}: {self.message})"
