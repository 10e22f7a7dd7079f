"""The pattern that reads findings from a program's output: compiled only when compiling it is cheap and safe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

GROUPS = ("file", "line", "column", "severity", "message", "rule")
MAX_LENGTH = 1_000

# `regex` writes the mandatory part of every repeat out while compiling: (?:(?:a{1000}){1000}){1000} asked for more
# memory than the machine had, and each + around a + doubles the program (measured with 2026.11.9).
_MAX_SIZE = 10_000
_REPEAT = re.compile(r"\+|\{(\d{1,9})(?:,\d*)?\}|\{\d{10,}")
_VERBOSE = re.compile(r"(?<!\\)(?:\\\\)*\(\?[\w-]*x")
_MATCH_SECONDS = 1


def compile_pattern(text: str) -> regex.Pattern[str]:
    """The compiled pattern; ValueError says what is wrong with it in words for the user."""
    if len(text) > MAX_LENGTH:
        raise ValueError(f"is longer than {MAX_LENGTH} characters")
    # Blanks and comments between an item and its repeat would hide the repeat from the size estimate.
    if _VERBOSE.search(text):
        raise ValueError("uses the verbose flag x, which is not supported")
    if _size(text) > _MAX_SIZE:
        raise ValueError("repeats too much; use smaller counts and fewer nested + or {n}")
    compiled = _compiled(text)
    _check_groups(tuple(compiled.groupindex))
    _check_not_empty(compiled)
    return compiled


def _size(text: str) -> int:
    """An upper bound of the compiled size: repeats of single items add up, repeats of groups multiply."""
    added, factor = len(text), 1
    for repeat in _REPEAT.finditer(text):
        count = 1 + int(repeat[1] or (1 if repeat[0] == "+" else _MAX_SIZE))
        if text[repeat.start() - 1 : repeat.start()] in (")", "}", "+", "*", "?"):
            factor *= count
        else:
            added += count
    return added * factor


def _compiled(text: str) -> regex.Pattern[str]:
    # Few projects have a pattern of their own, and every review would pay for the import.
    import regex

    try:
        # Kept out of the cache of `regex`, which holds on to 500 patterns of any size.
        return regex.compile(text, cache_pattern=False)
    except regex.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    except (RecursionError, MemoryError, OverflowError, LookupError):
        raise ValueError("is nested too deeply to compile") from None


def _check_groups(names: tuple[str, ...]) -> None:
    for name in names:
        if name not in GROUPS:
            import difflib

            near = difflib.get_close_matches(name, GROUPS, 1)
            guess = f"did you mean {near[0]}? " if near else ""
            raise ValueError(f"has the unknown group {name}; {guess}allowed: {', '.join(GROUPS)}")
    if "message" not in names and "file" not in names:
        raise ValueError("needs a named group message or file, such as (?P<message>.+)")


def _check_not_empty(compiled: regex.Pattern[str]) -> None:
    try:
        matches_nothing = compiled.search("", timeout=_MATCH_SECONDS) is not None
    except TimeoutError:
        raise ValueError("takes too long even on an empty line") from None
    if matches_nothing:
        raise ValueError("matches an empty line, so every line would be a finding")
