"""Comments that may be none: a lexer took for the mark of a comment what is perhaps part of a word or a literal.

Lexers know neither every dialect nor every literal of a language. They are trusted where comments usually stand: on a
line of their own, and behind a blank in a line without the literals that they are known to misread.
"""

from __future__ import annotations

import re
from itertools import pairwise

from review_gate.checks.heredocs import sure_to
from review_gate.checks.source_kinds import CODE_TOKEN, COMMENT_TOKEN, DOUBTFUL_TOKEN, STRING_TOKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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
        "css": r"//|\burl\(\s*(?:[^\s\"']|\Z)",
        # Only a shell knows comments behind something, and only of a RUN.
        "dockerfile": r"",
        **dict.fromkeys(("dart", "groovy", "kotlin", "scala"), r"\$\{"),
        "graphql": r"\"",
        "haskell": r"\[\w*\|",
        # In many dialects what follows on a blank and a mark belongs to the value.
        "ini": r"",
        "makefile": r"\$[({][^)}]*$",
        "ocaml": r"\{\w*\|",
        "perl": r"(?<![$@%&\w])(?:[ms]\s*(?!/)|(?:y|tr|q[qrwx]?)\s*)[^\w\s,;)}=]",
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


_QUOTE = re.compile("[\"'`]")
_DOLLARS = re.compile(r"\$\w*\$")
# The quotes of strings over several lines.
_OVER_LINES = {
    **dict.fromkeys(("shell", "perl", "php", "ruby", "sql", "powershell", "r"), "\"'`"),
    **dict.fromkeys(("javascript", "typescript", "go"), "`"),
    **dict.fromkeys(("rust", "julia", "elixir", "erlang", "clojure", "ocaml", "fsharp", "nix", "cmake"), '"'),
    **dict.fromkeys(("java", "kotlin", "scala", "groovy", "swift", "dart", "csharp", "vb"), '"'),
}
# What a literal begins with and is before it, where it is perhaps none.
_MISREAD_LITERAL = {
    language: re.compile(pattern)
    for language, pattern in {
        # The old mark of packages, in Foo'Bar, literals such as y'a'b', and divisions.
        "perl": r"\w'\Z|(?:[)\]}]|[$@%]\w+|\b\d+)\s*/\Z",
        # A quote in a word or a name.
        "sql": r"[^\W_]{2}'\Z|\A[^`]*+(?:`[^`]*+`[^`]*+)*+`[^`]*\Z|(?<!\w)\[[^\]]*\Z",
    }.items()
}
# Behind the first of these, strings may begin and end elsewhere.
_UNSURE_BEHIND = {
    language: re.compile(pattern)
    for language, pattern in {
        # Only some dialects escape a quote so.
        "sql": r"\\['\"]",
        # Not every Scala knows an escaped quote in a string with a name before it.
        "scala": r"\b(?![sf]\")\w+\"[^\"\n]*\\\"",
        # A line with an odd number of escaped quotes, of which Pygments knows none.
        "cmake": r"(?m)^(?:(?!\\\").)*+\\\"(?:(?:(?!\\\").)*+\\\"(?:(?!\\\").)*+\\\")*+(?:(?!\\\").)*+$",
        "erlang": r"\"\"\"",
        # To PowerShell these are quotes too.
        "powershell": r"(?m)^[^#\n]*[\u2018-\u201f]",
        # A regular expression as a statement, or a division, before a template.
        **dict.fromkeys(
            ("javascript", "typescript"),
            r"[)}][ \t]*(?=/[^\n`]{0,500}`)/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\n\[]){1,200}"
            r"/[a-z]{0,9}[ \t]*(?:[.;,)\]}?:&|\n]|\Z)",
        ),
    }.items()
}


