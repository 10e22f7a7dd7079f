"""A new order for a prompt: its own sentences under headings, none lost, none changed, none added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from review_gate.prompts.editor.layout import HEADING, ITEM, lines_of, newline_of

# Where a sentence may end; an outline may not cut one.
_ENDS = ".!?:;"
# What no readable text holds: it stands between blocks, and where a piece has been found.
_TAKEN = "\0"


def restructured(text: str, outline: str) -> str | None:
    """The prompt in the order of an outline; None where the outline is not made of the prompt's own sentences."""
    old, new = list(_blocks(text)), list(_blocks(outline))
    heads = {block for block in old if HEADING.fullmatch(block)}
    pieces = [block for block in new if not HEADING.fullmatch(block)]
    if _TAKEN in text or not pieces or not heads <= {*new}:
        return None
    # Of code the white space counts too.
    if any(code not in outline for code in _code(text)):
        return None
    if not _tiles(_TAKEN.join(block for block in old if block not in heads), pieces):
        return None
    newline = newline_of(text)
    return newline.join(outline.split("\n")) + (newline if text.endswith("\n") else "")


def _blocks(text: str) -> Iterator[str]:
    """Headings, items and paragraphs, each as one line."""
    block: list[str] = []
    for line in [*text.replace("\r\n", "\n").split("\n"), ""]:
        item = ITEM.match(line)
        is_heading = HEADING.fullmatch(line) is not None
        if block and (not line.strip() or item or is_heading):
            yield " ".join(" ".join(block).split())
            block = []
        if is_heading:
            yield line.strip()
        elif line.strip():
            block.append(line[item.end() :] if item else line)


def _code(text: str) -> Iterator[str]:
    """Each run of lines in a fence, as it stands."""
    for is_fenced, lines in groupby(lines_of(text), key=lambda line: line.is_fenced):
        if is_fenced:
            yield "\n".join(line.text for line in lines)


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
