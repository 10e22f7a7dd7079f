"""A gap as the log keeps it: what the configuration missed, in which run and of which commit."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from review_gate.models import Frozen
from review_gate.pipeline.schema import GapLogEntry

# A concern about more files than these is about a folder or a kind of file, and the first of them show which.
FILES_KEPT = 50


class LoggedGap(Frozen):
    """One line of the log; no files means all files of the change."""

    version: Literal[1] = 1
    when: str = Field(max_length=40)
    run: str = Field(max_length=100)
    commit: str = Field(max_length=100)
    agent: str = Field(max_length=100)
    concern: str
    files: tuple[str, ...] = ()
    file_count: int = Field(default=0, ge=0)
    is_added: bool
    recommendation: str = ""


def logged(entry: GapLogEntry, *, run: str, commit: str, when: str) -> LoggedGap:
    """The line for one gap of a run."""
    return LoggedGap(
        when=when,
        run=run,
        commit=commit,
        agent=entry.agent,
        concern=entry.concern,
        files=entry.files[:FILES_KEPT],
        file_count=len(entry.files),
        is_added=entry.is_added,
        recommendation=entry.recommendation,
    )
