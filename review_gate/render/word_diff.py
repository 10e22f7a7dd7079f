"""The words that an edit took out of a text and put in, in the order of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal, NamedTuple

from review_gate.safe_text import safe

Kind = Literal["same", "gone", "new"]
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
# More words or lines than this are told as a whole: nobody follows more, and comparing takes the square of it.
MOST = 4_000
COLORS = {"gone": "\033[31;9m{}\033[0m", "new": "\033[32;4m{}\033[0m"}
MARKS = {"gone": "[-{}-]", "new": "{{+{}+}}"}


class Piece(NamedTuple):
    """Some text that is in both, only in the old one, or only in the new one."""

    kind: Kind
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """What became of a text: by lines first, then by words where lines differ."""
    pieces: list[Piece] = []
    for before, after in _hunks(old.splitlines(keepends=True), new.splitlines(keepends=True)):
        for gone, put in (
            _hunks(_TOKEN.findall(before), _TOKEN.findall(after)) if before != after else [(before, after)]
        ):
            pieces += [Piece("same", gone)] if gone == put else [Piece("gone", gone), Piece("new", put)]
    grouped = groupby((piece for piece in pieces if piece.text), key=lambda piece: piece.kind)
    return tuple(Piece(kind, "".join(piece.text for piece in those)) for kind, those in grouped)


def shown_diff(old: str, new: str, *, is_colored: bool) -> str:
    """The same to look at: in colour, or between marks."""
    forms = COLORS if is_colored else MARKS
    return "".join(_shown(piece, forms) for piece in word_diff(old, new))


def _shown(piece: Piece, forms: dict[str, str]) -> str:
    text = safe(piece.text.replace("\r\n", "\n"))
    if piece.kind == "same":
        return text
    # Line by line: a colour that runs over an end of line colours the rest of a terminal's line too.
    return "\n".join(forms[piece.kind].format(line) if line else line for line in text.split("\n"))


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The parts of both, one after the other, equal ones and others by turns."""
    if len(old) + len(new) > MOST:
        yield "".join(old), "".join(new)
        return
    for _, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        yield "".join(old[a:b]), "".join(new[c:d])
