"""Gaps for people and programs; what they say was written by a model or by whoever amended a manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from review_gate.gate.record import short
from review_gate.pipeline.gap_report import GapGroup, GapReport, times
from review_gate.pipeline.gap_suggest import told
from review_gate.safe_text import safe_line

SHOWN = 8
NOTHING = (
    "no gaps: nothing was logged; a gap comes about when review-gate run --manifest FILE, or the model that looks for "
    "gaps, adds a reviewer that no policy sent\n"
)


def gaps_text(report: GapReport, damaged: int) -> str:
    """Each concern with how often and where it was seen, and the entries that would have covered it."""
    if not report.groups:
        return f"no gap can be read: {_damaged(damaged)}\n" if damaged else NOTHING
    lines = [line for group in report.groups for line in _group_lines(group)]
    lines += [f"note: {_damaged(damaged)}"] if damaged else []
    lines.append(
        "next:  add what you agree with, then review-gate gaps --clear; --format json has an issue text for each gap"
    )
    return "\n".join(lines) + "\n"


def _damaged(count: int) -> str:
    lines = "1 line of the log is" if count == 1 else f"{count} lines of the log are"
    return f"{lines} damaged and left out"


def _group_lines(group: GapGroup) -> Iterator[str]:
    yield f"{safe_line(group.agent)}: {told(group.concern)} ({times(group.count)}, last {safe_line(group.last)})"
    yield f"  commits: {_some([safe_line(short(commit)) for commit in group.commits])}"
    yield f"  files:   {_some([safe_line(path) for path in group.files]) if group.files else 'all of the change'}"
    yield f"  add:     {safe_line(group.suggestion.about)}"
    for name, entries in group.suggestion.files().items():
        yield f"           to .review-gate/{name}.json:"
        for entry in entries:
            yield f"             {json.dumps(entry)}"


def _some(texts: Sequence[str]) -> str:
    more = f", and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


def gaps_json(report: GapReport, damaged: int) -> str:
    """The same for programs, with an issue text for each concern; `add` is everything at once."""
    return json.dumps(
        {
            "gaps": [_group_document(group) for group in report.groups],
            "add": report.suggestion.files(),
            "damaged": damaged,
        },
        indent=2,
    )


def _group_document(group: GapGroup) -> dict[str, object]:
    return {
        "agent": group.agent,
        "concern": group.concern,
        "count": group.count,
        "first": group.first,
        "last": group.last,
        "commits": list(group.commits),
        "files": list(group.files),
        "reviewer_was_there": group.was_there,
        "suggestion": group.suggestion.about,
        "add": group.suggestion.files(),
        "issue": group.issue.model_dump(),
    }


def cleared_text(count: int) -> str:
    """What --clear did."""
    return f"forgot {count} {'gap' if count == 1 else 'gaps'}" if count else "there was no gap to forget"
