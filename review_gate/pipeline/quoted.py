"""Where a quote stands in what a model was shown: models copy code well and count lines badly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from review_gate.pipeline.exhibit import Exhibit, harmless

# The number of a line in the new version, where it has one, and the sign before its text.
_SHOWN = re.compile(r"(?P<number>[ \d]{6}) (?P<sign>[-+ ])(?P<text>.*)", re.DOTALL)
_HEADING = re.compile(r"=== file (?P<path>.*) \| [a-z ]+ \| token [0-9a-f]+")
# A shorter part of a line stands in many.
SHORTEST_PART = 6
# What a model may copy along with a line.
_COPIED_WITH = re.compile(r"^ *\d+ [-+ ]|^[-+](?=\s)")


class _Line(NamedTuple):
    number: int | None
    text: str


class Quoting(Protocol):
    """A finding as any model puts it: the words that it is about, and where it says that they are."""

    @property
    def file(self) -> str | None:
        """The file as it was shown."""

    @property
    def line(self) -> int | None:
        """The line as the model counted it."""

    @property
    def quote(self) -> str:
        """Words of that file."""


def places_of(findings: Sequence[Quoting], exhibit: Exhibit, nonce: str) -> tuple[int | None, ...]:
    """For each finding the line on which its quote begins, None where it stands nowhere or on a line that is gone.

    Of several such places it is the one nearest to the line that was named.
    """
    shown = dict(_files(exhibit, nonce))
    return tuple(_place(finding, shown.get(finding.file or "", ())) for finding in findings)


def _files(exhibit: Exhibit, nonce: str) -> Iterator[tuple[str, list[_Line]]]:
    """The lines of each file by its path as it was shown."""
    known = {harmless(file.path, nonce) for file in exhibit.files}
    path, lines = "", list[_Line]()
    for line in exhibit.text.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading and heading["path"] in known:
            yield path, lines
            path, lines = heading["path"], []
        elif found := _SHOWN.fullmatch(line):
            number = found["number"].strip()
            lines.append(_Line(int(number) if number else None, found["text"].strip()))
    yield path, lines


def _place(finding: Quoting, lines: Sequence[_Line]) -> int | None:
    quoted = [text for text in map(bare, finding.quote.split("\n")) if text]
    if not quoted:
        return None
    written = [line for line in lines if line.text]
    starts = list(_starts(written, quoted)) or [line.number for line in written if quoted == [_part(line, quoted)]]
    numbers = [number for number in starts if number is not None]
    return min(numbers, key=lambda number: abs(number - (finding.line or 0)), default=None)


def _starts(lines: Sequence[_Line], quoted: Sequence[str]) -> Iterator[int | None]:
    for start, line in enumerate(lines):
        if [one.text for one in lines[start : start + len(quoted)]] == quoted:
            yield line.number


def _part(line: _Line, quoted: Sequence[str]) -> str:
    """The first line of a quote, where it is a part of this one that says something."""
    return quoted[0] if len(quoted[0]) >= SHORTEST_PART and quoted[0] in line.text else ""


def bare(line: str) -> str:
    """A line of a quote without its indentation, and without the number and sign that stood before it."""
    return _COPIED_WITH.sub("", line).strip()
