"""The words that an edit took out of a text and put in, in the order of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal, NamedTuple

from review_gate.safe_text import safe

Kind = Literal["same", "gone", "new"]
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
# Beyond so many words in one place, or lines between the first change and the last, they are told as a whole: nobody
# follows more, and comparing takes the square of it.
MOST_WORDS = 4_000
MOST_LINES = 4_000
COLORS = {"gone": "\033[31;9m{}\033[0m", "new": "\033[32;4m{}\033[0m"}
MARKS = {"gone": "[-{}-]", "new": "{{+{}+}}"}


class Piece(NamedTuple):
    """Some text that is in both, only in the old one, or only in the new one."""

    kind: Kind
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """What became of a text: by lines first, then by words where lines differ."""
    pieces: list[Piece] = []
    for piece in _around_changes(old.splitlines(keepends=True), new.splitlines(keepends=True)):
        if pieces and pieces[-1].kind == piece.kind:
            pieces[-1] = Piece(piece.kind, pieces[-1].text + piece.text)
        elif piece.text:
            pieces.append(piece)
    return tuple(pieces)


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


def _around_changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    """The lines with which both begin and end, and between them what has to be compared."""
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    yield Piece("same", "".join(old[:begin]))
    yield from _by_lines(old[begin : len(old) - end], new[begin : len(new) - end])
    yield Piece("same", "".join(old[len(old) - end :]))


def _alike(old: Sequence[str], new: Sequence[str]) -> int:
    """With how many equal lines both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _by_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if len(old) + len(new) > MOST_LINES:
        yield from (Piece("gone", "".join(old)), Piece("new", "".join(new)))
        return
    # In a long text it begins with what is rare: of two lines by turns it would compare each with each, time and again.
    for what, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        before, after = "".join(old[a:b]), "".join(new[c:d])
        if what == "equal":
            yield Piece("same", before)
        else:
            yield from _by_words(_TOKEN.findall(before), _TOKEN.findall(after))


def _by_words(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if len(old) + len(new) > MOST_WORDS:
        yield from (Piece("gone", "".join(old)), Piece("new", "".join(new)))
        return
    for what, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if what == "equal":
            yield Piece("same", "".join(old[a:b]))
        else:
            yield from (Piece("gone", "".join(old[a:b])), Piece("new", "".join(new[c:d])))
