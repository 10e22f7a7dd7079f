"""The grammars of tree-sitter: which one reads a file or a language, and a text parsed with it in bounded time."""

from __future__ import annotations

import time
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

MAX_SOURCE = 256_000
MAX_SECONDS = 1.0
# The parser asks for so many bytes at a time.
_CHUNK = 4096

# Name of the grammar -> the function of its package that returns it.
_GRAMMARS = {
    "bash": ("tree_sitter_bash", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "go": ("tree_sitter_go", "language"),
    "html": ("tree_sitter_html", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "python": ("tree_sitter_python", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
# Our name of a language -> its grammars; the second one reads what the first cannot (JSX, C++ in a file called .h).
_OF_LANGUAGE = {
    **{name: (name,) for name in ("cpp", "go", "html", "java", "javascript", "php", "python", "ruby", "rust")},
    "c": ("c", "cpp"),
    "shell": ("bash",),
    "typescript": ("typescript", "tsx"),
}
# With more "<" than this that nothing closes, recovery at the end of a text takes gigabytes and heeds no clock.
_MOST_ANGLES = {"java": 1_000}
# tree-sitter-bash 0.25.1 crashes over some characters behind a brace (its issue 337); these bytes are parts of words.
_WITHOUT_CRASH = {"bash": bytes(range(128)) + b"x" * 128}


def grammars_of(language: str) -> tuple[str, ...]:
    """The grammars that may read a text in one of our languages, the likeliest first; none for most languages."""
    return _OF_LANGUAGE.get(language, ())


def grammar_of_file(path: str, language: str) -> str:
    """The grammar for a file in a language; "" where there is none."""
    if path.lower().endswith(".tsx"):
        return "tsx"
    return next(iter(grammars_of(language)), "")


@lru_cache(maxsize=len(_GRAMMARS))
def language_of_grammar(grammar: str) -> Language:
    """A grammar as tree-sitter takes it; imported when the first file needs it."""
    from tree_sitter import Language

    package, function = _GRAMMARS[grammar]
    return Language(getattr(import_module(package), function)())


def parsed(data: bytes, grammar: str, seconds: float = MAX_SECONDS) -> Tree | None:
    """The syntax tree of a text; None where the text is too large, or the parser too slow for it."""
    if len(data) > MAX_SOURCE or data.count(b"<") > _MOST_ANGLES.get(grammar, MAX_SOURCE):
        return None
    from tree_sitter import Parser

    if grammar in _WITHOUT_CRASH:
        data = data.translate(_WITHOUT_CRASH[grammar])
    end = time.perf_counter() + seconds
    try:
        # Of a text that it gets whole the parser asks nobody whether to go on.
        return Parser(language_of_grammar(grammar)).parse(
            lambda offset, _: data[offset : offset + _CHUNK], progress_callback=lambda *_: time.perf_counter() > end
        )
    except ValueError:
        return None
