"""Markdown anti-pattern tables -> checks: what not to write in the first column, why in the second."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from unicodedata import normalize

from review_gate.checks.markdown_tables import LooseRow, Row, Table, tables_and_loose_rows
from review_gate.checks.pattern import unfit_pattern
from review_gate.checks.rule import LITERAL, Rule
from review_gate.checks.schema import MAX_CHECKS, MAX_PATTERN, MAX_TEXT
from review_gate.checks.table_cells import Cell
from review_gate.checks.table_headers import IF_YOU_WRITE, allows, bans, names_patterns, tells_replacement, words
from review_gate.checks.yaml_source import check_error
from review_gate.config.complaints import Complaint

CLAUDE_STEM = "anti_pattern"
_DASHES = re.compile(r"[ \t|:-]*-[ \t|:-]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_NOT_FOR_IDS = re.compile(r"[^A-Za-z0-9_]")
_SENTENCE_ENDS = (".", "!", "?", "…", ":", ";")
_MOST_WARNINGS = 20
_NOT_FIRST = "the patterns are not in the first column"
_UNSAID = (
    "the first column is code, and its name does not say whether that must not be written "
    "(call it Avoid if it must not, Allowed if it may)"
)
_CODE_ALONE = "write nothing but what is looked for, in backticks"


def checks_from_tables(label: str, text: str, *, is_rules: bool, stem: str) -> tuple[list[Rule], list[str]]:
    """The checks of every anti-pattern table in a text, and warnings about what is not what it seems."""
    reader = _Reader(label, _id_stem(stem))
    for found in tables_and_loose_rows(text):
        if isinstance(found, LooseRow):
            wrong = _broken(found, is_rules=is_rules)
            if wrong:
                reader.warn(found.line, f"{wrong}, so this is no table and has no checks; {_form(is_rules=is_rules)}")
        elif _is_wanted(found, is_rules=is_rules):
            form = _form_of(found, is_rules=is_rules)
            for row in found.rows:
                reader.take(row, form)
        else:
            wrong = _missed(found, is_rules=is_rules)
            if wrong:
                reader.warn(found.header.line, f"{wrong}, so this table has no checks")
    return reader.rules, reader.shown_warnings()


@dataclass(frozen=True, slots=True)
class _Form:
    """How the rows of a table are read, told once: a header can be long, and rows many."""

    heading: str
    is_code_alone: bool
    has_replacements: bool


def _form_of(table: Table, *, is_rules: bool) -> _Form:
    if not is_rules:
        return _Form("", is_code_alone=False, has_replacements=False)
    first, second = _titles(table)
    replaced = tells_replacement(first, second)
    return _Form(table.heading, is_code_alone=not names_patterns(first), has_replacements=replaced)


def _is_wanted(table: Table, *, is_rules: bool) -> bool:
    first, second = _titles(table)
    if is_rules:
        return names_patterns(first) or (bans(first, second) and any(row.cell(0).codes for row in table.rows))
    is_ours = first == IF_YOU_WRITE or (first.startswith(f"{IF_YOU_WRITE} ") and second.startswith("stop"))
    return is_ours and len(table.header.cells) > 1


def _missed(table: Table, *, is_rules: bool) -> str:
    """What is wrong with a table that somebody meant for us and that is none of ours; "" where nobody did."""
    if is_rules:
        return _missed_in_rules(table)
    first, second = _titles(table)
    if second == IF_YOU_WRITE:
        return _NOT_FIRST
    if not first.startswith(IF_YOU_WRITE):
        return ""
    if len(table.header.cells) == 1:
        return f"only one column ({_form(is_rules=False)})"
    return f"the first column is not called If you write ({_form(is_rules=False)})"


def _missed_in_rules(table: Table) -> str:
    """The same for a file of rules, where code is a pattern as soon as its column is named like one."""
    first, second = _titles(table)
    if names_patterns(second) or (bans(second) and _is_column_of_code(table, 1)):
        return _NOT_FIRST
    if bans(first, second):
        is_about_code = any(row.cell(0).is_mixed for row in table.rows)
        return f"no first cell is nothing but code ({_CODE_ALONE})" if is_about_code else ""
    # Taken for a ban, a list of functions to prefer would block all of them.
    return "" if allows(first, second) or not _is_column_of_code(table, 0) else _UNSAID


def _is_column_of_code(table: Table, column: int) -> bool:
    """Whether most cells of a column are nothing but code."""
    cells = [row.cell(column) for row in table.rows]
    return 2 * sum(bool(cell.codes) for cell in cells) > sum(bool(cell.text) for cell in cells)


def _broken(row: LooseRow, *, is_rules: bool) -> str:
    """What keeps a line from being the header of a table of ours; "" where nobody meant it as one."""
    cells = _cells(row.written)
    title, second = words(cells[0]), words("".join(cells[1:2]))
    # A sentence with a | in it is no header.
    has_edge = row.written.lstrip().startswith("|")
    is_begun = names_patterns(title) or bans(title, second) if is_rules else title.startswith(IF_YOU_WRITE)
    if title != IF_YOU_WRITE and not (has_edge and is_begun):
        return ""
    if not _DASHES.fullmatch(row.below):
        return "no row of dashes below this header"
    dashes = len(_cells(row.below))
    if dashes == len(cells):
        return "Markdown reads this header as text"
    return f"the header has {_columns(len(cells))} and the row of dashes below it {dashes}"


def _form(*, is_rules: bool) -> str:
    """What a table of ours looks like."""
    header = "| Code Pattern | Problem |" if is_rules else "| If you write... | STOP because... |"
    return f"write {header} and below it |---|---|"


def _cells(line: str) -> list[str]:
    """The cells of a line, the bars at its ends left out."""
    return _CELL_END.split(line.strip().removeprefix("|").removesuffix("|"))


def _columns(count: int) -> str:
    return f"{count} column{'' if count == 1 else 's'}"


def _titles(table: Table) -> tuple[str, str]:
    """The words of the first two header cells."""
    return words(table.header.cell(0).plain), words(table.header.cell(1).plain)


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

    def __init__(self, label: str, stem: str) -> None:
        self.label = label
        self.stem = stem
        self.rules: list[Rule] = []
        self.warnings: list[str] = []
        # Rows with a check; ids count these, so that a row with two of them does not move the ids behind it.
        self.numbered = 0

    def take(self, row: Row, form: _Form) -> None:
        """Make a check of each pattern in a row."""
        if row.odd_start:
            odd = f"the character U+{ord(row.odd_start):04X} before the first | makes a cell of its own"
            self.warn(row.line, f"{odd}, so this row is not a check; take it out")
            return
        if _is_cut(row):
            self.warn(row.line, "a | cuts the pattern in two, so this row is not a check; write \\| inside a cell")
            return
        if form.is_code_alone and not row.cell(0).codes:
            wrong = "words beside the code" if row.cell(0).is_mixed else "no code"
            self.warn(row.line, f"{wrong} in the first cell, so this row is not a check; {_CODE_ALONE}")
            return
        doubt = _doubt(row.cell(0))
        if doubt:
            self.warn(row.line, f"{doubt}; {_CODE_ALONE}")
        if row.has_surplus:
            self.warn(row.line, "more cells than the header, and those are lost; write \\| for a | inside a cell")
        patterns = list(_patterns(row.cell(0)))
        if not patterns and any(cell.text for cell in row.cells):
            self.warn(row.line, "no pattern in the first cell, so this row is not a check")
        if any(len(pattern) > MAX_PATTERN for pattern in patterns):
            self.warn(row.line, f"a pattern of more than {MAX_PATTERN} characters, so this row is not a check")
        patterns = [pattern for pattern in patterns if len(pattern) <= MAX_PATTERN]
        self.numbered += bool(patterns)
        for piece, pattern in enumerate(patterns, 1):
            self._add(pattern, piece, row, _reason(row, form))

    def _add(self, pattern: str, piece: int, row: Row, reason: str) -> None:
        if len(self.rules) >= MAX_CHECKS:
            raise check_error([Complaint(f"{self.label}:{row.line}", f"more than {MAX_CHECKS} checks in one file")])
        name = f"{self.stem}_{self.numbered}" + (f"_{piece}" if piece > 1 else "")
        self.rules.append(Rule(name, pattern, reason=reason[:MAX_TEXT], source=self.label, line=row.line))

    def warn(self, line: int, what: str) -> None:
        """Note something odd about a line."""
        self.warnings.append(f"{self.label}:{line}: {what}")

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


def _doubt(cell: Cell) -> str:
    """Why the pattern of a cell may not be the one that its author has in mind; "" where it is plain."""
    if cell.is_mixed:
        return "words beside code in the first cell, and the check looks for both"
    if cell.has_marks:
        return "emphasis or a link in a part of the first cell, and the check looks for its marks too"
    if cell.is_underscored:
        return f"underscores around the first cell are emphasis in Markdown, and the check looks for {cell.bare} alone"
    return ""


def _patterns(cell: Cell) -> Iterator[str]:
    """What a cell asks for: each of its pieces of code when it is a list of those, else all that it says."""
    for pattern in map(str.strip, cell.codes or (cell.bare,)):
        if pattern and not unfit_pattern(pattern, LITERAL):
            yield pattern


def _reason(row: Row, form: _Form) -> str:
    said = row.cell(1).text
    if said and form.has_replacements:
        said = f"Use {row.cell(1).bare} instead"
    hint = row.cell(2).text
    if hint:
        said += ("" if not said else " " if said.endswith(_SENTENCE_ENDS) else ". ") + hint
    if not form.heading:
        return said
    return f"{form.heading}: {said}" if said else form.heading
