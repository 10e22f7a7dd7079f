"""Text from outside as GitHub-flavoured Markdown that can be nothing but text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from review_gate.render.report_words import cut
from review_gate.safe_text import safe_line

MOST_IN_CELL = 400
# What GitHub turns into a mention, a link, an emoji or a formula after Markdown was read, so that no escape of Markdown
# helps; it leaves code alone.
ACTED_ON = re.compile(
    r"[@$]|#\w|://|\bwww\.|\b(?:mailto|xmpp):|:[\w+-]+:|\bgh-\d|\b[0-9a-f]{7,64}\b", re.IGNORECASE | re.ASCII
)
_MEANING = re.compile(r"[\\`*_~\[\]]")
_OUT_OF_CODE = {"`": "&#96;", "|": "&#124;"}
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"})
_BLOCK_START = re.compile(r"^(\d*)([-+=#.):])")


def prose(text: str, most: int = MOST_IN_CELL) -> str:
    """A text on one line in which every character is shown as it is; words that GitHub would act on become code."""
    words = cut(safe_line(text), most).split()
    shown = " ".join(code(word) if ACTED_ON.search(word) else _escaped(word) for word in words)
    return _BLOCK_START.sub(r"\1\\\2", shown)


def _escaped(word: str) -> str:
    return _MEANING.sub(r"\\\g<0>", word.translate(_ENTITIES))


def code(text: str, most: int = MOST_IN_CELL) -> str:
    """A text as code; backticks and pipes stand outside of it.

    A pipe ends a cell even within code, and parsers disagree on how many backslashes keep it.
    """
    pieces = re.split("([`|])", cut(safe_line(text), most))
    return "".join(_OUT_OF_CODE.get(piece) or _span(piece) for piece in pieces if piece)


def _span(text: str) -> str:
    # Markdown takes one space away from both ends of code, if there is one at both.
    is_padded = text.startswith(" ") and text.endswith(" ") and text.strip()
    return f"` {text} `" if is_padded else f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; its cells are Markdown already."""
    return [row_line(head), "|" + " --- |" * len(head), *map(row_line, rows)]


def row_line(cells: Sequence[str]) -> str:
    """One row of a table."""
    return f"| {' | '.join(cells)} |"
