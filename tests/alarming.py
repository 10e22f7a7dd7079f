"""Checks, matches and alarms with sensible defaults."""

from __future__ import annotations

from typing import Any

from review_gate.checks.alarm import Alarm, alarms_of
from review_gate.checks.rule import Hit, Rule
from review_gate.reviewers.text import place_of, split_lines


def rule(id: str = "no-eval", pattern: str = "eval", **changes: Any) -> Rule:
    """A check that looks for a text."""
    return Rule(id, pattern, **{"reason": f"{pattern} is dangerous", "source": "checks/own.yaml", "line": 3, **changes})


def hits(text: str, *rules: Rule) -> list[Hit]:
    """Every occurrence of the patterns, as plain texts, by place."""
    return sorted((hit for one in rules for hit in _occurrences(text, one)), key=Hit.place)


def _occurrences(text: str, one: Rule) -> list[Hit]:
    found, start = [], text.find(one.pattern)
    while start >= 0:
        end = start + len(one.pattern)
        (line, column), end_line = place_of(text, start), place_of(text, end)[0]
        found.append(Hit(one, line=line, column=column, start=start, end=end, text=one.pattern, end_line=end_line))
        start = text.find(one.pattern, end)
    return found


def alarms(text: str, *rules: Rule, file: str = "src/app.py") -> list[Alarm]:
    """The alarms of these checks for a text."""
    lines = split_lines(text)
    return alarms_of(hits(text, *(rules or (rule(),))), file, lambda number: lines[number - 1])
