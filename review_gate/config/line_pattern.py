"""The pattern that reads findings from a program's output: compiled only when compiling it is cheap and safe."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

GROUPS = ("file", "line", "column", "severity", "message", "rule")
MAX_LENGTH = 1_000

# `regex` writes the mandatory part of every repeat out while compiling: (?:(?:a{1000}){1000}){1000} asked for more
# memory than the machine had, and each + around a + doubles the program (measured with 2026.11.9).
_MATCH_SECONDS = 1
_MAX_SIZE = 10_000
_MOST_DIGITS = 5
_COUNT = re.compile(r"\{\s*(\d+)")
_VERBOSE = re.compile(r"(?<!\\)(?:\\\\)*\(\?[\w-]*x")
_REPEATED_GROUP = re.compile(r"\)\s*\+")


def compile_pattern(text: str) -> regex.Pattern[str]:
    """The compiled pattern; ValueError says what is wrong with it in words for the user."""
    if len(text) > MAX_LENGTH:
        raise ValueError(f"is longer than {MAX_LENGTH} characters")
    # Comments between a group and its repeat would hide the repeat from the estimate of the size.
    if _VERBOSE.search(text):
        raise ValueError("uses the verbose flag x, which is not supported")
    if _size(text) > _MAX_SIZE:
        raise ValueError("repeats too much; use smaller counts and fewer nested + or {n}")
    compiled = _compiled(text)
    for name in compiled.groupindex:
        if name not in GROUPS:
            raise ValueError(f"has the unknown group {name}; allowed: {', '.join(GROUPS)}")
    if not {"message", "file"}.intersection(compiled.groupindex):
        raise ValueError("needs a named group message or file, such as (?P<message>.+)")
    _check_not_empty(compiled)
    return compiled


def _size(text: str) -> int:
    """About how often a part is written out at most: as if all repeats were within each other."""
    counts = [count for count in _COUNT.findall(text) if count.strip("0")]
    if any(len(count) > _MOST_DIGITS for count in counts):
        return _MAX_SIZE + 1
    return math.prod(map(int, counts)) << len(_REPEATED_GROUP.findall(text))


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


def _check_not_empty(compiled: regex.Pattern[str]) -> None:
    try:
        matches_nothing = compiled.search("", timeout=_MATCH_SECONDS) is not None
    except TimeoutError:
        raise ValueError("takes too long even on an empty line") from None
    if matches_nothing:
        raise ValueError("matches an empty line, so every line would be a finding")
