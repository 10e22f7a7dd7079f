"""Logged gaps: the same concern of the same reviewer counted once, with seed 004's recommendation and an issue text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from review_gate.models import Frozen
from review_gate.pipeline.gap_detect import recommendation_for
from review_gate.pipeline.schema import GapLogEntry
from review_gate.safe_text import safe, safe_line

# A concern about more files than these is about a folder or a kind of file, and the first of them show which.
FILES_KEPT = 50
LONGEST_TITLE, LONGEST_CONCERN = 100, 500
COMMITS_TOLD = 20
BACKTICKS = re.compile(r"`+")


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


class Issue(Frozen):
    """A text that can be filed as it is."""

    title: str
    body: str


class GapGroup(Frozen):
    """One concern of one reviewer; `concern` is in its newest words, commits and files are newest first."""

    agent: str
    concern: str
    # Another run over the same commit sees nothing new.
    count: int
    first: str
    last: str
    commits: tuple[str, ...]
    # Without any, all files of a change.
    files: tuple[str, ...]
    # Whether the reviewer looked at these files each time, and no policy was missing.
    was_there: bool

    @property
    def recommendation(self) -> str:
        """What to add so that it is covered next time."""
        return recommendation_for(self.agent, is_added=not self.was_there)

    @property
    def issue(self) -> Issue:
        """An issue about it; no text from outside can mention, link or close anything there."""
        title = f"Review gap: {safe_line(self.agent)}: {told(self.concern)}"
        missed = "looked at the files, and none of its rules is about this" if self.was_there else "was not sent"
        parts = [
            f"The reviewer {in_code(self.agent)} {missed} ({times(self.count)}, last at {safe_line(self.last)}). "
            "The concern:",
            fenced(safe(self.concern)),
            _listed("Commits", self.commits, COMMITS_TOLD),
            _listed("Files", self.files, FILES_KEPT) if self.files else "Files: all files of the change",
            f"Recommended: {in_code(self.recommendation)}.",
        ]
        short = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 3]}..."
        return Issue(title=short, body="\n\n".join(parts) + "\n")


def logged(entry: GapLogEntry, *, run: str, commit: str, when: str) -> LoggedGap:
    """The line of the log for one gap of a run."""
    fields = entry.model_dump() | {"files": entry.files[:FILES_KEPT], "file_count": len(entry.files)}
    return LoggedGap(when=when, run=run, commit=commit, **fields)


def report_gaps(gaps: Sequence[LoggedGap]) -> tuple[GapGroup, ...]:
    """The gaps of a log, which has its oldest first: the most frequent first, of these the newest."""
    grouped: dict[tuple[str, str], list[LoggedGap]] = {}
    for gap in reversed(gaps):
        # Neither case nor blanks make another concern.
        grouped.setdefault((gap.agent, " ".join(gap.concern.split()).casefold()), []).append(gap)
    return tuple(sorted(map(_group, grouped.values()), key=lambda group: -group.count))


def _group(members: Sequence[LoggedGap]) -> GapGroup:
    """What several gaps say together, the newest of them first."""
    commits = _unique(gap.commit for gap in members)
    return GapGroup(
        agent=members[0].agent,
        concern=members[0].concern,
        count=len(commits),
        first=members[-1].when,
        last=members[0].when,
        commits=commits,
        files=_unique(path for gap in members for path in gap.files),
        was_there=not any(gap.is_added for gap in members),
    )


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def times(count: int) -> str:
    """How often, in words."""
    return "once" if count == 1 else f"{count} times"


def told(text: str) -> str:
    """A text from outside on one line, harmless and not too long."""
    line = safe_line(" ".join(text.split())) or "nothing was said"
    return line if len(line) <= LONGEST_CONCERN else f"{line[: LONGEST_CONCERN - 3]}..."


def _listed(name: str, texts: Sequence[str], most: int) -> str:
    lines = [f"- {in_code(text)}" for text in texts[:most]]
    lines += [f"- and {len(texts) - most} more"] if len(texts) > most else []
    return "\n".join([f"{name}:", "", *lines])


def in_code(text: str) -> str:
    """A text as code within a line of Markdown."""
    line = safe_line(text)
    marks = "`" * (_longest_marks(line) + 1)
    # A blank keeps a backtick at the edge apart from the marks, and is not shown.
    return f"{marks} {line} {marks}" if "`" in line else f"{marks}{line}{marks}"


def fenced(text: str) -> str:
    """A text as a block of code that it cannot end."""
    fence = "`" * max(3, _longest_marks(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _longest_marks(text: str) -> int:
    return max(map(len, BACKTICKS.findall(text)), default=0)