def with_doubts(text: str, language: str, starts: Sequence[int], kinds: list[int]) -> tuple[list[int], int]:
    """The kinds of runs, in which comments and code are told apart from what may be both, and how far they are sure."""
    doubts = _Doubts(text, language, sure_to(text, language, starts, kinds))
    for at, (start, end) in enumerate(pairwise([*starts, len(text)])):
        if kinds[at] == COMMENT_TOKEN and doubts.may_be_code(start, end):
            kinds[at] = DOUBTFUL_TOKEN
        doubts.pass_by(start, end, kinds[at])
        if kinds[at] == STRING_TOKEN and doubts.may_hold_comments(start, end):
            kinds[at] = DOUBTFUL_TOKEN
    return kinds, doubts.sure_to


class _Doubts:
    """What tells of a text in some language whether a comment may be none; its runs pass by in their order.

    Behind `sure_to` strings may begin and end elsewhere.
    """

    def __init__(self, text: str, language: str, sure_to: int) -> None:
        self._text = text
        self._language = language
        self._misread = _MISREAD.get(language)
        self._misread_before = _MISREAD_BEFORE.get(language)
        self._quotes = _OVER_LINES.get(language, "")
        self._misread_literal = _MISREAD_LITERAL.get(language)
        unsure = _UNSURE_BEHIND[language].search(text) if language in _UNSURE_BEHIND else None
        self.sure_to = min(sure_to, unsure.start() if unsure else len(text))
        # What the code before a run has on its line.
        self._is_behind_slash = False
        self._is_behind_string = False

    def may_be_code(self, start: int, end: int) -> bool:
        """Whether a comment may be none."""
        if start > self.sure_to or (self._misread and self._misread.match(self._text[start:end])):
            return True
        before = self._before(start)
        mark = self._text[start : start + 4]
        if not before.strip() or mark == "<!--":
            return False
        return self._is_in_doubt(before) or self._is_behind_string or self._is_part_of_a_word(before[-1], mark)

    def pass_by(self, start: int, end: int, kind: int) -> None:
        """Note what a run means for those behind it."""
        line = self._text.rfind("\n", start, end) + 1
        if start < self.sure_to and self._shifts_quotes(start, end, kind, is_long=bool(line)):
            self.sure_to = start
        has_slash = kind == CODE_TOKEN and self._text.find("/", max(start, line), end) >= 0
        self._is_behind_slash = has_slash or (self._is_behind_slash and not line)
        is_long = kind == STRING_TOKEN and 0 < line < end
        self._is_behind_string = self._language != "python" and (is_long or (self._is_behind_string and not line))

    def may_hold_comments(self, start: int, end: int) -> bool:
        """Whether a string may be what is between two strings, with comments over several lines in it."""
        return start >= self.sure_to and self._text.find("\n", start, end) >= 0

    def _before(self, start: int) -> str:
        return self._text[max(self._text.rfind("\n", 0, start) + 1, start - _REACH) : start]

    def _shifts_quotes(self, start: int, end: int, kind: int, *, is_long: bool) -> bool:
        """Whether strings behind a run may begin and end elsewhere: it has a quote, and may be something else."""
        if kind == DOUBTFUL_TOKEN:
            return any(self._text.count(quote, start, end) % 2 for quote in self._quotes)
        if kind != STRING_TOKEN or not _QUOTE.search(self._text, start, end):
            return False
        before = self._before(start) + self._text[start]
        if self._misread_literal and self._misread_literal.search(before):
            return True
        if self._language == "sql" and _DOLLARS.search(self._text, start, end):
            return True
        # One over several lines is in doubt where a comment would be.
        return is_long and self._is_in_doubt(before)

    def _is_in_doubt(self, before: str) -> bool:
        is_behind_regex = self._is_behind_slash and self._language in _WITH_SLASHES
        return is_behind_regex or (self._misread_before is not None and bool(self._misread_before.search(before)))

    def _is_part_of_a_word(self, last: str, mark: str) -> bool:
        if self._language == "sql" and mark[:2] == "--" and not mark[2:3].isspace():
            # In MySQL this is a minus twice.
            return True
        if last.isspace() or mark[0].isspace():
            return False
        allowed = _RIGHT_BEHIND.get(self._language, _USUALLY_RIGHT_BEHIND)
        return last in "\"'" if allowed is None else last not in allowed
