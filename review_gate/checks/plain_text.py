"""The lines, blocks and pieces of code of a text without markup, such as a commit message."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n|\r|\n")
# Marks of lists: - * + ** .. 1. (1) a) (a) [ ] [x].
LIST_MARK = re.compile(r"[ \t]*(?:[-+•]|\*{1,6}|\.{1,6}|\(?\d{1,9}[.)]|\(?[A-Za-z]\)|\[[ xX*]?\])[ \t]+")
# Titles of AsciiDoc, which stand alone on their line.
_TITLE = re.compile(r"={1,6}[ \t]|\.[A-Z][a-z]")
_LINE_MARKS = " \t>"
_STOPS = ".?!:;"
_CODE_SPAN = re.compile(r"(`{1,2})(?=[^`\s])[^`\r\n]{1,200}\1")


def line_starts(text: str) -> list[int]:
    """Where each line begins; LF, CRLF and CR end one."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def blocks_of_plain_text(text: str) -> list[tuple[int, int]]:
    """Runs of lines that belong together: blank lines, rulers, titles and list items part them."""
    starts = line_starts(text)
    blocks: list[tuple[int, int]] = []
    is_open = False
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = text[start:end]
        if not any(map(str.isalnum, line)):
            is_open = False
        elif is_open and not (LIST_MARK.match(line) or _TITLE.match(line)):
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
            is_open = not _TITLE.match(line)
    return blocks


def goes_on(line: str, following: str) -> bool:
    """Whether a sentence visibly goes on in the following line: lines without markup may as well be entries."""
    words, more = line.strip(_LINE_MARKS), following.strip(_LINE_MARKS)
    if not more[:1].islower() or words.endswith(tuple(_STOPS)) or LIST_MARK.match(more) or _TITLE.match(words):
        return False
    return " " in words and (" " in more or more.endswith(tuple(_STOPS)))


def code_in_plain_text(text: str) -> list[tuple[int, int]]:
    """What people put between backticks in commit messages and reStructuredText."""
    return [match.span() for match in _CODE_SPAN.finditer(text)] if "`" in text else []
