"""The lines, blocks and pieces of code of a text without markup, such as a commit message."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n|\r|\n")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\(?\d{1,9}[.)])[ \t]")
_CODE_SPAN = re.compile(r"(`{1,2})(?=[^`\s])[^`\r\n]{1,200}\1")


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
