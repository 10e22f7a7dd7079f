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
_PATTERN_HEADERS = ("if you write", "code pattern", "text pattern", "pattern", "old")
_PATTERN_WORD = re.compile(r"\b(?:anti)?patterns?\b|\bif you write\b|\bold\b")
_NEW_HEADERS = ("new", "replacement", "instead", "use", "use instead")
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
    return reader.rules, reader.shown_warnings()


def _is_wanted(table: Table, *, is_rules: bool) -> bool:
    first, second = _title(table.header.cell(0)), _title(table.header.cell(1))
    if not is_rules:
        return (first, second) == _CLAUDE_HEADER
    if first in _PATTERN_HEADERS:
        return True
    # "Bad pattern" or "Old name" is a column of patterns when its cells are code.
    filled = [row.cell(0) for row in table.rows if row.cell(0).text]
    return bool(_PATTERN_WORD.search(first) and filled and all(cell.codes for cell in filled))


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
            self._warn(row, "a | cuts the pattern in two, so this row is not a check; write \\| inside a cell")
            return
        if row.has_surplus:
            self._warn(row, "more cells than the header, and those are lost; write \\| for a | inside a cell")
        patterns = list(_patterns(row.cell(0)))
        if not patterns and any(cell.text for cell in row.cells):
            self._warn(row, "no pattern in the first cell, so this row is not a check")
        for pattern in patterns:
            self._add(pattern, row, _reason(row, table, with_heading=self.is_rules))

    def _add(self, pattern: str, row: Row, reason: str) -> None:
        if len(pattern) > MAX_PATTERN:
            return self._warn(row, f"a pattern of more than {MAX_PATTERN} characters, so this row is not a check")
        if len(self.rules) >= MAX_CHECKS:
            raise check_error([Complaint(f"{self.label}:{row.line}", f"more than {MAX_CHECKS} checks in one file")])
        number = len(self.rules) + 1
        self.rules.append(
            Rule(f"{self.stem}_{number}", pattern, reason=reason[:MAX_TEXT], source=self.label, line=row.line)
        )
        return None

    def _warn(self, row: Row, what: str) -> None:
        self.warnings.append(f"{self.label}:{row.line}: {what}")

    def shown_warnings(self) -> list[str]:
        """The warnings, a flood of them cut short."""
        more = len(self.warnings) - _MOST_WARNINGS
        return (
            self.warnings if more <= 0 else [*self.warnings[:_MOST_WARNINGS], f"{self.label}: {more} more like these"]
        )


def _is_cut(row: Row) -> bool:
    """Whether code begins in the first cell and ends in another: GitHub splits rows at every | without a backslash."""
    is_open = [cell.text.count("`") % 2 == 1 for cell in row.cells]
    return is_open[:1] == [True] and (row.has_surplus or any(is_open[1:]))


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
    return with_heading and bool(re.search(r"\bold\b", first)) and second in _NEW_HEADERS
