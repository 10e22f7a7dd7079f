"""How far one step of a pattern may run: `re` heeds no signal within one."""

from __future__ import annotations

import re._constants as code  # type: ignore[import-not-found]  # typeshed leaves the parts of `re` out
import re._parser as parser  # type: ignore[import-not-found]  # as above
import warnings
from collections.abc import Iterator
from re import DOTALL, MULTILINE
from typing import Any

from review_gate.checks.long_texts import IN_LINES, NOWHERE, OVER_BLANKS, OVER_TEXT

# Fewer repeats are over before anybody waits.
MANY = 1_000
LINE_END = ord("\n")
_REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
# Of the classes of characters those that line ends belong to.
_WITH_LINE_ENDS = (code.CATEGORY_SPACE, code.CATEGORY_NOT_WORD, code.CATEGORY_NOT_DIGIT)


def reach_of(pattern: str) -> int:
    """The farthest that a single step of a pattern may run: NOWHERE, IN_LINES, OVER_BLANKS or OVER_TEXT."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = parser.parse(pattern, MULTILINE)
    return max(_reaches(tree, tree.state.flags), default=NOWHERE)


def _reaches(items: Any, flags: int) -> Iterator[int]:
    for operation, argument in items:
        if operation in _REPEATS and argument[1] >= MANY:
            # A group takes a step for each of its parts.
            yield _reach(argument[2][0], flags) if len(argument[2]) == 1 else IN_LINES
        if operation is code.SUBPATTERN:
            yield from _reaches(argument[3], _flags_within(argument, flags))
        else:
            for part in _parts(argument):
                yield from _reaches(part, flags)


def _flags_within(group: Any, flags: int) -> int:
    return int((flags | group[1]) & ~group[2])


def _parts(argument: Any) -> Iterator[Any]:
    """The patterns within the argument of an operation."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, list | tuple):
        for one in argument:
            yield from _parts(one)


def _reach(item: tuple[Any, Any], flags: int) -> int:
    """How far a repeat of one item may run."""
    operation, argument = item
    if operation is code.SUBPATTERN and argument[0] is None and len(argument[3]) == 1:
        # Brackets that keep nothing are no part of the repeat, only their flags count.
        return _reach(argument[3][0], _flags_within(argument, flags))
    if operation is code.ANY:
        return OVER_TEXT if flags & DOTALL else IN_LINES
    if operation is code.NOT_LITERAL:
        return IN_LINES if argument == LINE_END else OVER_TEXT
    members = argument if operation is code.IN else [item]
    is_negated = members[0][0] is code.NEGATE
    if any(map(_has_line_end, members)) == is_negated:
        return IN_LINES
    return OVER_BLANKS if not is_negated and all(map(_is_blank, members)) else OVER_TEXT


def _has_line_end(member: tuple[Any, Any]) -> bool:
    kind, value = member
    if kind is code.RANGE:
        return bool(value[0] <= LINE_END <= value[1])
    return value in _WITH_LINE_ENDS if kind is code.CATEGORY else kind is code.LITERAL and value == LINE_END


def _is_blank(member: tuple[Any, Any]) -> bool:
    kind, value = member
    return value is code.CATEGORY_SPACE if kind is code.CATEGORY else kind is code.LITERAL and chr(value).isspace()
