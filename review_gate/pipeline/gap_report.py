"""Logged gaps as something to act on: the same concern counted once, an issue text for it, and what to add."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from review_gate.models import Frozen
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.gap_suggest import Suggestion, Suggestions, together, told
from review_gate.pipeline.logged_gap import LoggedGap
from review_gate.safe_text import safe, safe_line

LONGEST_TITLE = 100
FILES_TOLD, COMMITS_TOLD = 50, 20
BACKTICKS = re.compile(r"`+")


class Issue(Frozen):
    """A text that can be filed as it is."""

    title: str
    body: str


class GapGroup(Frozen):
    """One concern of one reviewer, however often it was seen; `concern` is in its newest words."""

    agent: str
    concern: str
    count: int
    first: str
    last: str
    # Both newest first; no files means all files of a change.
    commits: tuple[str, ...]
    files: tuple[str, ...]
    # Whether the reviewer looked at these files each time, and no policy was missing.
    was_there: bool
    suggestion: Suggestion
    issue: Issue


class GapReport(Frozen):
    """All concerns, the most frequent and then the newest first, and all that could be added."""

    groups: tuple[GapGroup, ...]
    suggestion: Suggestion


def report_gaps(gaps: Sequence[LoggedGap], config: PipelineConfig) -> GapReport:
    """The report of a log, which has its oldest gap first."""
    grouped: dict[tuple[str, str], list[LoggedGap]] = {}
    for gap in reversed(gaps):
        grouped.setdefault((gap.agent, same_concern(gap.concern)), []).append(gap)
    # They come newest first, and sorting keeps that among equals.
    found = sorted(grouped.values(), key=lambda group: -_times_seen(group))
    suggestions = Suggestions(config)
    groups = tuple(_group(members, suggestions) for members in found)
    return GapReport(groups=groups, suggestion=together(group.suggestion for group in groups))


def same_concern(text: str) -> str:
    """What two wordings of one concern have in common: neither case nor blanks matter."""
    return " ".join(text.split()).casefold()


def _times_seen(members: Sequence[LoggedGap]) -> int:
    """How often a concern came up: another run over the same commit sees nothing new."""
    return len({gap.commit for gap in members})


def _group(members: Sequence[LoggedGap], suggestions: Suggestions) -> GapGroup:
    """What several gaps say together, the newest of them first."""
    newest = members[0]
    was_there = not any(gap.is_added for gap in members)
    missed = [gap for gap in members if gap.is_added == (not was_there)]
    is_about_all = any(not gap.files for gap in missed)
    about = () if is_about_all else _unique(path for gap in missed for path in gap.files)
    suggestion = suggestions.for_gap(newest.agent, newest.concern, about, was_there=was_there)
    group = GapGroup(
        agent=newest.agent,
        concern=newest.concern,
        count=_times_seen(members),
        first=members[-1].when,
        last=newest.when,
        commits=_unique(gap.commit for gap in members),
        files=_unique(path for gap in members for path in gap.files),
        was_there=was_there,
        suggestion=suggestion,
        issue=Issue(title="", body=""),
    )
    return group.model_copy(update={"issue": issue_for(group)})


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def times(count: int) -> str:
    """How often, in words."""
    return "once" if count == 1 else f"{count} times"


def issue_for(group: GapGroup) -> Issue:
    """An issue about one concern; what came from outside can neither mention, link nor close anything in it."""
    title = f"Review gap: {safe_line(group.agent)}: {told(group.concern)}"
    return Issue(
        title=title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 3]}...",
        body="\n\n".join(_paragraphs(group)) + "\n",
    )


def _paragraphs(group: GapGroup) -> list[str]:
    missed = (
        "looked at the files, and none of its rules is about this"
        if group.was_there
        else "was not sent where somebody saw a reason for it"
    )
    seen = f"{times(group.count)}, last at {safe_line(group.last)}"
    parts = [f"The reviewer {in_code(group.agent)} {missed} ({seen}). The concern:", fenced(safe(group.concern))]
    parts.append(_listed("Commits", group.commits, COMMITS_TOLD))
    parts.append(_listed("Files", group.files, FILES_TOLD) if group.files else "Files: all files of the change")
    parts.append(f"Suggested: {in_code(group.suggestion.about)}.")
    for name, entries in group.suggestion.files().items():
        parts.append(f"In `.review-gate/{name}.json`:\n\n{fenced(json.dumps(entries, indent=2), 'json')}")
    return parts


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


def fenced(text: str, language: str = "text") -> str:
    """A text as a block of code that it cannot end."""
    fence = "`" * max(3, _longest_marks(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _longest_marks(text: str) -> int:
    return max(map(len, BACKTICKS.findall(text)), default=0)
