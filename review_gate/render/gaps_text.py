"""Gaps for people and programs; a model, or the user who amended a manifest, wrote what they say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from review_gate.gate.record import short
from review_gate.pipeline.gap_report import GapGroup, times, told
from review_gate.safe_text import safe_line

SHOWN = 8
NOTHING = (
    "no gaps: nothing was logged; a gap comes about when review-gate run --manifest FILE, or the model that looks for "
    "gaps, adds a reviewer that no policy sent\n"
)
NEXT = "next:  add what you agree with, then review-gate gaps --clear; --format json has an issue text for each gap"


def gaps_text(groups: Sequence[GapGroup], damaged: int) -> str:
    """Each concern with how often and where it was seen, and what is recommended."""
    if not groups:
        return f"no gap can be read: {_damaged(damaged)}\n" if damaged else NOTHING
    lines = [line for group in groups for line in _group_lines(group)]
    lines += [f"note: {_damaged(damaged)}"] if damaged else []
    return "\n".join([*lines, NEXT]) + "\n"


def _damaged(count: int) -> str:
    lines = "1 line of the log is" if count == 1 else f"{count} lines of the log are"
    return f"{lines} damaged and left out"


def _group_lines(group: GapGroup) -> Iterator[str]:
    yield f"{safe_line(group.agent)}: {told(group.concern)} ({times(group.count)}, last {safe_line(group.last)})"
    yield f"  commits: {_some([safe_line(short(commit)) for commit in group.commits])}"
    yield f"  files:   {_some([safe_line(path) for path in group.files]) if group.files else 'all of the change'}"
    yield f"  add:     {safe_line(group.recommendation)}"


def _some(texts: Sequence[str]) -> str:
    more = f", and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


def gaps_json(groups: Sequence[GapGroup], damaged: int) -> str:
    """The same for programs, with an issue text for each concern."""
    found = [
        {
            **group.model_dump(mode="json", exclude={"was_there"}),
            "reviewer_was_there": group.was_there,
            "suggestion": group.recommendation,
            "issue": group.issue.model_dump(),
        }
        for group in groups
    ]
    return json.dumps({"gaps": found, "damaged": damaged}, indent=2)


def cleared_text(count: int) -> str:
    """What --clear did."""
    return f"forgot {count} {'gap' if count == 1 else 'gaps'}" if count else "there was no gap to forget"
