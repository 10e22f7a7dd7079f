"""Which stretches of source code are comments and which are strings, as the lexers of Pygments see them."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from review_gate.checks.docstrings import DOUBTFUL, told_apart
from review_gate.checks.source_doubts import with_doubts
from review_gate.checks.source_kinds import CODE_TOKEN, COMMENT_TOKEN, DOUBTFUL_TOKEN, STRING_TOKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pygments.lexer import Lexer

    from review_gate.checks.docstrings import Token

# Most lexers are quadratic in something: all three limits together hold one text to little more than MAX_SECONDS.
MAX_SOURCE = 256_000
MAX_LINE = 20_000
MAX_SECONDS = 1.0

# Our name of a language -> the name of its lexer.
_LEXERS = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "typescript",
    "go": "go",
    "rust": "rust",
    "java": "java",
    "kotlin": "kotlin",
    "c": "c",
    "cpp": "cpp",
    "csharp": "csharp",
    "swift": "swift",
    "ruby": "ruby",
    "php": "php",
    "shell": "bash",
    "powershell": "powershell",
    "sql": "sql",
    "html": "html",
    "css": "css",
    "yaml": "yaml",
    "json": "json",
    "toml": "toml",
    "xml": "xml",
    "dockerfile": "docker",
    "makefile": "make",
    "terraform": "terraform",
    "ini": "ini",
    "lua": "lua",
    "perl": "perl",
    "r": "splus",
    "julia": "julia",
    "scala": "scala",
    "groovy": "groovy",
    "clojure": "clojure",
    "dart": "dart",
    "zig": "zig",
    "elixir": "elixir",
    "erlang": "erlang",
    "haskell": "haskell",
    "ocaml": "ocaml",
    "fsharp": "fsharp",
    "vb": "vbnet",
    "protobuf": "protobuf",
    "graphql": "graphql",
    "solidity": "solidity",
    "nix": "nix",
    "cmake": "cmake",
}
# The languages whose comments can be told from their code.
LEXED = tuple(_LEXERS)


class SourceParts:
    """Runs of code, strings and comments; what lies behind `known_to` was not looked at.

    Behind `sure_to` what seems to be a string may be code, and the other way round.
    """

    __slots__ = ("_kinds", "_starts", "known_to", "sure_to")

    def __init__(self, starts: list[int], kinds: list[int], sure_to: int, known_to: int) -> None:
        self._starts = starts
        self._kinds = kinds
        self.sure_to = sure_to
        self.known_to = known_to

    def kind_at(self, index: int) -> int | None:
        """The kind of the token that holds a character; None where it is not known."""
        at = bisect_right(self._starts, index) - 1
        return self._kinds[at] if at >= 0 and index < self.known_to else None

    def masked(self, text: str, start: int, end: int, match: tuple[int, int]) -> str:
        """A stretch of the text with a match and only those words readable that may speak of it.

        For a match in a comment or a string these are the words of that comment or string, for one in code those of a
        comment behind it: what a string or another comment says is said of something else.
        """
        pieces = []
        own = bisect_right(self._starts, match[0]) - 1
        at = max(0, bisect_right(self._starts, start) - 1)
        first = start
        while start < end:
            until = min(end, self._starts[at + 1] if at + 1 < len(self._starts) else max(end, self.known_to))
            piece = text[start:until]
            pieces.append(piece if self._may_speak(start, own, match) else unreadable(piece))
            start = until
            at += 1
        masked = "".join(pieces)
        return masked[: match[0] - first] + text[slice(*match)] + masked[match[1] - first :]

    def _may_speak(self, index: int, own: int, match: tuple[int, int]) -> bool:
        kind = self.kind_at(index)
        if self.kind_at(match[0]) == CODE_TOKEN:
            return kind is None or (kind == COMMENT_TOKEN and index >= match[1])
        return kind is None or bisect_right(self._starts, index) - 1 == own


def has_lexer(language: str) -> bool:
    """Whether comments of a language can be told from its code."""
    return language in _LEXERS


def parts_of(text: str, language: str, clock: Callable[[], float]) -> SourceParts:
    """The runs of a text; nothing is known of one too long, with a line too long, or behind what the time allowed."""
    starts: list[int] = []
    kinds: list[int] = []
    if len(text) > MAX_SOURCE or _longest_line(text) > MAX_LINE:
        return SourceParts(starts, kinds, 0, 0)
    deadline = clock() + MAX_SECONDS
    known_to = 0
    for index, token, value in _tokens(text, language):
        kind = _kind(token)
        if value and (not kinds or kinds[-1] != kind or _begins_anew(token, value)):
            starts.append(index)
            kinds.append(kind)
        known_to = index + len(value)
        if clock() > deadline:
            break
    else:
        known_to = len(text) + 1
    return SourceParts(starts, *with_doubts(text, language, starts, kinds), known_to)


def _tokens(text: str, language: str) -> Iterator[Token]:
    tokens: Iterator[Token] = _lexer(language).get_tokens_unprocessed(text)
    return told_apart(text, tokens) if language == "python" else tokens


@lru_cache(maxsize=len(_LEXERS))
def _lexer(language: str) -> Lexer:
    """The lexer of a language, which remembers nothing of a text, and of which a text can have a thousand blocks."""
    if language in ("javascript", "typescript"):
        from review_gate.checks.jsx_lexer import JavascriptWithElements, TypescriptWithElements

        return JavascriptWithElements() if language == "javascript" else TypescriptWithElements()
    if language in ("shell", "perl", "ruby", "dockerfile"):
        from review_gate.checks import heredoc_lexers

        return heredoc_lexers.OF_LANGUAGE[language]()
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(_LEXERS[language])


def _kind(token: tuple[str, ...]) -> int:
    """Comments and docstrings are comments; what Pygments calls comments for the preprocessor is code."""
    if token == DOUBTFUL:
        return DOUBTFUL_TOKEN
    if token[:1] == ("Comment",):
        return CODE_TOKEN if token[1:2] in (("Preproc",), ("PreprocFile",)) else COMMENT_TOKEN
    if token[:2] == ("Literal", "String"):
        return COMMENT_TOKEN if token[2:3] == ("Doc",) else STRING_TOKEN
    return CODE_TOKEN


def _begins_anew(token: tuple[str, ...], value: str) -> bool:
    """Whether a token is a run of its own beside others of its kind: what opens and what ends a text over lines."""
    return token[2:3] == ("Delimiter",) or value.startswith("<<")


def _longest_line(text: str) -> int:
    return max(map(len, text.split("\n")))


def unreadable(text: str) -> str:
    """A text as long as another, with its marks and blanks and none of its words."""
    return "".join("X" if character.isalnum() else character for character in text)
