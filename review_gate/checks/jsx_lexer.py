"""JavaScript and TypeScript with the elements of JSX, whose text holds quotes and marks of comments that mean nothing.

The lexers of Pygments read such text as code, and so do its lexers for JSX.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import include, inherit
from pygments.lexers.javascript import JavascriptLexer, TypeScriptLexer
from pygments.token import Punctuation, String, Text

_NAME = r"[\w$.:-]*"
# Types of a tag, as in <Select<string> options={all}>, which can have types of their own, three deep.
_TYPE = r"(?:=>|[^<>])*+"
_TYPES = rf"(?:<{_TYPE}(?:<{_TYPE}(?:<{_TYPE}>{_TYPE})*+>{_TYPE})*+>)?"
_TAG = rf"<{_NAME}{_TYPES}"
# The type in `<T>(x: T) => x` begins like an element; one that is closed somewhere is taken for an element.
_FIRST_TAG = rf"<(?=({_NAME}){_TYPES}[\s/>].*?</\1\s*>){_NAME}{_TYPES}"
_BRACES = ("braces", "slashstartsregex")
# A string ends with its line at the latest; a blank stands for the CR before a line end.
_INSIDE_STRING = r"(?:\\(?: \n|.)|[^\\\n{0}])*"

_RULES: dict[str, list[Any]] = {
    "slashstartsregex": [
        (_FIRST_TAG, Text, ("#pop", "tag")),
        # Pygments does not know the flag v, and gives up the line of a regular expression that has it.
        (r"/(?![/*])(?:\\.|[^\[/\\\n]|\[(?:\\.|[^\]\\\n])*\])+/[a-z]*", String.Regex, "#pop"),
        inherit,
    ],
    "root": [
        # Only where one begins: else the other state would send the lexer back to the same place, again and again.
        (rf"^(?={_FIRST_TAG})", Text, "slashstartsregex"),
        (r"=>", Punctuation, "slashstartsregex"),
        (f'"{_INSIDE_STRING}"'.replace("{0}", '"'), String),
        (f"'{_INSIDE_STRING}'".replace("{0}", "'"), String),
        (r"[\"']", Text),
        inherit,
    ],
    "tag": [
        (r"/\s*>", Punctuation, "#pop"),
        (r">", Punctuation, ("#pop", "text")),
        include("commentsandwhitespace"),
        (r"\"[^\"]*\"|'[^']*'", String),
        (r"\{", Punctuation, _BRACES),
        (rf"(?=<[\w$>]){_TAG}", Text, "tag"),
        (r"[^\s/>\"'{<]+|.", Text),
    ],
    "text": [
        (r"\{", Punctuation, _BRACES),
        (r"</[^<>{]*>", Punctuation, "#pop"),
        (rf"(?=<[\w$>]){_TAG}", Text, "tag"),
        (r"[^<{]+|<", Text),
    ],
    "braces": [(r"\}", Punctuation, "#pop"), (r"\{", Punctuation, _BRACES), include("root")],
    "interp-inside": [(r"\}", String.Interpol, "#pop"), (r"\{", Punctuation, _BRACES), include("root")],
}


class JavascriptWithElements(JavascriptLexer):
    """JavaScript in which an element is an expression."""

    tokens: ClassVar[dict[str, list[Any]]] = {state: list(rules) for state, rules in _RULES.items()}


class TypescriptWithElements(TypeScriptLexer):
    """TypeScript in which an element is an expression."""

    tokens: ClassVar[dict[str, list[Any]]] = {state: list(rules) for state, rules in _RULES.items()}
