"""What a pattern must be: a text that says something, or a regex that compiles in no time and matches something."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from re import _parser  # no public way tells how short a match can be

from review_gate.checks.needles import can_match_nothing
from review_gate.checks.rule import REGEX
from review_gate.config.display import printable

MAX_NESTING = 50
# `re` writes every class out as a table of the first 65,536 characters, which takes up to 7 ms for a range over all of
# them; 390 such classes fit into one pattern and 250,000 into one file.
_TABLE = 0x10000
MAX_SPAN = 1_000_000
MAX_SPAN_OF_A_FILE = 10_000_000
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
        if any(depth > MAX_NESTING for _, depth in _nodes(tree)):
            return _TOO_DEEP
        span = sum(map(_span, (node for node, _ in _nodes(tree))))
        budget.left -= span
        if span > MAX_SPAN or budget.left < 0:
            return _TOO_WIDE
        _compiled(pattern)
    except re.error as error:
        return f"is not a regular expression: {_words(error)}"
    except (RecursionError, OverflowError, MemoryError):
        return _TOO_DEEP
    except ValueError as error:
        return f"is not a regular expression: {printable(str(error))}"
    return "" if not can_match_nothing(pattern) else "can match an empty text, which is everywhere"


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


def _nodes(tree: object) -> Iterator[tuple[object, int]]:
    """Everything in a parsed regex with the number of groups and repeats around it; not by recursion."""
    # The outermost sequence is not nested in anything.
    waiting = [(tree, -1)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        if isinstance(node, _parser.SubPattern):
            waiting += [(child, depth + 1) for child in node.data]
        elif isinstance(node, tuple | list):
            waiting += [(child, depth) for child in node]


def _span(node: object) -> int:
    if isinstance(node, tuple) and len(node) == 2 and node[0] is _parser.RANGE:
        low, high = node[1]
        return int(max(0, min(high, _TABLE) - low))
    return 0
