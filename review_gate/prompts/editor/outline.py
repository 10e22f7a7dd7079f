"""A new order for a prompt: its own sentences under headings, none lost, none changed, none added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from review_gate.prompts.editor.layout import HEADING, ITEM, lines_of, newline_of
from review_gate.prompts.editor.words import Words

# Where a sentence may end; an outline may not cut one.
_ENDS = ".!?:;"
# What no readable text holds: it stands between blocks, and where a piece has been found.
_TAKEN = "\0"


class Heading(NamedTuple):
    """One more heading, and words in the line above which it is put."""

    line: str
    place: str


def restructured(text: str, outline: str) -> str | None:
    """The prompt in the order of an outline; None where the outline is not made of the prompt's own sentences."""
    old, new = list(_blocks(text)), list(_blocks(outline))
    heads, pieces = _headings(old), [block for block in new if not _is_heading(block)]
    if _TAKEN in text or not pieces or not heads <= _headings(new):
        return None
    # Of code the white space counts too.
    if any(code not in outline for code in _code(text)):
        return None
    if not _tiles(_TAKEN.join(block for block in old if not _is_heading(block)), pieces):
        return None
    newline = newline_of(text)
    return newline.join(outline.split("\n")) + (newline if text.endswith("\n") else "")


def with_headings(text: str, wanted: Sequence[Heading]) -> tuple[str, frozenset[Heading]]:
    """The prompt with more headings, and those of them that have found their place."""
    newline = newline_of(text)
    # What is there already is seen first: it is asked at each step.
    there, words = set(text.split(newline)), Words(text)
    above: dict[int, list[Heading]] = {}
    for one in wanted:
        if one.line in there or HEADING.fullmatch(one.line) is None:
            continue
        if spans := words.spans(one.place):
            there.add(one.line)
            above.setdefault(text.rfind("\n", 0, spans[0].start) + 1, []).append(one)
    return _with_lines(text, above, newline), frozenset(one for those in above.values() for one in those)


def _with_lines(text: str, above: Mapping[int, Sequence[Heading]], newline: str) -> str:
    """A text with headings above some of its lines, put in at once: to copy it for each takes quadratic time."""
    pieces, end = list[str](), 0
    for start in sorted(above):
        is_apart = start == 0 or text.endswith(newline * 2, 0, start)
        pieces += [text[end:start], "" if is_apart else newline, *(f"{one.line}{newline * 2}" for one in above[start])]
        end = start
    return "".join([*pieces, text[end:]])


def _blocks(text: str) -> Iterator[str]:
    """Headings, items and paragraphs, each as one line."""
    block: list[str] = []
    for line in [*text.replace("\r\n", "\n").split("\n"), ""]:
        words = _without_bullet(line)
        if block and (not line.strip() or words != line.strip() or _is_heading(line)):
            yield " ".join(" ".join(block).split())
            block = []
        if _is_heading(line):
            yield line.strip()
        elif line.strip():
            block.append(words)


def _code(text: str) -> Iterator[str]:
    """Each run of lines in a fence, as it stands."""
    for is_fenced, lines in groupby(lines_of(text), key=lambda line: line.is_fenced):
        if is_fenced:
            yield "\n".join(line.text for line in lines)


def _without_bullet(line: str) -> str:
    found = ITEM.match(line)
    return line[found.end() :].strip() if found else line.strip()


def _is_heading(line: str) -> bool:
    return HEADING.fullmatch(line) is not None


def _headings(blocks: list[str]) -> set[str]:
    return {block for block in blocks if _is_heading(block)}


def _tiles(plain: str, pieces: list[str]) -> bool:
    """Whether a text is made of exactly these pieces, in whatever order, each of whole sentences."""
    for piece in sorted(pieces, key=len, reverse=True):
        start = _place(plain, piece)
        if start < 0:
            return False
        plain = f"{plain[:start]}{_TAKEN * len(piece)}{plain[start + len(piece) :]}"
    return not plain.replace(_TAKEN, "").strip()


def _place(plain: str, piece: str) -> int:
    """Where a piece stands as whole sentences, or -1."""
    for found in re.finditer(re.escape(piece), plain):
        before, after = plain[: found.start()].rstrip(" "), plain[found.end() :].lstrip(" ")
        may_begin = not before or before[-1] in _ENDS + _TAKEN
        may_end = not after or piece[-1] in _ENDS or after[0] == _TAKEN
        if may_begin and may_end:
            return found.start()
    return -1
