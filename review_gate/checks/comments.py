"""Where a comment begins on a line, by language; a directive counts only there, never in prose or in a string."""

from __future__ import annotations

from review_gate.checks.languages import MARKDOWN, TEXT

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
# Of two that fit, such as /** and *, the longer one is meant.
_LONGEST_FIRST = {openers: tuple(sorted(openers, key=len, reverse=True)) for openers in (_C, *_OPENERS.values())}
# Some languages and people write these twice or more: ##, ///, ;;
_REPEATED = ("#", "//", "--", ";", "%")
# In the middle of a line these are code: a product, a range, a name.
_ONLY_FIRST = ("*", "..", "REM")
# What may stand around a comment that is a line of its own: JavaScript's way to put one between tags.
_BRACES = ("", "{", "}")
_STRING_PREFIXES = ("r", "b", "f", "u", "rb", "br", "fr", "rf")


class Comment:
    """A comment that opens directly before a place on a line: where it opens, how, and whether code is before it."""

    __slots__ = ("closer", "is_first", "start")

    def __init__(self, start: int, closer: str, *, is_first: bool) -> None:
        self.start = start
        self.closer = closer
        self.is_first = is_first


def comment_before(line: str, at: int, language: str, quotes: Quotes) -> Comment | None:
    """The comment that opens directly before a place of a line, if one does there and not in a string or code span."""
    before = line[:at].rstrip(" \t")
    for opener in _LONGEST_FIRST[_OPENERS.get(language, _C)]:
        # "'review-gate: ..." without a space is a string.
        if not _ends_with(before, opener) or (opener == "'" and len(before) == at):
            continue
        start = _start_of(before, opener)
        ahead = before[: max(start, 0)].strip(" \t")
        if not (ahead and opener in _ONLY_FIRST):
            return None if quotes.hold(start) else Comment(start, CLOSERS[opener], is_first=ahead in _BRACES)
    return None


def _start_of(before: str, opener: str) -> int:
    """Where the mark at the end of a text begins, with all its repeats."""
    start = len(before) - len(opener)
    if opener in _REPEATED:
        start = len(before[: max(start, 0)].rstrip(opener[0]))
    return start


def _ends_with(before: str, opener: str) -> bool:
    return before[-3:].upper() == "REM" if opener == "REM" else before.endswith(opener)


class Quotes:
    """The quotes of a line. They are asked from left to right, so that all answers together take one pass over it."""

    __slots__ = ("closings", "line", "marks", "opened", "position")

    def __init__(self, line: str, language: str) -> None:
        self.line = line
        self.marks = "`" if language == MARKDOWN else "\"'`"
        self.opened, self.position = "", 0
        self.closings: dict[str, int] = {}

    def hold(self, at: int) -> bool:
        """Whether a quote that opened before a place closes after it."""
        while self.position < at:
            self._step()
        return bool(self.opened) and self._closes(at)

    def _step(self) -> None:
        letter = self.line[self.position]
        mark = _run(self.line, self.position) if letter == "`" else letter
        if letter == "\\":
            self.position += 1
        elif self.opened:
            self.opened = "" if mark == self.opened else self.opened
        elif letter in self.marks and not _is_apostrophe(self.line, self.position):
            self.opened = mark
        self.position += len(mark)

    def _closes(self, at: int) -> bool:
        known = self.closings.get(self.opened, -1)
        if known < at:
            known = self.closings[self.opened] = _closing(self.line, at, self.opened)
        return known < len(self.line)


def _run(line: str, position: int) -> str:
    """The backticks from a place on: as many as open a code span close it."""
    end = position
    while line[end : end + 1] == "`":
        end += 1
    return line[position:end]


def _is_apostrophe(line: str, position: int) -> bool:
    """Whether a quote follows a letter, as in a contraction; after `r` or `b`, as Python has them, a string opens."""
    if line[position] != "'" or position == 0 or not line[position - 1].isalnum():
        return False
    word = line[max(0, position - 3) : position]
    while not word.isalnum():
        word = word[1:]
    return word.lower() not in _STRING_PREFIXES


def _closing(line: str, at: int, opened: str) -> int:
    """Where the quote that is open at a place closes, or the end of the line."""
    found = line.find(opened, at)
    while found >= 0:
        is_in_word = line[found - 1].isalnum() and line[found + 1 : found + 2].isalnum()
        if opened != "'" or not is_in_word:
            return found
        found = line.find(opened, found + 1)
    return len(line)


