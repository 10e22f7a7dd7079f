"""Which stretches of source code are comments and which are strings: by a grammar, else by marks of comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from review_gate.checks.comments import (
    CODE_TOKEN,
    COMMENT_TOKEN,
    DOCSTRING_TOKEN,
    DOUBTFUL_TOKEN,
    STRING_TOKEN,
    marked_spans,
)
from review_gate.checks.grammars import grammars_of, language_of_grammar, parsed
from review_gate.checks.languages import LANGUAGES, is_prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node, Tree

    # Start, end and kind; what lies inside another comes behind it.
    Part = tuple[int, int, int]

# The languages whose comments can be told from their code.
LEXED = tuple(name for name in LANGUAGES if not is_prose(name))
_NOT_ASCII = re.compile("[^\0-\x7f]")
# What the grammars call comments, strings, and code inside of strings.
_COMMENTS = ("comment", "line_comment", "block_comment", "html_comment")
_STRINGS = (
    *("string", "bare_string", "string_literal", "interpreted_string_literal", "raw_string_literal", "raw_string"),
    *("char_literal", "character_literal", "rune_literal", "template_string", "regex", "heredoc_body", "heredoc"),
    *("nowdoc", "encapsed_string", "ansi_c_string", "translated_string", "quoted_attribute_value", "subshell"),
)
_CODE_INSIDE = ("interpolation", "template_substitution", "string_interpolation", "command_substitution")
_KINDS = {
    **dict.fromkeys(_COMMENTS, COMMENT_TOKEN),
    **dict.fromkeys(_STRINGS, STRING_TOKEN),
    **dict.fromkeys(_CODE_INSIDE, CODE_TOKEN),
}
# To Ruby a subshell is a command in backticks.
_NO_STRINGS = (("bash", "subshell"), ("bash", "regex"))
# Nodes around text in another language, and what that text is called.
_RAW = ("raw_text", "text")
_OTHER = {
    ("html", "script_element"): "javascript",
    ("html", "style_element"): "css",
    ("php", "text"): "html",
}


class SourceParts:
    """Runs of code, strings and comments, in order; before the first one all is code."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self._starts: list[int] = []
        self._kinds: list[int] = []
        around: list[tuple[int, int]] = []
        for start, end, kind in parts:
            self._leave(around, start)
            self._add(start, kind)
            around.append((end, kind))
        self._leave(around, None)

    def _leave(self, around: list[tuple[int, int]], place: int | None) -> None:
        """End the stretches that end up to a place: what is around them goes on."""
        while around and (place is None or around[-1][0] <= place):
            end, _ = around.pop()
            self._add(end, around[-1][1] if around else CODE_TOKEN)

    def _add(self, start: int, kind: int) -> None:
        if self._starts and self._starts[-1] == start:
            self._kinds[-1] = kind
        else:
            self._starts.append(start)
            self._kinds.append(kind)

    def kind_at(self, index: int) -> int:
        """The kind of the run that holds a character."""
        at = bisect_right(self._starts, index) - 1
        return self._kinds[at] if at >= 0 else CODE_TOKEN

    def masked(self, text: str, start: int, end: int, match: tuple[int, int]) -> str:
        """A stretch of the text with a match and only those words readable that may speak of it.

        For a match in a comment or a string these are the words of that comment or string, for one in code those of a
        comment behind it: what a string or another comment says is said of something else.
        """
        pieces = []
        own = bisect_right(self._starts, match[0]) - 1
        is_code = self.kind_at(match[0]) == CODE_TOKEN
        at, first = bisect_right(self._starts, start) - 1, start
        while start < end:
            until = min(end, self._starts[at + 1] if at + 1 < len(self._starts) else end)
            may_speak = start >= match[1] and self.kind_at(start) == COMMENT_TOKEN if is_code else at == own
            pieces.append(text[start:until] if may_speak else unreadable(text[start:until]))
            start, at = until, at + 1
        masked = "".join(pieces)
        return masked[: match[0] - first] + text[slice(*match)] + masked[match[1] - first :]


