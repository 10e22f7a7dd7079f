"""The sentences of one block of prose, and the blocks of a plain text."""

from __future__ import annotations

import re
from itertools import pairwise

# The splitter is quadratic in some quotes; in a block longer than any paragraph the lines are the sentences.
MAX_BLOCK = 20_000
# The splitter takes minutes for a megabyte of these, and nothing for their ASCII cousins.
_DOUBLE_QUOTES = (
    "\u00ab\u00bb\u2039\u203a\u201c\u201d\u201e\u201f\u3008\u3009\u300a\u300b\u300c\u300d\u300e\u300f\u301d\u301e"
)
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u02bc"
_ASCII_QUOTES = str.maketrans(_DOUBLE_QUOTES + _SINGLE_QUOTES, '"' * len(_DOUBLE_QUOTES) + "'" * len(_SINGLE_QUOTES))
_LINE_END = re.compile(r"\r\n|\r|\n")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]")
_CODE_SPAN = re.compile(r"(`{1,2})(?=[^`\s])[^`\r\n]{1,200}\1")
# The full stops of Chinese and Japanese.
_ENDS_WITHOUT_BLANK = "\u3002\uff01\uff1f\uff61"


def sentences_in(block: str) -> list[tuple[int, int]]:
    """The spans of the sentences of a block, from its beginning to its end without gaps."""
    cuts = [0, *(cut for cut in _boundaries(block) if _is_boundary(block, cut)), len(block)]
    return [(start, end) for start, end in pairwise(cuts) if start < end]


def _boundaries(block: str) -> list[int]:
    from sentencex import get_sentence_boundaries  # type: ignore[import-untyped]  # it has none

    one_line = _LINE_END.sub(lambda end: " " * len(end[0]), block).translate(_ASCII_QUOTES)
    return [found["end_index"] for found in get_sentence_boundaries("en", one_line)]


def _is_boundary(block: str, cut: int) -> bool:
    """The splitter also cuts System.Out in two: a sentence ends where a blank or a wide full stop is."""
    return 0 < cut < len(block) and (block[cut - 1].isspace() or block[cut - 1] in _ENDS_WITHOUT_BLANK)


def line_starts(text: str) -> list[int]:
    """Where each line begins; LF, CRLF and CR end one."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def blocks_of_plain_text(text: str) -> list[tuple[int, int]]:
    """Runs of lines that belong together: blank lines, rulers and list items part them."""
    starts = line_starts(text)
    blocks: list[tuple[int, int]] = []
    is_open = False
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = text[start:end]
        if not any(map(str.isalnum, line)):
            is_open = False
        elif is_open and not _LIST_ITEM.match(line):
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
            is_open = True
    return blocks


def code_in_plain_text(text: str) -> list[tuple[int, int]]:
    """What people put between backticks in commit messages and reStructuredText."""
    return [match.span() for match in _CODE_SPAN.finditer(text)] if "`" in text else []
