"""Markdown text -> its tables as GitHub reads them, with the heading above each and the line of each row."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pyromark

from review_gate.checks.folding import folded_character
from review_gate.checks.table_cells import CODE, MARKS, TAG, TEXT, Cell, CellReader

# A row can have 100,000 cells, and nobody asks for more than these.
KEPT_CELLS = 3
_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_GFM | pyromark.Options.ENABLE_STRIKETHROUGH
_LINE_END = re.compile(rb"\r\n|\r|\n")
# Read as Markdown, the last line of front matter would be a heading. A thematic break is followed by no key.
_FRONT_MATTER = re.compile(r"\A---[ \t]*[\r\n]+[\w-]+[ \t]*:.*?[\r\n]---[ \t]*(?=[\r\n]|\Z)", re.DOTALL)
# In these a | is no cell that somebody forgot the rest of.
_NO_TEXT = ("Table", "CodeBlock")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Row:
    """The first cells of a row; `has_surplus` says that it has cells beyond those of the header, which are lost.

    `odd_start` is the character before the first | that makes a cell of its own and that nobody sees.
    """

    line: int
    cells: list[Cell] = field(default_factory=list)
    has_surplus: bool = False
    odd_start: str = ""

    def cell(self, index: int) -> Cell:
        """A cell, which is empty where the row has none."""
        return self.cells[index] if index < len(self.cells) else Cell()


@dataclass(slots=True)
class Table:
    """A table and the last heading before it."""

    heading: str
    header: Row
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LooseRow:
    """A line with cells that belongs to no table, though it may have been meant as its first, and the line below."""

    line: int
    written: str
    below: str


def tables_and_loose_rows(text: str) -> Iterator[Table | LooseRow]:
    """The tables, and the lines of text that look like the header of one and are none."""
    source = _readable(text)
    reader = _Reader(source.encode())
    for event, span in pyromark.events_with_range(source, options=_OPTIONS):
        found = reader.take(event, span["start"], span["end"])
        if found is not None:
            yield found


def _readable(text: str) -> str:
    """The same text, line for line, without what the parser takes for something else."""
    text = _SURROGATE.sub("\ufffd", text.removeprefix("\ufeff"))
    return _FRONT_MATTER.sub(lambda front: re.sub(r"[^\r\n]", "", front[0]), text, count=1)


class _Reader:
    """Puts tables together from the parser's events."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.line_starts = [0, *(found.end() for found in _LINE_END.finditer(data))]
        self.heading = ""
        self.table: Table | None = None
        self.row = Row(0)
        self.cell_end = 0
        # The heading or cell that is being read.
        self.cell = CellReader(data)
        self.block = ""
        # The last line of text outside of tables and code, and whether that has cells.
        self.text_line = 0
        self.has_cells = False

    def take(self, event: Any, start: int, end: int) -> Table | LooseRow | None:
        """Take one event; the table, when this was the end of one, or a line that looks like the first of one."""
        if isinstance(event, str):
            self.cell.take(TEXT, " ", start, end)
            return None
        ((kind, value),) = event.items()
        if kind == "Start":
            self._begin(_name(value), start)
        elif kind == "End":
            return self._finish(_name(value), start, end)
        elif kind in (TEXT, CODE):
            self.cell.take(kind, value, start, end)
            return None if self.block else self._loose_row(start, is_code=kind == CODE)
        elif kind == TAG:
            self.cell.take(kind, value, start, end)
        return None

    def _loose_row(self, start: int, *, is_code: bool) -> LooseRow | None:
        """The line that begins here, if it has cells and the one before has none."""
        line = self._line_of(start)
        if line == self.text_line:
            return None
        is_next, self.text_line = self.has_cells and line == self.text_line + 1, line
        written = self._line(line, start)
        self.has_cells = not is_code and "|" in written
        if is_next or not self.has_cells:
            return None
        return LooseRow(line, written, self._line(line + 1).lstrip(" \t>"))

    def _line_of(self, place: int) -> int:
        return bisect_right(self.line_starts, place)

    def _line(self, number: int, start: int | None = None) -> str:
        """What a line says, or what it says from a place on."""
        if number > len(self.line_starts):
            return ""
        first, end, *_ = *self.line_starts[number - 1 : number + 1], len(self.data)
        return self.data[first if start is None else start : end].decode().rstrip("\r\n")

    def _begin(self, name: str, start: int) -> None:
        if name in _NO_TEXT:
            self.block = name
        if name in ("TableHead", "TableRow"):
            line = self._line_of(start)
            self.row = Row(line, odd_start=_odd_start(self._line(line)))
        elif name in ("Heading", "TableCell"):
            self.cell.clear()

    def _finish(self, name: str, start: int, end: int) -> Table | None:
        if name == self.block:
            self.block = ""
        if name == "Heading":
            self.heading = self.cell.plain()
        elif name in MARKS:
            self.cell.mark(name, start, end)
        elif name == "TableCell":
            self._finish_cell(start, end)
        elif name == "TableHead":
            self.table = Table(self.heading, self.row)
        elif name == "TableRow" and self.table is not None and self._has_pipe():
            self.row.has_surplus = any(map(_is_drawn, self.data[self.cell_end : end].decode().replace("|", "")))
            self.table.rows.append(self.row)
        elif name == "Table":
            return self.table
        return None

    def _has_pipe(self) -> bool:
        """Whether a row is one: GitHub takes a line of text right below a table for a row of one cell."""
        return "|" in self._line(self.row.line)

    def _finish_cell(self, start: int, end: int) -> None:
        self.cell_end = end
        if len(self.row.cells) < KEPT_CELLS:
            self.row.cells.append(self.cell.cell(start, end))


def _odd_start(line: str) -> str:
    """The first character of a row that is neither a blank nor drawn, when nothing else stands before its first |."""
    start = line.lstrip(" \t>").partition("|")[0]
    return "" if any(map(_is_drawn, start)) else start.strip(" \t")[:1]


def _is_drawn(character: str) -> bool:
    return bool(folded_character(character).strip())


def _name(value: Any) -> str:
    return value if isinstance(value, str) else str(next(iter(value)))
