"""What a pattern must be: a text that says something, or a regex that compiles and matches something."""

from __future__ import annotations

import re
import warnings

import regex

from review_gate.checks.literals import can_match_nothing, never_matches
from review_gate.checks.regex_tree import PatternError, parsed
from review_gate.checks.rule import REGEX
from review_gate.checks.sought import compiled_regex, regex_of
from review_gate.config.display import printable


def unfit_pattern(pattern: str, match_rule: str) -> str:
    """What is wrong with a pattern, to continue a sentence that starts with its key; "" when nothing is."""
    if match_rule == REGEX:
        return _unfit_regex(pattern)
    # A tab or a no-break space can be what somebody looks for; blanks and line ends are everywhere.
    if not pattern.strip(" \r\n"):
        return "is nothing but blanks, which are in every text; match_rule: regex can say where they are not wanted"
    return ""


def unfit_replacement(pattern: str, template: str) -> str:
    """What is wrong with the text that replaces the matches of a sound regex; "" when nothing is."""
    try:
        # The template is read when something matches, so nothing has to match, too.
        compiled_regex(f"{parsed(pattern).text}\n|").sub(template, "")
    except (regex.error, IndexError) as error:
        return f"does not fit the pattern: {printable(str(error))}"
    return ""


def _unfit_regex(pattern: str) -> str:
    try:
        regex_of(pattern)
    except (PatternError, regex.error, RecursionError, OverflowError, MemoryError) as error:
        return f"is not a regular expression: {_in_words_of_python(pattern, error)}"
    if never_matches(pattern):
        return "matches no text at all: what (?!) is in cannot match"
    return "can match an empty text, which is everywhere" if can_match_nothing(pattern) else ""


def _in_words_of_python(pattern: str, error: Exception) -> str:
    """Why a pattern does not compile, as `re` says it where it finds the same."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except re.error as other:
        return printable(other.msg) + ("" if other.pos is None else f" at position {other.pos}")
    except (RecursionError, OverflowError):
        return "it is nested too deep, or repeats too much"
    return printable(str(error))
