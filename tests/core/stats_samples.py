"""Histories to show: a usual one, one of the seed's own lines, and one whose every name is hostile."""

from __future__ import annotations

from auditing import entry

from review_gate.prompts.history.audit import line_of
from review_gate.prompts.history.stats import CommitDay, CommitHistory, Stats
from review_gate.prompts.history.tally import Tally


def usual() -> Stats:
    """A fortnight of two projects, with everything that can be said about one."""
    tally = Tally()
    for number in range(48):
        day = f"2026-02-{9 + number * number % 14:02}"
        outcome = ("approved", "approved", "edited", "rejected", "unchanged", "not_reviewed")[number % 6]
        was_reviewed = outcome != "not_reviewed"
        one = entry(
            day,
            project="shop-api" if number % 3 else "obsidian-claude-daily",
            trigger=("!!!", "/prompt-review", "cli", "ci")[number % 4],
            mode="api" if number % 5 == 0 else "subscription",
            outcome=outcome,
            reviewers_active=("domain_sme", "security", "clarity", "testing") if was_reviewed else (),
            findings={"security": {"blocker": 1, "major": number % 3}, "clarity": {"nit": number % 4, "minor": 1}},
            findings_count=2 + number % 3 + number % 4,
            cost={"input_tokens": 8_000 + number, "output_tokens": 2_000, "usd": 0.04 if number % 7 else None},
            duration_ms=4_000 + number * 91,
            is_cached=number % 8 == 3,
            reviewers_failed=("testing",) if number % 11 == 1 else (),
            reason="" if was_reviewed else ("timeout", "no-key")[number % 4 // 3],
            conflicts=int(number % 10 == 1),
            dropped=int(number % 9 == 1),
        )
        tally.add(day, [line_of(one), b"{" if number == 7 else b""])
    days = (CommitDay(day="2026-02-20", passed=3, failed=1), CommitDay(day="2026-02-22", passed=1, incomplete=1))
    commits = CommitHistory(days=days, damaged=1)
    return tally.result().model_copy(update={"commits": commits, "unreadable_files": ("2026-02-01.jsonl",)})


def with_names(name: str) -> Stats:
    """Every text that can come from outside is this one."""
    hostile = entry(project=name, outcome="not_reviewed", reason=name)
    tally = Tally(hostile.project)
    tally.add(hostile.day, [line_of(hostile)])
    return tally.result().model_copy(update={"projects": {name: 1, name + "2": 1}, "unreadable_files": (name,)})


def empty() -> Stats:
    """Nothing was logged."""
    return Tally().result()
