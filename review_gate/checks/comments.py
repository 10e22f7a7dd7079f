"""The marks of comments and strings by language, and the comments that can be found by these marks alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from review_gate.checks.languages import LANGUAGES, MARKDOWN, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE_TOKEN, STRING_TOKEN, COMMENT_TOKEN, DOUBTFUL_TOKEN, DOCSTRING_TOKEN = range(5)

# How a comment opens -> how it closes; "" means with its line.
CLOSERS = {
    "#": "",
    "//": "",
    "--": "",
    ";": "",
    "%": "",
    "..": "",
    "REM": "",
    "'": "",
    "/*": "*/",
    "/**": "*/",
    "*": "*/",
    "<!--": "-->",
    "{#": "#}",
    "{-": "-}",
    "(*": "*)",
    "<#": "#>",
}
_C = ("//", "/*", "/**", "*")
_OPENERS = {
    **dict.fromkeys(("python", "ruby", "shell", "yaml", "toml", "dockerfile", "makefile"), ("#",)),
    **dict.fromkeys(("perl", "r", "julia", "elixir", "graphql", "cmake"), ("#",)),
    "ini": ("#", ";"),
    "nix": ("#", "/*"),
    "lua": ("--",),
    "haskell": ("--", "{-"),
    "clojure": (";",),
    "erlang": ("%",),
    "ocaml": ("(*",),
    "fsharp": ("//", "(*"),
    "vb": ("'", "REM"),
    **dict.fromkeys(("php", "terraform"), ("#", "<!--", *_C)),
    "powershell": ("#", "<#"),
    "sql": ("--", "#", *_C),
    "html": ("<!--", "{#", *_C),
    "xml": ("<!--",),
    MARKDOWN: ("<!--",),
    TEXT: ("#", "//", "--", ";", "%", "..", "<!--"),
    # No known language: any of them.
    "": tuple(CLOSERS),
}
# Some languages and people write these twice or more: ##, ///, ;;
_REPEATED = ("#", "//", "--", ";", "%")
# In the middle of a line these are code: a product, a range, a name.
_ONLY_FIRST = ("*", "..", "REM")
# What may stand around a comment that is a line of its own: JavaScript's way to put one between tags.
_BRACES = ("", "{", "}")

# The quotes around strings within a line, and what opens and closes those over several lines.
_QUOTES = {
    **dict.fromkeys(("ocaml", "vb", "clojure", "haskell", "rust"), '"'),
    **dict.fromkeys(("html", "xml", "ini"), ""),
}
_TRIPLE = (('"""', '"""'), ("'''", "'''"))
_LONG_STRINGS = {
    **dict.fromkeys(("python", "toml", "groovy", "dart"), _TRIPLE),
    **dict.fromkeys(("java", "kotlin", "scala", "swift", "julia", "elixir", "fsharp", "graphql"), _TRIPLE[:1]),
    **dict.fromkeys(("javascript", "typescript", "go"), (("`", "`"),)),
    **dict.fromkeys(("shell", "sql"), (("'", "'"),)),
    "lua": (("[[", "]]"),),
    "nix": (("''", "''"),),
    "csharp": (('"""', '"""'), ('@"', '"')),
    "rust": (('r#"', '"#'),),
    "powershell": (("@'", "'@"), ('@"', '"@')),
}
# A comment behind one of these on its line may be part of a string or a regular expression that the marks do not tell.
_UNSURE = re.compile(r"[\"'`/\\%$]")
_REACH = 200


class Comment(NamedTuple):
    """A comment that opens directly before a place on a line: where it opens, how, and whether code is before it."""

    start: int
    closer: str
    is_first: bool


def comment_before(line: str, at: int, language: str) -> Comment | None:
    """The comment whose mark stands directly before a place of a line."""
    before = line[:at].rstrip(" \t")
    # Of two that fit, such as /** and *, the longer one is meant.
    for opener in sorted(_OPENERS.get(language, _C), key=len, reverse=True):
        # "'review-gate: ..." without a space is a string.
        if not _ends_with(before, opener) or (opener == "'" and len(before) == at):
            continue
        start = len(before) - len(opener)
        if opener in _REPEATED:
            start = len(before[: max(start, 0)].rstrip(opener[0]))
        ahead = before[: max(start, 0)].strip(" \t")
        if not (ahead and opener in _ONLY_FIRST):
            return Comment(start, CLOSERS[opener], ahead in _BRACES)
    return None


def _ends_with(before: str, opener: str) -> bool:
    return before[-3:].upper() == "REM" if opener == "REM" else before.endswith(opener)


def marked_spans(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and kind of the comments and strings of a text in a language, told by their marks alone."""
    for found in _pattern(language).finditer(text):
        start, end = found.span()
        if found.lastgroup == "line":
            before = text[max(text.rfind("\n", 0, start) + 1, start - _REACH) : start]
            yield start, end, DOUBTFUL_TOKEN if _UNSURE.search(before) else COMMENT_TOKEN
        else:
            yield start, end, STRING_TOKEN if found.lastgroup == "string" else COMMENT_TOKEN


@lru_cache(maxsize=len(LANGUAGES))
def _pattern(language: str) -> re.Pattern[str]:
    """What a comment or a string of a language looks like; one that nothing closes goes to the end of the text."""
    openers = [one for one in _OPENERS.get(language, _C) if one != "*"]
    # Within a word, and behind most marks, it is none: a#b, https://
    lines = [rf"(?<![^\s;,&|(){{}}\[\]]){re.escape(one)}[^\n]*" for one in openers if not CLOSERS[one]]
    blocks = [_between(one, CLOSERS[one], ".") for one in openers if CLOSERS[one]]
    strings = [_between(*ends, r"\\.|.") for ends in _LONG_STRINGS.get(language, ())]
    # A quote behind a letter or without its twin on the line opens nothing: don't, foldl', 'a
    strings += [rf"(?<!\w){quote}(?:\\.|[^{quote}\\\n])*+{quote}" for quote in _QUOTES.get(language, "\"'")]
    kinds = {"string": strings, "block": blocks, "line": lines}
    return re.compile("|".join(f"(?P<{kind}>{'|'.join(patterns)})" for kind, patterns in kinds.items() if patterns))


def _between(opener: str, closer: str, inside: str) -> str:
    return rf"{re.escape(opener)}(?s:{inside})*?(?:{re.escape(closer)}|\Z)"
