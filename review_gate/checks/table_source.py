"""Markdown anti-pattern tables -> checks: what not to write in the first column, why in the second."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from unicodedata import normalize

from review_gate.checks.markdown_tables import Cell, Row, Table, tables_in
from review_gate.checks.pattern import SpanBudget, unfit_pattern
from review_gate.checks.rule import LITERAL, Rule
from review_gate.checks.schema import MAX_CHECKS, MAX_PATTERN, MAX_TEXT
from review_gate.checks.yaml_source import check_error
from review_gate.config.complaints import Complaint

CLAUDE_STEM = "anti_pattern"
_CLAUDE_HEADER = ("if you write", "stop because")
_PATTERN_HEADERS = re.compile(r"if you write|(?:(?:code|text|anti)[ -]?)?patterns?|old")
# Words that call a column one of patterns where its cells are code: "Bad pattern", "Old name", "Avoid".
_PATTERN_WORD = re.compile(
    r"\b(?:(?:anti)?patterns?|if you write|old|deprecated|bad|wrong|avoid|banned|forbidden|never|don't|do not)\b"
)
_OLD_WORD = re.compile(r"\bold\b|\bdeprecated\b")
_NEW_WORD = re.compile(r"\b(?:new|replacement|instead|use)\b")
_NOT_FOR_IDS = re.compile(r"[^A-Za-z0-9_]")
_SENTENCE_ENDS = (".", "!", "?", "…", ":", ";")
_MOST_WARNINGS = 20


def checks_from_tables(label: str, text: str, *, is_rules: bool, stem: str) -> tuple[list[Rule], list[str]]:
    """The checks of every anti-pattern table in a text, and warnings about rows that are not what they seem."""
    reader = _Reader(label, _id_stem(stem), is_rules=is_rules)
    for table in tables_in(text):
        if _is_wanted(table, is_rules=is_rules):
            for row in table.rows:
                reader.take(row, table)
        elif _has_patterns_later(table, is_rules=is_rules):
            reader.warn(table.header, "the patterns are not in the first column, so this table has no checks")
    return reader.rules, reader.shown_warnings()


def _is_wanted(table: Table, *, is_rules: bool) -> bool:
    first, second = _title(table.header.cell(0)), _title(table.header.cell(1))
    if not is_rules:
        return (first, second) == _CLAUDE_HEADER
    return _names_patterns(table) or bool(_PATTERN_WORD.search(first) and any(row.cell(0).codes for row in table.rows))


def _names_patterns(table: Table) -> bool:
    """Whether the first column is said to hold patterns, whatever is written in it."""
    return bool(_PATTERN_HEADERS.fullmatch(_title(table.header.cell(0))))


def _has_patterns_later(table: Table, *, is_rules: bool) -> bool:
    """Whether somebody meant a table for us and put another column in front."""
    second, third = _title(table.header.cell(1)), _title(table.header.cell(2))
    if not is_rules:
        return (second, third) == _CLAUDE_HEADER
    return bool(_PATTERN_HEADERS.fullmatch(second))


def _title(cell: Cell) -> str:
    """The words of a header cell, without the dots at its end."""
    return cell.plain.casefold().strip(" .…:")


def _id_stem(stem: str) -> str:
    """The part of a file's name that ids may hold, with a digest where other letters are lost."""
    # Some disks take names apart into letters and accents.
    whole = normalize("NFC", stem)
    kept = _NOT_FOR_IDS.sub("_", whole)[:80].lstrip("_") or "rules"
    if whole.isascii():
        return kept
    return f"{kept.rstrip('_')}_{sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


class _Reader:
    """Numbers the checks of one file."""

    def __init__(self, label: str, stem: str, *, is_rules: bool) -> None:
        self.label = label
        self.stem = stem
        self.is_rules = is_rules
        self.rules: list[Rule] = []
        self.warnings: list[str] = []

    def take(self, row: Row, table: Table) -> None:
        """Make a check of each pattern in a row."""
        if _is_cut(row):
            self.warn(row, "a | cuts the pattern in two, so this row is not a check; write \\| inside a cell")
            return
        if self.is_rules and not _names_patterns(table) and not row.cell(0).codes:
            self.warn(row, "no code in the first cell, so this row is not a check; write it in backticks")
            return
        if row.has_surplus:
            self.warn(row, "more cells than the header, and those are lost; write \\| for a | inside a cell")
        patterns = list(_patterns(row.cell(0)))
        if not patterns and any(cell.text for cell in row.cells):
            self.warn(row, "no pattern in the first cell, so this row is not a check")
        for pattern in patterns:
            self._add(pattern, row, _reason(row, table, with_heading=self.is_rules))

    def _add(self, pattern: str, row: Row, reason: str) -> None:
        if len(pattern) > MAX_PATTERN:
            return self.warn(row, f"a pattern of more than {MAX_PATTERN} characters, so this row is not a check")
        if len(self.rules) >= MAX_CHECKS:
            raise check_error([Complaint(f"{self.label}:{row.line}", f"more than {MAX_CHECKS} checks in one file")])
        number = len(self.rules) + 1
        self.rules.append(
            Rule(f"{self.stem}_{number}", pattern, reason=reason[:MAX_TEXT], source=self.label, line=row.line)
        )
        return None

    def warn(self, row: Row, what: str) -> None:
        """Note something odd about a row."""
        self.warnings.append(f"{self.label}:{row.line}: {what}")

    def shown_warnings(self) -> list[str]:
        """The warnings, a flood of them cut short."""
        more = len(self.warnings) - _MOST_WARNINGS
        return (
            self.warnings if more <= 0 else [*self.warnings[:_MOST_WARNINGS], f"{self.label}: {more} more like these"]
        )


def _is_cut(row: Row) -> bool:
    """Whether the pattern goes on in another cell: GitHub splits rows at every | without a backslash."""
    is_open = [cell.text.count("`") % 2 == 1 for cell in row.cells]
    is_open_code = is_open[:1] == [True] and any(is_open[1:])
    # Of a pattern that is no code nobody knows where it was meant to end.
    return is_open_code or (row.has_surplus and not row.cell(0).codes)


def _patterns(cell: Cell) -> Iterator[str]:
    """What a cell asks for: each of its pieces of code when it is a list of those, else all that it says."""
    for pattern in cell.codes or (cell.bare,):
        if pattern.strip() and not unfit_pattern(pattern, LITERAL, SpanBudget()):
            yield pattern


def _reason(row: Row, table: Table, *, with_heading: bool) -> str:
    said = row.cell(1).text
    if said and _is_replacement(table, with_heading=with_heading):
        said = f"Use {row.cell(1).bare} instead"
    hint = row.cell(2).text
    if hint:
        said += ("" if not said else " " if said.endswith(_SENTENCE_ENDS) else ". ") + hint
    if not with_heading or not table.heading:
        return said
    return f"{table.heading}: {said}" if said else table.heading


def _is_replacement(table: Table, *, with_heading: bool) -> bool:
    first, second = _title(table.header.cell(0)), _title(table.header.cell(1))
    return with_heading and bool(_OLD_WORD.search(first) and _NEW_WORD.search(second))
