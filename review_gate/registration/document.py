"""A settings file as a tree that remembers where everything stands; comments are allowed."""

from __future__ import annotations

import json
import re
from functools import lru_cache

# Runs of blanks and comments; one that never ends is none.
TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
WORD = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
STRINGS = json.JSONDecoder()
CLOSERS = {"{": "}", "[": "]"}


class DocumentError(ValueError):
    """The text is no document that can be changed without a risk; the message says where."""


class Part:
    """A member of an object or an item of a list, from the first letter of its key on."""

    __slots__ = ("key", "node", "start")

    def __init__(self, key: str | None, start: int, node: Node) -> None:
        self.key = key
        self.start = start
        self.node = node


class Node:
    """A value and its place; a list or an object has parts."""

    __slots__ = ("end", "opener", "parts", "start", "word")

    def __init__(self, start: int, end: int, *, opener: str = "", word: object = None) -> None:
        self.start = start
        self.end = end
        self.opener = opener
        self.word = word
        self.parts: list[Part] = []

    @property
    def is_object(self) -> bool:
        """Whether it has members."""
        return self.opener == "{"

    @property
    def is_list(self) -> bool:
        """Whether it has items."""
        return self.opener == "["

    def member(self, key: str) -> Node | None:
        """The value of a key."""
        return next((part.node for part in self.parts if part.key == key), None) if self.is_object else None

    def plain(self) -> object:
        """The value itself."""
        if self.is_object:
            return {part.key: part.node.plain() for part in self.parts}
        return [part.node.plain() for part in self.parts] if self.is_list else self.word


# One change of a text looks at it several times, and each next one at what came out.
@lru_cache(maxsize=2)
def parse_document(text: str) -> Node:
    """The one value of a text, or a DocumentError."""
    try:
        root = _value(text, after_trivia(text, 0))
    except RecursionError:
        raise DocumentError("it is nested too deeply") from None
    end = after_trivia(text, root.end)
    if end != len(text):
        raise _error(text, end, "something follows the end")
    return root


def comment_in(text: str) -> str:
    """Where the first comment of a document is; nothing where it has none."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: a comment"
    return ""


def after_trivia(text: str, position: int) -> int:
    """The next place with something else than blanks and comments."""
    found = TRIVIA.match(text, position)
    return found.end() if found else position


def _value(text: str, position: int) -> Node:
    if text[position : position + 1] in CLOSERS and position < len(text):
        return _container(text, position)
    if text[position : position + 1] == '"':
        word, end = _string(text, position)
        return Node(position, end, word=word)
    found = WORD.match(text, position)
    if found is None:
        raise _error(text, position, "a value is missing" if position < len(text) else "it breaks off")
    return Node(position, found.end(), word=_plain_word(found[0]))


def _plain_word(word: str) -> object:
    try:
        return json.loads(word)
    except ValueError:
        # More digits than Python turns into a number.
        return word


def _container(text: str, start: int) -> Node:
    node = Node(start, start, opener=text[start])
    closer = CLOSERS[node.opener]
    keys: set[str] = set()
    position = after_trivia(text, start + 1)
    while text[position : position + 1] != closer:
        part = _part(text, position, node)
        if part.key is not None and part.key in keys:
            raise _error(text, position, f"the key {json.dumps(part.key)[:60]} stands twice in one object")
        keys.add(part.key or "")
        node.parts.append(part)
        position = after_trivia(text, part.node.end)
        if text[position : position + 1] == ",":
            comma, position = position, after_trivia(text, position + 1)
            if text[position : position + 1] == closer:
                raise _error(text, comma, f"a comma before {closer}")
        elif text[position : position + 1] != closer:
            raise _error(text, position, f"a comma or {closer} is missing" if position < len(text) else "it breaks off")
    node.end = position + 1
    return node


def _part(text: str, position: int, node: Node) -> Part:
    if node.is_list:
        return Part(None, position, _value(text, position))
    if text[position : position + 1] != '"':
        raise _error(text, position, "a key is missing" if position < len(text) else "it breaks off")
    key, end = _string(text, position)
    colon = after_trivia(text, end)
    if text[colon : colon + 1] != ":":
        raise _error(text, colon, "a colon is missing")
    return Part(key, position, _value(text, after_trivia(text, colon + 1)))


def _string(text: str, position: int) -> tuple[str, int]:
    try:
        word, end = STRINGS.raw_decode(text, position)
    except ValueError:
        raise _error(text, position, "a string is broken") from None
    return str(word), end


def _error(text: str, position: int, what: str) -> DocumentError:
    return DocumentError(f"line {text.count(chr(10), 0, position) + 1}: {what}")
