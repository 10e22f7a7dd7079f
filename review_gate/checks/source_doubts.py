"""Comments that may be none: a lexer took for the mark of a comment what is perhaps part of a word or a literal.

Lexers know neither every dialect nor every literal of a language. They are trusted where comments usually stand: on a
line of their own, and behind a blank in a line without the literals that they are known to misread.
"""

from __future__ import annotations

import re

# As much as this is looked at of the line before a comment: thousands of comments can stand on one line.
_REACH = 200
# What a comment may stand right behind besides a blank; None is anything but a quote.
_RIGHT_BEHIND = {
    **dict.fromkeys(("dockerfile", "ini", "yaml"), ""),
    "shell": ";&|(",
    "ruby": ";",
    "sql": ";,()",
    "fsharp": ";,{}[])",
    "python": None,
}
_USUALLY_RIGHT_BEHIND = ";,{}()[]"
# There a slash before a comment may have opened a regular expression.
_WITH_SLASHES = ("javascript", "typescript", "ruby", "perl", "groovy", "swift")
# Literals, or what looks like them, before a comment on its line.
_MISREAD_BEFORE = {
    language: re.compile(pattern)
    for language, pattern in {
        **dict.fromkeys(("c", "cpp"), r"^\s*#.*[\"']"),
        "cmake": r"\\\"",
        "csharp": r"\$@?\"",
        "css": r"//|\burl\(",
        # Only a shell knows comments behind something, and only of a RUN.
        "dockerfile": r"",
        **dict.fromkeys(("dart", "groovy", "kotlin", "scala"), r"\$\{"),
        "graphql": r"\"",
        "haskell": r"\[\w*\|",
        # In many dialects what follows on a blank and a mark belongs to the value.
        "ini": r"",
        "makefile": r"\$[({][^)}]*$",
        "ocaml": r"\{\w*\|",
        "perl": r"(?<![$@%&\w])(?:m|s|y|tr|q[qrwx]?)\s*[^\w\s,;)}=]",
        "r": r"[rR][\"']-*[\[({]",
        "ruby": r"%[a-zA-Z]?[^\w\s=]",
        "rust": r"\bcr#*\"",
        "shell": r"\\\s$|`",
        "sql": r"[`\[]|\$\w*\$|\b[qQ]'",
        "swift": r"#[\"/]|\\\(",
    }.items()
}
# Comments that one dialect or another runs, or that end sooner than the lexer thinks.
_MISREAD = {
    language: re.compile(pattern, re.DOTALL)
    for language, pattern in {
        # To Pygments `#if 0x1` is `#if 0`, and all below it a comment, with whatever mark that begins.
        **dict.fromkeys(("c", "cpp"), r"(?!\s*/[/*])|\s*//[^\n]*[^\\\n]\n\s*\S|\s*/\*.*?\*/\s*\S"),
        "haskell": r"\{-#|.*\|\]",
        "html": r"<!---?>|<!--.*--!>",
        "php": r"(?!/\*).*\?>",
        "sql": r"/\*!|/\*.*/\*|--[^\n]*\$\w*\$",
    }.items()
}


class Doubts:
    """What tells of a text in some language whether a comment may be none."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._language = language
        self._misread = _MISREAD.get(language)
        self._misread_before = _MISREAD_BEFORE.get(language)
        # Where a quote is escaped as only some dialects do it, and strings may begin and end elsewhere from there on.
        escaped = re.search(r"\\['\"]", text) if language == "sql" else None
        self._sure_to = escaped.start() if escaped else len(text)

    def may_be_code(self, start: int, end: int, *, is_behind_slash: bool) -> bool:
        """Whether a comment may be none; there can be a slash in the code before it on its line."""
        if start > self._sure_to or (self._misread and self._misread.match(self._text[start:end])):
            return True
        before = self._text[max(self._text.rfind("\n", 0, start) + 1, start - _REACH) : start]
        mark = self._text[start : start + 4]
        if not before.strip() or mark == "<!--":
            return False
        is_behind_regex = is_behind_slash and self._language in _WITH_SLASHES
        return is_behind_regex or self._is_part_of_a_word(before[-1], mark) or self._is_behind_a_literal(before)

    def _is_part_of_a_word(self, last: str, mark: str) -> bool:
        if self._language == "sql" and mark[:2] == "--" and not mark[2:3].isspace():
            # In MySQL this is a minus twice.
            return True
        if last.isspace() or mark[0].isspace():
            return False
        allowed = _RIGHT_BEHIND.get(self._language, _USUALLY_RIGHT_BEHIND)
        return last in "\"'" if allowed is None else last not in allowed

    def _is_behind_a_literal(self, before: str) -> bool:
        return self._misread_before is not None and self._misread_before.search(before) is not None