def fenced_lines(lines: list[str]) -> set[int]:
    """The numbers, from 1, of the lines of Markdown that are in a fenced code block."""
    fenced: set[int] = set()
    fence: _Fence | None = None
    for number, line in enumerate(lines, 1):
        depth, at = _quotation(line)
        if fence is not None and fence.is_left(depth, at, line):
            fence = None
        if fence is None:
            fence = _opened(line, depth, at)
        else:
            fenced.add(number)
            fence = None if fence.is_closed(line[at:]) else fence
    return fenced


class _Fence:
    """An open code block: its mark, how many quotations are around it, and where the text of its list item begins."""

    __slots__ = ("column", "depth", "mark")

    def __init__(self, mark: str, depth: int, column: int) -> None:
        self.mark = mark
        self.depth = depth
        self.column = column

    def is_left(self, depth: int, at: int, line: str) -> bool:
        """Whether a line is outside of the quotation or the item that holds the block, which ends it."""
        return depth < self.depth or (at < self.column and at < len(line))

    def is_closed(self, text: str) -> bool:
        """Whether a line is its closing mark: at least as long as the opening one, and alone."""
        mark = _mark(text)
        return mark.startswith(self.mark) and not text[len(mark) :].strip()


def _quotation(line: str) -> tuple[int, int]:
    """How many marks of quotations a line begins with, and where its text begins."""
    depth, at = 0, 0
    while at < len(line) and line[at] in " \t>":
        depth += line[at] == ">"
        at += 1
    return depth, at


def _opened(line: str, depth: int, at: int) -> _Fence | None:
    column = 0
    while end := _item_end(line, at):
        more, skipped = _quotation(line[end:])
        depth, column, at = depth + more, end, end + skipped
    mark = _mark(line[at:])
    is_fence = len(mark) >= 3 and (mark[0] == "~" or "`" not in line[at + len(mark) :])
    return _Fence(mark, depth, column) if is_fence else None


def _item_end(line: str, at: int) -> int:
    """Where the text of a list item begins whose mark is at a place, 0 where there is none."""
    digits = len(line) - at - len(line[at:].lstrip("0123456789"))
    end = at + digits + 1
    is_mark = line[at + digits : end] in (".", ")") if 0 < digits < 10 else line[at:end] in ("-", "*", "+")
    if not is_mark or line[end : end + 1] not in (" ", "\t"):
        return 0
    return len(line) - len(line[end:].lstrip(" \t"))


def _mark(text: str) -> str:
    return text[: len(text) - len(text.lstrip(text[:1]))] if text[:1] in ("`", "~") else ""


def long_strings(text: str) -> list[tuple[int, int]]:
    """Start and end of every string over several lines of Python source with LF line ends."""
    found, position, ahead = [], 0, _Ahead(text)
    while (position := min(ahead.place(mark, position) for mark in "#\"'")) < len(text):
        triple = text[position : position + 3]
        if text[position] == "#":
            position = ahead.place("\n", position)
        elif triple in ('"""', "'''"):
            end = _string_end(text, position + 3, triple, len(text))
            found.append((position, end))
            position = end
        else:
            end = _short_string_end(text, position, ahead)
            found += [(position, end)] if "\n" in text[position:end] else []
            position = end
    return found


def _short_string_end(text: str, start: int, ahead: _Ahead) -> int:
    """Where a string ends that one quote opens: with its line, unless a backslash goes before the end of that."""
    position = start + 1
    while True:
        line_end = ahead.place("\n", position)
        end = _string_end(text, position, text[start], line_end)
        line = text[position:line_end]
        is_continued = end == line_end < len(text) and (len(line) - len(line.rstrip("\\"))) % 2
        if not is_continued:
            return end
        position = line_end + 1


class _Ahead:
    """Where the next of each mark is; remembered, so that no search runs over the same text twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: dict[str, int] = {}

    def place(self, mark: str, position: int) -> int:
        """The next place of a mark, or the end of the text."""
        known = self.places.get(mark, -1)
        if known < position:
            found = self.text.find(mark, position)
            known = self.places[mark] = len(self.text) if found < 0 else found
        return known


def _string_end(text: str, position: int, quote: str, limit: int) -> int:
    """The place after the closing quote, or the limit where there is none."""
    while (found := text.find(quote, position, limit)) >= 0:
        slashes = len(text[position:found]) - len(text[position:found].rstrip("\\"))
        if slashes % 2 == 0:
            return found + len(quote)
        position = found + 1
    return limit
