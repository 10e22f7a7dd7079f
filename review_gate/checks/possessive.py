"""Repeats that are never tried shorter: what follows cannot begin with what was repeated, so going back is in vain."""

from __future__ import annotations

import re
import re._constants as code  # type: ignore[import-not-found]  # typeshed leaves the parts of `re` out
import re._parser as parser  # type: ignore[import-not-found]  # as above
import sys
from collections.abc import Callable
from typing import Any

EVERY_BYTE = (1 << 256) - 1
_WORD = sum(1 << byte for byte in range(128) if chr(byte).isalnum() or byte == ord("_"))
_SPACE = sum(1 << byte for byte in b" \t\n\r\f\v")
_DIGIT = sum(1 << byte for byte in b"0123456789")
_CATEGORIES = {
    code.CATEGORY_WORD: _WORD,
    code.CATEGORY_NOT_WORD: EVERY_BYTE ^ _WORD,
    code.CATEGORY_SPACE: _SPACE,
    code.CATEGORY_NOT_SPACE: EVERY_BYTE ^ _SPACE,
    code.CATEGORY_DIGIT: _DIGIT,
    code.CATEGORY_NOT_DIGIT: EVERY_BYTE ^ _DIGIT,
}
# Every character is of one of three kinds: part of a word, blank, or neither.
_IN_WORDS, _BLANK, _NEITHER = 1, 2, 4
_KINDS = {
    code.CATEGORY_WORD: _IN_WORDS,
    code.CATEGORY_DIGIT: _IN_WORDS,
    code.CATEGORY_SPACE: _BLANK,
    code.CATEGORY_NOT_WORD: _BLANK | _NEITHER,
    code.CATEGORY_NOT_SPACE: _IN_WORDS | _NEITHER,
}
# What one item can be, as bits; none where that is not known.
Bits = Callable[[Any, Any], int]


def tree_for_text(pattern: str) -> Any:
    """A parsed pattern with the same matches in less time."""
    tree = parser.parse(pattern, re.MULTILINE)
    if not tree.state.flags & (re.IGNORECASE | re.DOTALL | re.ASCII):
        _hasten(tree, 0, _kinds_of)
    return tree


def tree_for_bytes(pattern: str) -> Any:
    """A parsed pattern for plain ASCII bytes, with the same matches in less time; re.error where it is none for bytes.

    A pattern that names other characters is a UnicodeEncodeError.
    """
    tree = parser.parse(pattern.encode("ascii"), re.MULTILINE)
    if not tree.state.flags & (re.IGNORECASE | re.DOTALL):
        _hasten(tree, 0, _bytes_of)
    return tree


def walk_of(tree: Any) -> Any:
    """For a pattern that begins with a whole word, one that walks over words and stops where the pattern matches.

    It is tried once for each word instead of once for each character. None for other patterns, and in versions of
    Python that lose their place where a look ahead fails within such a repeat (gh-100061, mended in 3.11.5).
    """
    if (
        sys.version_info < (3, 11, 5)
        or len(tree) < 3
        or tree[0] != (code.AT, code.AT_BOUNDARY)
        or not _is_word(tree[1])
    ):
        return None
    rest = parser.SubPattern(tree.state, tree.data[2:])
    between = parser.SubPattern(tree.state, [(code.IN, [(code.CATEGORY, code.CATEGORY_NOT_WORD)])])
    skip = (code.POSSESSIVE_REPEAT, (0, code.MAXREPEAT, between))
    step = parser.SubPattern(tree.state, [tree[1], (code.ASSERT_NOT, (1, rest)), skip])
    # It begins at words only: where the pattern matches, it must not be tried at every further letter of a long word.
    return parser.SubPattern(tree.state, [tree[0], (code.POSSESSIVE_REPEAT, (1, code.MAXREPEAT, step))])


def _is_word(item: tuple[Any, Any]) -> bool:
    """Whether an item takes a word to its end, in a group or not."""
    operation, argument = item
    if operation is code.SUBPATTERN and len(argument[3]) == 1 and not argument[1] and not argument[2]:
        return _is_word(argument[3][0])
    if operation is not code.POSSESSIVE_REPEAT or argument[:2] != (1, code.MAXREPEAT):
        return False
    return list(argument[2]) == [(code.IN, [(code.CATEGORY, code.CATEGORY_WORD)])]


def _hasten(items: Any, follows: int, bits_of: Bits) -> None:
    """Make repeats in a sequence possessive where that changes nothing; `follows` is what can come after it.

    No bit means that this is not known.
    """
    for index, (operation, argument) in enumerate(items):
        after = _first(items[index + 1 :], bits_of) if index + 1 < len(items) else follows
        if operation is code.SUBPATTERN and not argument[1] and not argument[2]:
            _hasten(argument[3], after, bits_of)
        elif operation is code.MAX_REPEAT and len(argument[2]) == 1 and after:
            repeated = bits_of(*argument[2][0])
            if repeated and not repeated & after:
                items[index] = (code.POSSESSIVE_REPEAT, argument)


def _first(items: Any, bits_of: Bits) -> int:
    """What a sequence must begin with, nothing where that is not known."""
    operation, argument = items[0]
    if operation is code.SUBPATTERN and len(argument[3]) and not argument[1] and not argument[2]:
        return _first(argument[3], bits_of)
    if operation in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        return _first(argument[2], bits_of) if argument[0] > 0 and len(argument[2]) else 0
    return bits_of(operation, argument)


def _kinds_of(operation: Any, argument: Any) -> int:
    """The kinds of characters that one item can be, none where that is not known."""
    found = 0
    for kind, value in argument if operation is code.IN else [(operation, argument)]:
        if kind is code.LITERAL:
            letter = chr(value)
            found |= _IN_WORDS if letter.isalnum() or letter == "_" else _BLANK if letter.isspace() else _NEITHER
        elif kind is code.CATEGORY and value in _KINDS:
            found |= _KINDS[value]
        else:
            return 0
    return found


def _bytes_of(operation: Any, argument: Any) -> int:
    """The bytes that one item can be, none where that is not known."""
    if operation is code.LITERAL:
        return 1 << argument if argument < 256 else 0
    if operation is not code.IN:
        return 0
    found = 0
    for kind, value in argument:
        if kind is code.LITERAL:
            found |= 1 << value
        elif kind is code.RANGE:
            found |= sum(1 << byte for byte in range(value[0], value[1] + 1))
        elif kind is code.CATEGORY and value in _CATEGORIES:
            found |= _CATEGORIES[value]
        elif kind is not code.NEGATE:
            return 0
    return EVERY_BYTE ^ found if argument[0][0] is code.NEGATE else found
