"""One file, given to the syntax reviewer."""

from __future__ import annotations

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.syntax import review


def reviewed(path: str, data: str | bytes) -> list[Problem]:
    """All that is wrong with a file of this name and content."""
    content = data.encode() if isinstance(data, str) else data
    return review(ReviewedFile(path, content), max_bytes=3_000_000)


def only(path: str, data: str | bytes) -> Problem:
    """The one thing that is wrong with it."""
    (problem,) = reviewed(path, data)
    return problem
