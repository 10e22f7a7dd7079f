"""What a model is shown of a change: text of the repository in marked regions, made harmless first and cut second.

Everything in a region was written by whoever wrote the change, and it may be written for the reviewer. A region is
closed by a word that is drawn anew for every run, so no file can close it; characters that are not drawn are written
out; and a file that was cut or left out is listed, so that nobody takes it for read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from review_gate.models import Frozen
from review_gate.ports import NotShown
from review_gate.reviewers.text import visible

CUT_LINE = "[cut here: {} more lines of this file are not shown]"
# Of one line a model gets so much; minified files have lines of megabytes.
LONGEST_LINE = 2_000
# The number of a line in the new version, where it has one, and the sign before its text.
_SHOWN = re.compile(r"(?P<number>[ \d]{6}) (?P<sign>[-+ ])(?P<text>.*)", re.DOTALL)
_HEADING = re.compile(r"=== file (?P<path>.*) \| [a-z ]+ \| token [0-9a-f]+")
# A shorter part of a line stands in many.
SHORTEST_PART = 6
# What a model may copy along with a line.
_COPIED_WITH = re.compile(r"^ *\d+ [-+ ]|^[-+](?=\s)")


class FileText(NamedTuple):
    """One changed file as a reviewer could read it; `why_not` says why there is nothing to read."""

    path: str
    about: str
    lines: tuple[str, ...]
    why_not: str = ""


class ShownFile(Frozen):
    """One file of an exhibit; whoever read it can name its token."""

    path: str
    token: str
    shown_lines: int
    hidden_lines: int = 0


class Exhibit(Frozen):
    """One group of files as a model is shown them."""

    text: str
    files: tuple[ShownFile, ...]


class Budget(NamedTuple):
    """How many characters of one file, and of one group of files, a model is shown."""

    per_file: int = 40_000
    per_group: int = 120_000


USUAL = Budget()


def exhibits(
    files: Sequence[FileText], nonce: str, budget: Budget = USUAL
) -> tuple[tuple[Exhibit, ...], tuple[NotShown, ...]]:
    """All files in groups that fit the budget, neighbours together, and the files that cannot be shown."""
    unseen = tuple(NotShown(path=file.path, because=file.why_not) for file in files if file.why_not)
    numbered = enumerate(_readable(files), start=1)
    pieces = [_piece(file, nonce, number, budget.per_file) for number, file in numbered]
    return tuple(_exhibit(group, nonce) for group in _groups(pieces, budget.per_group)), unseen


def all_in_one(groups: Sequence[Exhibit]) -> Exhibit:
    """Several groups as one, for a reader who has room for all of them."""
    files = tuple(file for group in groups for file in group.files)
    return Exhibit(text="".join(group.text for group in groups), files=files)


class _Piece(NamedTuple):
    shown: ShownFile
    text: str


def _readable(files: Iterable[FileText]) -> Iterator[FileText]:
    return (file for file in files if not file.why_not)


def token_of(nonce: str, number: int) -> str:
    """What the reader of a file has to repeat: it cannot be known without having been shown."""
    from hashlib import sha256

    return sha256(f"{nonce}\0{number}".encode()).hexdigest()[:8]


def _piece(file: FileText, nonce: str, number: int, room: int) -> _Piece:
    token = token_of(nonce, number)
    shown = [harmless(line, nonce) for line in file.lines]
    kept = _fitting(shown, room)
    hidden = len(shown) - kept
    lines = [
        f"=== file {harmless(file.path, nonce)} | {harmless(file.about, nonce)} | token {token}",
        *shown[:kept],
    ]
    lines += [CUT_LINE.format(hidden)] if hidden else []
    # Of such a line the end is missing, which is as good a place to hide something as a line that is left out.
    cut = sum(len(line) > LONGEST_LINE for line in shown[:kept])
    told = ShownFile(path=file.path, token=token, shown_lines=kept - cut, hidden_lines=hidden + cut)
    return _Piece(told, "\n".join(lines) + "\n")


def harmless(text: str, nonce: str) -> str:
    """Text that can neither close its region nor show a reader something else than it holds."""
    line = visible(text.replace("\n", " ")).replace(nonce, "[removed]")
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]} [this line goes on for {len(line) - LONGEST_LINE} characters]"
    return line


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many of the first lines fit."""
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)


def _groups(pieces: Sequence[_Piece], room: int) -> Iterator[list[_Piece]]:
    group: list[_Piece] = []
    size = 0
    for piece in pieces:
        if group and size + len(piece.text) > room:
            yield group
            group, size = [], 0
        group.append(piece)
        size += len(piece.text)
    if group:
        yield group


def _exhibit(group: Sequence[_Piece], nonce: str) -> Exhibit:
    inside = "".join(piece.text for piece in group)
    return Exhibit(text=f"<<<change {nonce}\n{inside}change {nonce}>>>\n", files=tuple(piece.shown for piece in group))


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