def parts_of(text: str, language: str) -> SourceParts:
    """The runs of a text in one of the languages of LEXED."""
    # One byte for each character, so that the offsets of the grammar are ours; what is not ASCII is a letter to it.
    data = _NOT_ASCII.sub("x", text).replace("\r\n", " \n").replace("\r", "\n").encode()
    return SourceParts(_parts(data, language))


def _parts(data: bytes, language: str) -> Iterator[Part]:
    tree, grammar = _tree(data, language)
    marked = marked_spans(data.decode(), language)
    if tree is None:
        return marked
    return _parsed_parts(tree, grammar, data, SourceParts(marked) if tree.root_node.has_error else None)


def _tree(data: bytes, language: str) -> tuple[Tree | None, str]:
    """The tree of the first grammar that finds no error, else that of the first."""
    trees = ((parsed(data, grammar), grammar) for grammar in grammars_of(language))
    found: tuple[Tree | None, str] = None, ""
    for tree, grammar in trees:
        if tree is not None and not tree.root_node.has_error:
            return tree, grammar
        found = (tree, grammar) if found[0] is None else found
    return found


class _Kinds(NamedTuple):
    """What the nodes of a grammar are to us, by their numbers, and which of them hold text in another language."""

    of_part: dict[int, int]
    of_other: dict[int, str]
    raw: tuple[int, ...]
    python_statement: int | None


@lru_cache(maxsize=20)
def _kinds_of(grammar: str) -> _Kinds:
    language = language_of_grammar(grammar)
    names = {number: language.node_kind_for_id(number) or "" for number in range(language.node_kind_count)}
    of_part = {
        number: _KINDS[name]
        for number, name in names.items()
        if name in _KINDS and language.node_kind_is_named(number) and (grammar, name) not in _NO_STRINGS
    }
    of_other = {number: _OTHER[grammar, name] for number, name in names.items() if (grammar, name) in _OTHER}
    statement = language.id_for_node_kind("expression_statement", True) if grammar == "python" else None
    raw = tuple(number for number, name in names.items() if of_other and name in _RAW)
    return _Kinds(of_part, of_other, raw, statement)


def _parsed_parts(tree: Tree, grammar: str, data: bytes, marked: SourceParts | None) -> Iterator[Part]:
    """The comments and strings of a tree.

    A comment is in doubt where the grammar found an error; `marked` is what the marks alone say of a text with errors.
    """
    kinds = _kinds_of(grammar)
    cursor = tree.walk()
    error_end, other = 0, ""
    is_done = False
    while not is_done:
        node = cast("Node", cursor.node)
        number, start, end = node.kind_id, node.start_byte, node.end_byte
        kind = kinds.of_part.get(number)
        other = kinds.of_other.get(number, other)
        if node.is_error:
            error_end = max(error_end, end)
        if number == kinds.python_statement and _is_string(node):
            kind = DOCSTRING_TOKEN
        elif number in kinds.raw and other:
            yield from ((start + first, start + last, part) for first, last, part in _parts(data[start:end], other))
        elif kind == COMMENT_TOKEN and marked and (start < error_end or marked.kind_at(start) == STRING_TOKEN):
            kind = DOUBTFUL_TOKEN
        if kind is not None:
            yield start, end, kind
        goes_deeper = kind in (None, STRING_TOKEN, CODE_TOKEN) and cursor.goto_first_child()
        while not goes_deeper and not is_done and not cursor.goto_next_sibling():
            is_done = not cursor.goto_parent()


def _is_string(statement: Node) -> bool:
    """Whether a statement of Python is nothing but a string without values in it."""
    first = statement.child(0)
    if statement.child_count != 1 or first is None or first.type not in ("string", "concatenated_string"):
        return False
    return all(child.type != "interpolation" for part in (first, *first.children) for child in part.children)


def unreadable(text: str) -> str:
    """A text as long as another, with its marks and blanks and none of its words."""
    return "".join("X" if character.isalnum() else character for character in text)
