"""What a pattern must be: a text that says something, or a regex that compiles in no time and matches something."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from re import _compiler, _parser  # no public way tells how short a match can be
from typing import Any

from review_gate.checks.needles import can_match_nothing
from review_gate.checks.rule import REGEX
from review_gate.config.display import printable

MAX_NESTING = 50
# `re` writes every class out as a table of the first 65,536 characters, which takes up to 7 ms for a range over all of
# them; 390 such classes fit into one pattern and 250,000 into one file.
_TABLE = 0x10000
MAX_SPAN = 1_000_000
MAX_SPAN_OF_A_FILE = 10_000_000
_INNER = (_parser.SubPattern, tuple, list)
_TOO_DEEP = f"is nested deeper than {MAX_NESTING} levels, or repeats too much"
_TOO_WIDE = "has too many wide ranges of characters, which are slow to compile; write narrower ones"


class SpanBudget:
    """How many more characters the classes of one file may span."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_SPAN_OF_A_FILE) -> None:
        self.left = left


def unfit_pattern(pattern: str, match_rule: str, budget: SpanBudget) -> str:
    """What is wrong with a pattern, to continue a sentence that starts with its key; "" when nothing is."""
    if match_rule == REGEX:
        return _unfit_regex(pattern, budget)
    # A tab or a no-break space can be what somebody looks for; blanks and line ends are everywhere.
    if not pattern.strip(" \r\n"):
        return "is nothing but blanks, which are in every text; match_rule: regex can say where they are not wanted"
    return ""


def unfit_replacement(pattern: str, template: str) -> str:
    """What is wrong with the text that replaces the matches of a sound regex; "" when nothing is."""
    try:
        # The template is read even when nothing matches.
        _compiled(pattern).sub(template, "")
    except re.error as error:
        return f"does not fit the pattern: {_words(error)}"
    except IndexError as error:
        return f"does not fit the pattern: {printable(str(error))}"
    return ""


def _unfit_regex(pattern: str, budget: SpanBudget) -> str:
    try:
        tree = _parsed(pattern)
        depth, span = _depth_and_span(tree)
        if depth > MAX_NESTING:
            return _TOO_DEEP
        budget.left -= span
        if span > MAX_SPAN or budget.left < 0:
            return _TOO_WIDE
        # From the tree, for to parse a long pattern takes as long as all the rest.
        _compiler.compile(tree)
    except re.error as error:
        return f"is not a regular expression: {_words(error)}"
    except (RecursionError, OverflowError, MemoryError):
        return _TOO_DEEP
    except ValueError as error:
        return f"is not a regular expression: {printable(str(error))}"
    if _never_matches(tree):
        return "matches no text at all: what (?!) is in cannot match"
    return "" if not can_match_nothing(pattern) else "can match an empty text, which is everywhere"


def _never_matches(tree: Any) -> bool:
    """Whether every way through a pattern meets a `(?!)`."""
    return any(
        # Later versions of Python read the second as the first.
        operation is _parser.FAILURE
        or (operation is _parser.ASSERT_NOT and not argument[1])
        or (operation is _parser.SUBPATTERN and _never_matches(argument[-1]))
        or (operation is _parser.BRANCH and all(map(_never_matches, argument[1])))
        for operation, argument in tree
    )


def _words(error: re.error) -> str:
    place = "" if error.pos is None else f" at position {error.pos}"
    return printable(error.msg) + place


def _parsed(pattern: str) -> _parser.SubPattern:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _parser.parse(pattern)


def _compiled(pattern: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # What a later Python may read in another way is not for the user of a check to hear.
        warnings.simplefilter("ignore")
        return re.compile(pattern)


def _depth_and_span(tree: object) -> tuple[int, int]:
    """How many groups and repeats are around the innermost part, and how many characters all classes span."""
    # Not by recursion; and the outermost sequence is not nested in anything.
    waiting, deepest, span = [(tree, -1)], -1, 0
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        if isinstance(node, _parser.SubPattern):
            waiting += [(child, depth + 1) for child in node.data]
        elif isinstance(node, tuple | list):
            span += _span(node)
            waiting += [(child, depth) for child in node if isinstance(child, _INNER)]
    return deepest, span


def _span(node: Sequence[Any]) -> int:
    if len(node) == 2 and node[0] is _parser.RANGE:
        low, high = node[1]
        return int(max(0, min(high, _TABLE) - low))
    return 0
