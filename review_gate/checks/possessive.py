"""Repeats that are never tried shorter: what follows cannot begin with what was repeated, so going back is in vain."""

from __future__ import annotations

import re
import re._constants as code  # type: ignore[import-not-found]  # typeshed leaves the parts of `re` out
import re._parser as parser  # type: ignore[import-not-found]  # as above
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


def tree_for_bytes(pattern: str) -> Any:
    """A parsed pattern for plain ASCII bytes, with the same matches in less time; re.error where it is none for bytes.

    A pattern that names other characters is a UnicodeEncodeError.
    """
    tree = parser.parse(pattern.encode("ascii"), re.MULTILINE)
    if not tree.state.flags & (re.IGNORECASE | re.DOTALL):
        _hasten(tree, 0)
    return tree


def _hasten(items: Any, follows: int) -> None:
    """Make repeats in a sequence possessive where that changes nothing; `follows` are the bytes that come after it.

    No byte means that this is not known.
    """
    for index, (operation, argument) in enumerate(items):
        after = _first(items[index + 1 :]) if index + 1 < len(items) else follows
        if operation is code.SUBPATTERN and not argument[1] and not argument[2]:
            _hasten(argument[3], after)
        elif operation is code.MAX_REPEAT and len(argument[2]) == 1 and after:
            repeated = _bytes_of(*argument[2][0])
            if repeated and not repeated & after:
                items[index] = (code.POSSESSIVE_REPEAT, argument)


def _first(items: Any) -> int:
    """The bytes that a sequence must begin with, none where that is not known."""
    operation, argument = items[0]
    if operation is code.SUBPATTERN and len(argument[3]) and not argument[1] and not argument[2]:
        return _first(argument[3])
    if operation in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        return _first(argument[2]) if argument[0] > 0 and len(argument[2]) else 0
    return _bytes_of(operation, argument)


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
