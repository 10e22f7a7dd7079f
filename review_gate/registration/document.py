"""A settings file as a tree that remembers where everything is; comments are allowed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

STRING = r'"(?:[^"\\]|\\.)*"'
COMMENT = re.compile(rf"({STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
TOKEN = re.compile(rf"{STRING}|[{{}}\[\]]|[^\s{{}}\[\],:\"]+")
NOT_BLANK = re.compile(r"[^ \t\r\n]|\Z")


class DocumentError(ValueError):
    """The text is no document that can be changed without a risk; the message says where."""


@dataclass
class Node:
    """A value and its place; a list or an object has parts: their keys, where they begin, and their values."""

    start: int
    end: int
    value: object
    parts: list[tuple[str | None, int, Node]] = field(default_factory=list)

    def members(self) -> dict[str, Node]:
        """The values of an object by their keys."""
        return {name: node for name, _, node in self.parts if name is not None}

    def member(self, key: str) -> Node | None:
        """The value of a key."""
        return self.members().get(key)


# One change of a text looks at it several times, and each next one at what came out.
@lru_cache(maxsize=2)
def parse_document(text: str) -> Node:
    """The one value of a text, or a DocumentError."""
    bare = without_comments(text)
    try:
        value = json.loads(bare, object_pairs_hook=_object, parse_constant=_refused)
        return _node(TOKEN.finditer(bare), value)
    except json.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise DocumentError("it is nested too deeply") from None
    except ValueError as error:
        # Also a number with more digits than Python reads.
        raise DocumentError(str(error)) from None


@lru_cache(maxsize=2)
def without_comments(text: str) -> str:
    """The text with blanks in the place of comments; one that never ends stays."""
    return COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)


def comment_in(text: str) -> str:
    """Where the first comment of a document is; nothing where it has none."""
    bare = without_comments(text)
    place = next((at for at, (old, new) in enumerate(zip(text, bare, strict=True)) if old != new), None)
    return "" if place is None else f"line {text.count(chr(10), 0, place) + 1}: a comment"


def after_blanks(text: str, position: int) -> int:
    """The next place with something else than blanks and comments."""
    found = NOT_BLANK.search(without_comments(text), position)
    return found.start() if found else position


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DocumentError(f"the key {json.dumps(twice)[:60]} occurs twice in one object")
    return found


def _refused(word: str) -> object:
    raise DocumentError(f"{word} is no value of JSON")


def _node(tokens: Iterator[re.Match[str]], value: object) -> Node:
    """The places of a value that JSON has read already: its tokens come in the same order."""
    first = next(tokens)
    node = Node(first.start(), first.end(), value)
    if isinstance(value, dict):
        node.parts = [(key, next(tokens).start(), _node(tokens, inner)) for key, inner in value.items()]
    elif isinstance(value, list):
        inner_nodes = [_node(tokens, inner) for inner in value]
        node.parts = [(None, inner.start, inner) for inner in inner_nodes]
    else:
        return node
    node.end = next(tokens).end()
    return node
