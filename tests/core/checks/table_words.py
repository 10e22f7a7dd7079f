"""Checks from Markdown tables, and the words that warnings about them use."""

from __future__ import annotations

from review_gate.checks.rule import Rule
from review_gate.checks.table_source import CLAUDE_STEM, checks_from_tables

CLAUDE = "| If you write... | STOP because... |\n|---|---|\n"
ALONE = "write nothing but what is looked for, in backticks"


def of_claude(text: str) -> tuple[list[Rule], list[str]]:
    return checks_from_tables("CLAUDE.md", text, is_rules=False, stem=CLAUDE_STEM)


def of_rules(text: str, stem: str = "style") -> tuple[list[Rule], list[str]]:
    return checks_from_tables(f"rules/{stem}.md", text, is_rules=True, stem=stem)


def patterns(rules: list[Rule]) -> list[str]:
    return [rule.pattern for rule in rules]


def with_header(header: str, *rows: str) -> str:
    columns = header.strip("|").count("|") + 1
    return "\n".join([header, "|---" * columns + "|", *rows, ""])
