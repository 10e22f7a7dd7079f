"""Texts between the lines of a program that a lexer takes for something else, and all behind them with it.

Pygments knows the usual forms of such texts. Where it does not see one, or sees it end elsewhere, a single quote in it
makes strings of the code behind it, and code and comments of the strings.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from review_gate.checks.source_kinds import CODE_TOKEN, STRING_TOKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_QUOTED = r"\"[^\"\n]*\"|'[^'\n]*'"
_SHELL = re.compile(rf"(?<!<)<<(?!<)(?P<dash>-?)[ \t]*(?P<word>(?:\\.|{_QUOTED}|[^\s;&|<>()'\"\\=])+)")
_OPENERS = {
    "shell": _SHELL,
    "dockerfile": _SHELL,
    "perl": re.compile(rf"<<(?P<dash>~?)(?:[ \t]*(?=[\"'`]))?(?P<word>{_QUOTED}|`[^`\n]*`|\\?[A-Za-z_]\w*)"),
    "ruby": re.compile(rf"(?<!\w)<<(?P<dash>[-~]?)(?P<word>{_QUOTED}|`[^`\n]*`|[^\W\d]\w*)"),
    "php": re.compile(r"<<<(?P<dash>)[ \t]*(?P<word>\"\w+\"|'\w+'|\w+)"),
    "terraform": re.compile(r"<<(?P<dash>-?)[ \t]*(?P<word>[\w-]+)"),
    "powershell": re.compile(r"@(?P<dash>)(?P<word>[\"'])[ \t]*$", re.MULTILINE),
}
_LEADING_WORD = re.compile(r"\s*(\w*)")
# What of a line is compared with the end word: without a mark behind the opener, and with one.
_ENDS: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    **dict.fromkeys(("shell", "dockerfile"), (str, lambda line: line.lstrip("\t"))),
    "perl": (str, str.lstrip),
    "ruby": (str, str.strip),
    # Since PHP 7.3 the end can be indented, and the statement goes on behind it.
    "php": (lambda line: _LEADING_WORD.match(line)[1], str),  # type: ignore[index]  # it always matches
    "terraform": (str.strip, str.strip),
    "powershell": (lambda line: line[:1] if line[1:2] == "@" else "", str),
}
_QUOTES = re.compile(r"[\"'`\\]")
# Two brackets that are open make a shift of two arrows.
_IN_ARITHMETIC = re.compile(r"\(\([^)]*\Z")
_REACH = 200


def sure_to(text: str, language: str, starts: Sequence[int], kinds: Sequence[int]) -> int:
    """Where the first text opens that a lexer did not read as it is; the end of the text where it read all."""
    opener = _OPENERS.get(language)
    if opener is None or not starts:
        return len(text)
    return _Reading(text, language, starts, kinds).sure_to(opener)


class _Reading:
    """The runs that a lexer made of a text, and the lines of it by what they can end."""

    def __init__(self, text: str, language: str, starts: Sequence[int], kinds: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._kinds = kinds
        self._ends = _ENDS[language]
        # A shell reads on to the end of the file; elsewhere what never ends is a shift.
        self._needs_end = language in ("shell", "dockerfile")
        self._lines: dict[bool, dict[str, list[int]]] = {}

    def sure_to(self, pattern: re.Pattern[str]) -> int:
        """Where the first text opens that was not read as it is."""
        line_end = body = 0
        for opener in pattern.finditer(self._text):
            start = opener.start()
            is_on_same_line = start < line_end
            if not is_on_same_line and self._is_inside(start):
                continue
            if not is_on_same_line:
                line_end = self._text.find("\n", opener.end())
                body = line_end + 1
            read_to = self._read_to(opener, body)
            if read_to is None or _is_odd(self._text[opener.end() : line_end]):
                return start
            body = read_to or body
        return len(self._text)

    def _read_to(self, opener: re.Match[str], body: int) -> int | None:
        """Where the lines behind a text begin; 0 where none opens, and None where it was not read as it is."""
        end = self._end(_unquoted(opener["word"]), opener["dash"], body)
        if end < 0:
            return None if self._needs_end and not self._is_shift(opener.start()) else 0
        behind = self._text.find("\n", end) + 1 or len(self._text)
        at = bisect_right(self._starts, body) - 1
        run_end = self._starts[at + 1] if at + 1 < len(self._starts) else len(self._text)
        is_read = self._kinds[at] == STRING_TOKEN and end <= run_end <= behind
        return behind if is_read else None

    def _is_inside(self, start: int) -> bool:
        """Whether a place is inside of a comment or a string, which does not begin there."""
        at = bisect_right(self._starts, start) - 1
        return self._kinds[at] != CODE_TOKEN and self._starts[at] != start

    def _is_shift(self, start: int) -> bool:
        before = self._text[max(self._text.rfind("\n", 0, start) + 1, start - _REACH) : start]
        return self._kinds[bisect_right(self._starts, start) - 1] == CODE_TOKEN and bool(_IN_ARITHMETIC.search(before))

    def _end(self, word: str, dash: str, body: int) -> int:
        """Where the first line begins that ends a text which begins at a place; -1 where there is none."""
        if bool(dash) not in self._lines:
            self._lines[bool(dash)] = _lines_by(self._ends[bool(dash)], self._text)
        places = self._lines[bool(dash)].get(word, [])
        at = bisect_left(places, body)
        return places[at] if at < len(places) else -1


def _lines_by(key: Callable[[str], str], text: str) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = {}
    start = 0
    for line in text.split("\n"):
        lines.setdefault(key(line), []).append(start)
        start += len(line) + 1
    return lines


def _unquoted(word: str) -> str:
    """An end word as it stands at the end; in PowerShell it is a quote."""
    return _QUOTES.sub("", word) if len(word) > 1 else word


def _is_odd(rest: str) -> bool:
    """Whether the rest of the line that opens a text may go on behind that text."""
    return rest.endswith("\\") or any(rest.count(quote) % 2 for quote in "\"'`")
