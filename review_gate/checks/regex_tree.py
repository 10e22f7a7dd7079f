"""The text of a Python regex -> a small tree, and the same regex written for the `regex` package.

Python has no public parser of its patterns. This one knows their whole syntax, but keeps only what the engine asks:
which characters a part may be, how often it comes, and what is inside what.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MAX_NESTING = 50
ENDLESS = 1 << 20
TEXT, CLASS, ANY, PLACE, EDGE, GROUP, LOOK, REPEAT, REFERENCE = (
    "text",
    "class",
    "any",
    "place",
    "edge",
    "group",
    "look",
    "repeat",
    "reference",
)

_FLAGS = frozenset("aiLmsux")
_CONTROLS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_CATEGORIES = frozenset("dDsSwW")
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_REPEAT = re.compile(r"\*|\+|\?|\{(?:(\d+)(?:(,)(\d*))?|(,)(\d*))\}")
_INLINE_FLAGS = re.compile(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_OPENING = re.compile(r"\(\?(?:P<\w+>|:|>|<=|<!|=|!|\(\w+\))|\((?!\?)")
_BACK_REFERENCE = re.compile(r"\(\?P=\w+\)")


class PatternError(ValueError):
    """What is wrong with a pattern, and where."""


class Part(NamedTuple):
    """One part of a regex; `ranges` are the characters that it names, `categories` the s of "any blank" and the like.

    A GROUP and a LOOK have `branches`, a REPEAT has one with one part; `is_negated` is of a class or of a look, and
    `spans_lines` of an ANY that is a line end too.
    """

    kind: str
    ranges: tuple[tuple[int, int], ...] = ()
    categories: str = ""
    branches: tuple[tuple[Part, ...], ...] = ()
    least: int = 1
    most: int = 1
    is_negated: bool = False
    ignores_case: bool = False
    spans_lines: bool = False

    @property
    def width(self) -> int:
        """The length of its shortest match."""
        if self.kind in (PLACE, EDGE, LOOK, REFERENCE):
            return 0
        if self.kind == GROUP:
            return min(map(width_of, self.branches))
        return min(ENDLESS, self.least * width_of(self.branches[0])) if self.kind == REPEAT else 1


class Regex(NamedTuple):
    """A parsed regex: its branches, and its text for the `regex` package."""

    branches: tuple[tuple[Part, ...], ...]
    text: str


def width_of(parts: tuple[Part, ...]) -> int:
    """The length of the shortest match of a sequence."""
    return sum(part.width for part in parts)


def parts_of(branches: tuple[tuple[Part, ...], ...]) -> list[Part]:
    """Every part, the inner ones too."""
    found = [part for branch in branches for part in branch]
    for part in found:
        found += [inner for branch in part.branches for inner in branch]
    return found


@lru_cache(maxsize=1_000)
def parsed(pattern: str) -> Regex:
    """The tree of a pattern, or a PatternError."""
    parser = _Parser(pattern)
    branches = parser.branches(parser.global_flags())
    if parser.at < len(pattern):
        raise parser.error("unbalanced parenthesis")
    return Regex(branches, "".join(parser.pieces))


class _Parser:
    """A walk along the text of a pattern; `pieces` is what the `regex` package gets to read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.pieces: list[str] = []
        self.depth = 0

    def error(self, what: str) -> PatternError:
        return PatternError(f"{what} at position {self.at}")

    def take(self, length: int, written: str | None = None) -> str:
        """The next characters, which another text may stand for."""
        taken = self.text[self.at : self.at + length]
        self.at += len(taken)
        self.pieces.append(taken if written is None else written)
        return taken

    def global_flags(self) -> frozenset[str]:
        """The flags at the start of a pattern."""
        flags = frozenset("u")
        while found := _INLINE_FLAGS.match(self.text, self.at):
            if found[3] != ")":
                break
            flags = self._changed(flags, found[1], found[2] or "")
            self.take(len(found[0]))
        return flags

    def _changed(self, flags: frozenset[str], on: str, off: str) -> frozenset[str]:
        if not (on or off) or not _FLAGS.issuperset(on + off) or "L" in on + off:
            raise self.error("unknown flags")
        return (flags | set(on)) - set(off)

    def branches(self, flags: frozenset[str]) -> tuple[tuple[Part, ...], ...]:
        """Alternatives up to the end, or to the bracket that closes them."""
        self.depth += 1
        if self.depth > MAX_NESTING + 1:
            raise PatternError(f"nested deeper than {MAX_NESTING} levels")
        found = [self._sequence(flags)]
        while self.text[self.at : self.at + 1] == "|":
            self.take(1)
            found.append(self._sequence(flags))
        self.depth -= 1
        return tuple(found)

    def _sequence(self, flags: frozenset[str]) -> tuple[Part, ...]:
        parts: list[Part] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            if "x" in flags and self._skip_comment():
                continue
            found = _REPEAT.match(self.text, self.at)
            if found:
                parts[-1:] = [self._repeated(found, parts)]
                continue
            part = self._part(flags)
            if part is not None:
                parts.append(part)
        return tuple(parts)

    def _skip_comment(self) -> bool:
        letter = self.text[self.at]
        if letter == "#":
            end = self.text.find("\n", self.at)
            self.take((end if end >= 0 else len(self.text)) - self.at)
        elif letter in " \t\n\r\v\f":
            self.take(1)
        return letter == "#" or letter in " \t\n\r\v\f"

    def _repeated(self, found: re.Match[str], parts: list[Part]) -> Part:
        if not parts or parts[-1].kind == PLACE:
            raise self.error("nothing to repeat")
        if parts[-1].kind == REPEAT:
            raise self.error("multiple repeat")
        sign, high = found[0], ""
        if sign in "*+?":
            least, most = int(sign == "+"), 1 if sign == "?" else ENDLESS
        else:
            least = int(found[1] or 0)
            high = found[3] if found[2] else found[5] if found[4] else found[1]
            most = int(high) if high else ENDLESS
        if most < least:
            raise self.error("min repeat greater than max repeat")
        # The other package knows no braces without a number.
        written = f"{{{least},{high or ''}}}" if found[4] else sign
        self.take(len(sign), written)
        if self.text[self.at : self.at + 1] in ("?", "+"):
            self.take(1)
        return Part(REPEAT, branches=((parts[-1],),), least=min(least, ENDLESS), most=min(most, ENDLESS))

    def _part(self, flags: frozenset[str]) -> Part | None:
        letter = self.text[self.at]
        if letter == "(":
            return self._group(flags)
        if letter == "[":
            return self._class("i" in flags)
        if letter == "\\":
            return self._escaped("i" in flags)
        # The `regex` package would read `{e<=1}` as a permission to match roughly.
        self.take(1, r"\{" if letter == "{" else None)
        if letter == ".":
            return Part(ANY, spans_lines="s" in flags)
        if letter in "^$":
            return Part(PLACE)
        return Part(TEXT, ((ord(letter), ord(letter)),), ignores_case="i" in flags)

    def _group(self, flags: frozenset[str]) -> Part | None:
        if self.text.startswith("(?#", self.at):
            end = self.text.find(")", self.at)
            if end < 0:
                raise self.error("missing ), unterminated comment")
            self.at = end + 1
            return None
        if found := _BACK_REFERENCE.match(self.text, self.at):
            self.take(len(found[0]))
            return Part(REFERENCE)
        if found := _INLINE_FLAGS.match(self.text, self.at):
            if found[3] == ")":
                raise self.error("global flags not at the start of the expression")
            flags = self._changed(flags, found[1], found[2] or "") if found[1] or found[2] else flags
        else:
            found = _OPENING.match(self.text, self.at)
        if not found:
            raise self.error(f"unknown extension {self.text[self.at + 1 : self.at + 4]}")
        opening = self.take(len(found[0]))
        branches = self.branches(flags)
        if self.text[self.at : self.at + 1] != ")":
            raise self.error("missing ), unterminated subpattern")
        self.take(1)
        if opening in ("(?=", "(?!", "(?<=", "(?<!"):
            return Part(LOOK, branches=branches, is_negated=opening.endswith("!"))
        if opening.startswith("(?("):
            # Without a second branch it may be nothing.
            branches = branches if len(branches) > 1 else (*branches, ())
        return Part(GROUP, branches=branches)

    def _escaped(self, ignores_case: bool) -> Part:
        letter = self.text[self.at + 1 : self.at + 2]
        if letter in _CATEGORIES and letter:
            self.take(2)
            return Part(CLASS, categories=letter)
        if letter in ("A", "Z"):
            self.take(2)
            return Part(EDGE)
        if letter in ("b", "B"):
            self.take(2)
            return Part(PLACE)
        if letter.isdigit() and letter != "0" and not re.match(r"[0-3][0-7]{2}", self.text[self.at + 1 :]):
            self.take(3 if self.text[self.at + 2 : self.at + 3].isdigit() else 2)
            return Part(REFERENCE)
        place = self._character()
        return Part(TEXT, ((place, place),), ignores_case=ignores_case)

    def _character(self) -> int:
        """The character that an escape stands for."""
        letter = self.text[self.at + 1 : self.at + 2]
        if letter in _HEX_DIGITS:
            return self._hexadecimal(_HEX_DIGITS[letter])
        if letter == "N":
            return self._named()
        if letter in "01234567" and letter:
            digits = re.match(r"[0-7]{1,3}", self.text[self.at + 1 :])
            self.take(1 + len(digits[0]) if digits else 2)
            return int(digits[0], 8) if digits else 0
        if letter in _CONTROLS:
            self.take(2)
            return _CONTROLS[letter]
        if not letter or (letter.isascii() and letter.isalnum()):
            raise self.error(f"bad escape \\{letter}")
        self.take(2)
        return ord(letter)

    def _hexadecimal(self, length: int) -> int:
        digits = self.text[self.at + 2 : self.at + 2 + length]
        if not re.fullmatch(rf"[0-9a-fA-F]{{{length}}}", digits) or int(digits, 16) > 0x10FFFF:
            raise self.error(f"incomplete escape {self.text[self.at : self.at + 2 + length]}")
        self.take(2 + length)
        return int(digits, 16)

    def _named(self) -> int:
        found = re.match(r"\{([^}]+)\}", self.text[self.at + 2 :])
        try:
            place = ord(unicodedata.lookup(found[1])) if found else -1
        except (KeyError, TypeError):
            place = -1
        if not found or place < 0:
            raise self.error("unknown character name")
        self.take(2 + len(found[0]))
        return place

    def _class(self, ignores_case: bool) -> Part:
        begin = self.at
        self.take(1)
        is_negated = self.text[self.at : self.at + 1] == "^"
        if is_negated:
            self.take(1)
        ranges, categories, is_first = list[tuple[int, int]](), "", True
        while is_first or self.text[self.at : self.at + 1] != "]":
            if self.at >= len(self.text):
                self.at = begin
                raise self.error("unterminated character set")
            low = self._member()
            is_range = self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", "")
            is_first = False
            if isinstance(low, str):
                categories += low
                if is_range:
                    raise self.error("bad character range")
                continue
            high: int | str = low
            if is_range:
                self.take(1)
                high = self._member()
            if isinstance(high, str) or high < low:
                raise self.error("bad character range")
            ranges.append((low, high))
        self.take(1)
        return Part(CLASS, tuple(ranges), categories, is_negated=is_negated, ignores_case=ignores_case)

    def _member(self) -> int | str:
        """One character of a class, or the letter of a category."""
        letter = self.text[self.at]
        if letter != "\\":
            # The `regex` package knows names such as [:alpha:].
            self.take(1, r"\[" if letter == "[" else None)
            return ord(letter)
        if self.text[self.at + 1 : self.at + 2] in _CATEGORIES and self.at + 1 < len(self.text):
            return self.take(2)[1]
        return self._character()
