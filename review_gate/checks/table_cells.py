"""The events of one table cell or heading -> what it says, as written and as shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

Span = tuple[int, int]
TEXT, CODE, TAG = "Text", "Code", "InlineHtml"
# The marks that can stand around a whole cell, and how each is written on a side.
_EDGES = {"Emphasis": re.compile(rb"."), "Strong": re.compile(rb".."), "Strikethrough": re.compile(rb"~~?")}
MARKS = (*_EDGES, "Link", "Image")
_TAG_NAME = re.compile(r"<(/?)([A-Za-z]+)")
_CODE_TAGS = ("code", "kbd", "samp", "tt")
_EMPHASIS_TAGS = ("b", "strong", "i", "em", "s", "del")
_BETWEEN_CODE = re.compile(r"(?:[\s,;/]|\bor\b|\band\b|<br\s*/?>)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """The text as its author wrote it, but for escapes and entities; `bare` is without what stands around code or all.

    `plain` has no markup at all; `codes` are the pieces of code when there is nothing else but commas between them, and
    `is_mixed` says that there are words beside code. `has_marks` says that `bare` has marks of emphasis or links in it,
    `is_underscored` that the emphasis it has lost may have been part of a name such as `__init__`.
    """

    text: str = ""
    bare: str = ""
    plain: str = ""
    codes: tuple[str, ...] = ()
    is_mixed: bool = False
    has_marks: bool = False
    is_underscored: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is shown of some bytes, without markup, escapes and entities; `source` is with the markup."""

    start: int
    end: int
    text: str
    source: str
    is_code: bool = False

    @property
    def bare(self) -> str:
        """Code as it is shown, all else as written."""
        return self.text if self.is_code else self.source


@dataclass(frozen=True, slots=True)
class _OpenTag:
    """A tag that is not closed yet: its place among the pieces, and how many marks there were before it."""

    name: str
    place: int
    marks: int


class CellReader:
    """Puts the text of a cell or heading together."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.clear()

    def clear(self) -> None:
        """Begin another cell or heading."""
        self.pieces: list[_Piece] = []
        # Where marks stand, and what is between them; nothing is taken out of a link.
        self.marks: dict[Span, Span | None] = {}
        self.open: list[_OpenTag] = []

    def take(self, kind: str, value: str, start: int, end: int) -> None:
        """Take a text, a piece of code or a tag."""
        if kind == TAG:
            self._take_tag(value, start, end)
        else:
            source = self._written(start, end) if kind == CODE else value
            self.pieces.append(_Piece(start, end, value, source, is_code=kind == CODE))

    def mark(self, name: str, start: int, end: int) -> None:
        """Note emphasis or a link."""
        edge = _EDGES[name].match(self.data, start) if name in _EDGES else None
        self.marks[start, end] = (edge.end(), end - len(edge[0])) if edge else None

    def _take_tag(self, value: str, start: int, end: int) -> None:
        place = len(self.pieces)
        self.pieces.append(_Piece(start, end, "", value))
        found = _TAG_NAME.match(value)
        name = found[2].lower() if found else ""
        if found is None or name not in (*_CODE_TAGS, *_EMPHASIS_TAGS):
            return
        if not found[1]:
            # Code has no tags of its own; joined at each of many levels, a text would be copied as often.
            if not self.open or self.open[-1].name not in _CODE_TAGS:
                self.open.append(_OpenTag(name, place, len(self.marks)))
        elif self.open and self.open[-1].name == name:
            self._close(self.open.pop(), start, end)

    def _close(self, tag: _OpenTag, start: int, end: int) -> None:
        """Make one piece of code of all between two tags, or note that they are emphasis."""
        first = self.pieces[tag.place]
        if tag.name in _EMPHASIS_TAGS:
            self.marks[first.start, end] = first.end, start
        elif len(self.marks) == tag.marks:
            within = self.pieces[tag.place :]
            text = "".join(piece.text for piece in within)
            source = self._joined([piece.source for piece in within], within, first.start, end)
            self.pieces[tag.place :] = [_Piece(first.start, end, text, source, is_code=True)]

    def plain(self) -> str:
        """All that is shown."""
        return " ".join("".join(piece.text for piece in self.pieces).split())

    def cell(self, start: int, end: int) -> Cell:
        """The cell between two places."""
        text = self._joined([piece.source for piece in self.pieces], self.pieces, start, end)
        first, last, taken, has_underscores = self._within_marks(start, end)
        pieces = [piece for piece in self.pieces if first <= piece.start and piece.end <= last]
        bare = self._joined([piece.bare for piece in pieces], pieces, first, last).strip("` \t")
        codes = tuple(piece.text for piece in pieces if piece.is_code)
        is_list = bool(codes) and _is_list(pieces)
        return Cell(
            text.strip(),
            bare,
            self.plain(),
            codes if is_list else (),
            is_mixed=bool(codes) and not is_list,
            has_marks=not is_list and len(self.marks) > taken,
            is_underscored=has_underscores and not codes and bare.isidentifier(),
        )

    def _within_marks(self, start: int, end: int) -> tuple[int, int, int, bool]:
        """What is left without emphasis around all of it, how many marks that were, and whether any has underscores."""
        taken, has_underscores = 0, False
        while True:
            while start < end and self.data[start] in b" \t":
                start += 1
            while start < end and self.data[end - 1] in b" \t":
                end -= 1
            inner = self.marks.get((start, end))
            if inner is None:
                return start, end, taken, has_underscores
            has_underscores |= self.data.startswith(b"_", start)
            taken += 1
            start, end = inner

    def _joined(self, texts: list[str], pieces: list[_Piece], start: int, end: int) -> str:
        """The texts of pieces, and what is written between them."""
        joined, at = [], start
        for text, piece in zip(texts, pieces, strict=True):
            # Outside of code a backslash that is part of no text is one that escapes what follows.
            gap = self._written(at, piece.start).removesuffix("" if piece.is_code else "\\")
            joined += [gap, text]
            at = piece.end
        return "".join([*joined, self._written(at, end)])

    def _written(self, start: int, end: int) -> str:
        return self.data[start:end].decode().replace("\\|", "|")


def _is_list(pieces: list[_Piece]) -> bool:
    """Whether there is nothing but commas and the like between pieces of code; emphasis does not matter."""
    runs = groupby(pieces, key=lambda piece: piece.is_code)
    between = ("".join(piece.source for piece in run) for is_code, run in runs if not is_code)
    return all(map(_BETWEEN_CODE.fullmatch, between))
