"""Docstrings of Python, told apart from long strings that only begin a line."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Where a token begins, the names of its type, and its text.
    Token = tuple[int, tuple[str, ...], str]

# The type of a token that is a comment for the lexer, of which nobody can be sure.
DOUBTFUL = ("Doubtful",)
_STRING = ("Literal", "String")
_DOC = (*_STRING, "Doc")
_ENDS_STATEMENT = re.compile(r"[ \t]*(?:[;#\n]|\Z)")


def told_apart(text: str, tokens: Iterator[Token]) -> Iterator[Token]:
    """The tokens of a Python text, in which what is perhaps no docstring is doubtful.

    To Pygments every long string that begins a line is a docstring, and no other. One that is a statement of its own
    begins a line outside all brackets, behind no backslash, and ends its statement; a docstring can be short, too, or
    stand behind the colon of its class.
    """
    depth = 0
    is_continued = is_lost = False
    is_begun = True
    for index, token, value in tokens:
        is_doc = token[:3] == _DOC
        if is_doc:
            is_lost = is_lost or _ends_escaped(value)
            is_whole = depth == 0 and not is_continued and _ENDS_STATEMENT.match(text, index + len(value)) is not None
            yield index, token if is_whole and not is_lost else DOUBTFUL, value
        else:
            is_in_doubt = (is_lost and token[0] == "Comment") or (is_begun and token[:2] == _STRING)
            yield index, DOUBTFUL if is_in_doubt else token, value
        depth = _depth_behind(depth, token, value)
        if token[:2] != _STRING:
            is_begun = depth == 0 and not is_continued and _begins_statement(value, is_begun=is_begun)
        if is_doc or not value.isspace():
            is_continued = token == ("Text",) and value.startswith("\\")


def _depth_behind(depth: int, token: tuple[str, ...], value: str) -> int:
    if token[0] != "Punctuation":
        return depth
    return max(0, depth + (value in "([{") - (value in ")]}"))


def _begins_statement(value: str, *, is_begun: bool) -> bool:
    """Whether a statement begins behind a token, as behind a line end, or has begun before a blank."""
    return value == ":" or (value.isspace() and (is_begun or "\n" in value))


def _ends_escaped(value: str) -> bool:
    """Whether a docstring goes on: to Pygments it is over, and the rest of it code with strings and comments."""
    body = value[:-3]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1
