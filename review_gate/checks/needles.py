"""Regular expression -> literals of which every match must hold one, so that one pass can look for all of them."""

from __future__ import annotations

import re._constants as code  # type: ignore[import-not-found]  # typeshed leaves the parser of `re` out
import re._parser as parser  # type: ignore[import-not-found]  # as above
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from review_gate.checks.sought import WIDEST_WINDOW

MAX_TEXTS = 24
MAX_LENGTH = 32
MAX_CLASS = 8
MAX_ODD_CLASS = 64
MAX_COPIES = 4
IGNORE_CASE = int(code.SRE_FLAG_IGNORECASE)
DOT_ALL = int(code.SRE_FLAG_DOTALL)
MULTI_LINE = int(code.SRE_FLAG_MULTILINE)
CARRIAGE_RETURN = 13
LINE_ENDS = (10, CARRIAGE_RETURN)
ENDLESS = 1 << 20

# How telling a character is: rarer ones weigh more. Letters as in English text, punctuation as in source code.
_COMMON = " etaoinsrhldcumfpgwybvkxjqz"
_WEIGHT = {letter: 2.0 + 0.22 * place for place, letter in enumerate(_COMMON)}
_OTHER_WEIGHT = 6.0
# Control characters and letters of other alphabets: one of them alone is telling enough.
_ODD_WEIGHT = 14.0
# A search of the line costs about as much as a needle that is met this much more often.
_FAR_COST = 8.0

_NESTED = (list, tuple, parser.SubPattern)
# A class that holds both of a pair holds every character.
_OPPOSITES = (
    (code.CATEGORY_SPACE, code.CATEGORY_NOT_SPACE),
    (code.CATEGORY_WORD, code.CATEGORY_NOT_WORD),
    (code.CATEGORY_DIGIT, code.CATEGORY_NOT_DIGIT),
)


# The first and the last of some characters.
Range = tuple[int, int]


class Needle(NamedTuple):
    """Texts one of which is in every match, and how many characters of the match can stand before it."""

    texts: tuple[str, ...]
    ignores_case: bool
    least_before: int
    most_before: int

    @property
    def is_far(self) -> bool:
        """Whether its place says little about where a match begins, so that the whole line has to be searched."""
        return self.most_before - self.least_before > WIDEST_WINDOW

    @property
    def worth(self) -> float:
        """How rarely one of the texts is to be expected."""
        return min(map(_worth, self.texts)) - len(self.texts).bit_length()


def _worth(text: str) -> float:
    return sum(_ODD_WEIGHT if is_odd(letter) else _WEIGHT.get(letter.lower(), _OTHER_WEIGHT) for letter in text)


def is_odd(letter: str) -> bool:
    """Whether a character is seldom seen in source code."""
    return letter > "\x7e" or (letter < " " and letter != "\t")


@lru_cache(maxsize=1_000)
def _parse(pattern: str) -> Any:
    with warnings.catch_warnings():
        # What a later Python may read in another way is not for the user of a check to hear.
        warnings.simplefilter("ignore")
        return parser.parse(pattern)


def needles_of(pattern: str) -> tuple[Needle, ...]:
    """What every match of a pattern must hold, each needle by itself, the most telling first."""
    parsed = _parse(pattern)
    walk = _Walk()
    walk.items(list(parsed), parsed.state.flags)
    walk.close()
    return tuple(sorted(walk.found, key=lambda needle: needle.is_far * _FAR_COST - needle.worth))


@lru_cache(maxsize=1_000)
def speaks_of_line_ends(pattern: str) -> bool:
    """Whether a pattern is meant for more than one line: it names a line end, or the start or end of the text."""
    parsed = _parse(pattern)
    operations = list(_operations(parsed))
    flags = parsed.state.flags | _added_flags(operations)
    has_dot_for_all = bool(flags & DOT_ALL) and any(operation is code.ANY for operation, _ in operations)
    return has_dot_for_all or any(_names_line_end(operation, argument) for operation, argument in operations)


@lru_cache(maxsize=1_000)
def speaks_of_carriage_returns(pattern: str) -> bool:
    """Whether a pattern tells one kind of line end from another, so that it is compared with the text as it is."""
    return any(
        argument == CARRIAGE_RETURN
        if operation is code.LITERAL
        else operation is code.IN and (code.LITERAL, CARRIAGE_RETURN) in argument and argument[0][0] is not code.NEGATE
        for operation, argument in _operations(_parse(pattern))
    )


def is_same_across_lines(pattern: str) -> bool:
    """Whether a place of a line matches by itself exactly when it matches in the whole text up to the end of the line.

    A look behind can see the line before, and a negative look ahead or an atomic group can be spoilt by the next one.
    """
    return not any(_sees_other_lines(*one) for one in _operations(_parse(pattern)))


def can_match_nothing(pattern: str) -> bool:
    """Whether a match of the pattern can be empty."""
    return int(_parse(pattern).getwidth()[0]) == 0


def ranges_outside_ascii(pattern: str) -> tuple[Range, ...]:
    """Ranges of characters outside ASCII, one of which is in every match; none when a match can do without."""
    parsed = _parse(pattern)
    return _ranges_in(parsed, parsed.state.flags)


@lru_cache(maxsize=1_000)
def named_outside_ascii(pattern: str) -> tuple[Range, ...]:
    """The characters outside ASCII that a pattern names, also in order to leave them out."""
    return tuple((max(low, 128), high) for low, high in _named(pattern) if high > 127)


def _named(pattern: str) -> Iterator[Range]:
    for operation, argument in _operations(_parse(pattern)):
        members = argument if operation is code.IN else [(operation, argument)]
        for kind, value in members:
            if kind in (code.LITERAL, code.NOT_LITERAL):
                yield value, value
            elif kind is code.RANGE:
                yield value


def _ranges_in(items: Any, flags: int) -> tuple[Range, ...]:
    """The first that a sequence needs."""
    return next(filter(None, (_ranges_of(operation, argument, flags) for operation, argument in items)), ())


def _ranges_of(operation: Any, argument: Any, flags: int) -> tuple[Range, ...]:
    if operation in (code.LITERAL, code.IN):
        # Without regard to case a long s is an s, and the Kelvin sign a k.
        return () if flags & IGNORE_CASE else _ranges_of_class(operation, argument)
    if operation is code.SUBPATTERN:
        _, added, removed, items = argument
        return _ranges_in(items, (flags | added) & ~removed)
    if operation is code.ATOMIC_GROUP:
        return _ranges_in(argument, flags)
    if operation in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        return _ranges_in(argument[2], flags) if argument[0] > 0 else ()
    if operation is code.BRANCH:
        each = [_ranges_in(branch, flags) for branch in argument[1]]
        return tuple(one for ranges in each for one in ranges) if all(each) else ()
    return ()


def _ranges_of_class(operation: Any, argument: Any) -> tuple[Range, ...]:
    members = [(operation, argument)] if operation is code.LITERAL else argument
    if any(kind not in (code.LITERAL, code.RANGE) for kind, _ in members):
        return ()
    ranges = tuple((value, value) if kind is code.LITERAL else (value[0], value[1]) for kind, value in members)
    return ranges if all(low > 127 for low, _ in ranges) else ()


def _operations(items: Any) -> Iterator[tuple[Any, Any]]:
    """Every operation of a parsed pattern, the inner ones too; a class of characters is one operation."""
    for item in items:
        if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], type(code.LITERAL)):
            yield item
            if item[0] is not code.IN and isinstance(item[1], _NESTED):
                yield from _operations(item[1])
        elif isinstance(item, _NESTED):
            yield from _operations(item)


def _added_flags(operations: list[tuple[Any, Any]]) -> int:
    added = 0
    for operation, argument in operations:
        if operation is code.SUBPATTERN:
            added |= argument[1]
    return added


def _names_line_end(operation: Any, argument: Any) -> bool:
    if operation is code.LITERAL:
        return argument in LINE_ENDS
    if operation is code.AT:
        return argument in (code.AT_BEGINNING_STRING, code.AT_END_STRING)
    if operation is code.IN and argument[0][0] is not code.NEGATE:
        categories = {name for kind, name in argument if kind is code.CATEGORY}
        return any(kind is code.LITERAL and name in LINE_ENDS for kind, name in argument) or any(
            one in categories and other in categories for one, other in _OPPOSITES
        )
    return False


def _sees_other_lines(operation: Any, argument: Any) -> bool:
    if operation is code.SUBPATTERN:
        return bool(argument[2] & MULTI_LINE)
    if operation is code.ASSERT:
        return bool(argument[0] < 0)
    return operation in (code.ASSERT_NOT, code.ATOMIC_GROUP, code.POSSESSIVE_REPEAT)


class _Walk:
    """A walk along a parsed pattern that collects runs of literal text."""

    def __init__(self, least: int = 0, most: int = 0) -> None:
        self.found: list[Needle] = []
        self.least, self.most = least, most
        self._texts: tuple[str, ...] = ("",)
        self._ignores_case = False
        self._start = (least, most)

    def items(self, items: list[Any], flags: int) -> None:
        """Take the parts of a sequence in order."""
        for operation, argument in items:
            _TAKE.get(operation, _Walk._unknown)(self, argument, flags)

    def alternatives(self, texts: tuple[str, ...], flags: int) -> None:
        """Take one of several texts of one length."""
        ignores_case = bool(flags & IGNORE_CASE)
        if any(not _is_plain(text, ignores_case=ignores_case) for text in texts):
            self.gap(len(texts[0]), len(texts[0]))
            return
        if ignores_case:
            # Only plain ASCII comes here: a dotted capital I becomes two characters in lower case.
            texts = tuple(dict.fromkeys(text.lower() for text in texts))
        if self._texts != ("",) and (
            ignores_case != self._ignores_case
            or len(self._texts) * len(texts) > MAX_TEXTS
            or len(self._texts[0]) >= MAX_LENGTH
        ):
            self.close()
        self._ignores_case = ignores_case
        self._texts = tuple(head + tail for head in self._texts for tail in texts)
        self._advance(len(texts[0]), len(texts[0]))

    def gap(self, least: int, most: int) -> None:
        """Take something that is not known in advance."""
        self.close()
        self._advance(least, most)
        self._start = (self.least, self.most)

    def close(self) -> None:
        """End the run of literal text, which becomes a needle."""
        if self._texts != ("",):
            self.found.append(Needle(self._texts, self._ignores_case, *self._start))
        self._texts = ("",)
        self._start = (self.least, self.most)

    def _advance(self, least: int, most: int) -> None:
        self.least = min(self.least + least, ENDLESS)
        self.most = min(self.most + most, ENDLESS)

    def _literal(self, argument: Any, flags: int) -> None:
        self.alternatives((chr(argument),), flags)

    def _in(self, argument: Any, flags: int) -> None:
        letters = _letters(argument)
        if letters is None:
            self.gap(1, 1)
        else:
            self.alternatives(letters, flags)

    def _one(self, argument: Any, flags: int) -> None:
        self.gap(1, 1)

    def _nothing(self, argument: Any, flags: int) -> None:
        """An assertion takes no room, so the text on both sides of it is one."""

    def _group(self, argument: Any, flags: int) -> None:
        _, added, removed, items = argument
        self.items(list(items), (flags | added) & ~removed)

    def _atomic(self, argument: Any, flags: int) -> None:
        self.items(list(argument), flags)

    def _repeat(self, argument: Any, flags: int) -> None:
        least, most, items = argument
        for _ in range(min(int(least), MAX_COPIES)):
            self.items(list(items), flags)
        if most is code.MAXREPEAT or int(most) > min(int(least), MAX_COPIES):
            low, high = _width(items)
            rest_least = max(0, int(least) - MAX_COPIES)
            rest_most = ENDLESS if most is code.MAXREPEAT else int(most) - min(int(least), MAX_COPIES)
            self.gap(low * rest_least, min(ENDLESS, high * rest_most))

    def _branch(self, argument: Any, flags: int) -> None:
        _, branches = argument
        texts = _texts_of(branches)
        if texts is not None and len({len(text) for text in texts}) == 1:
            self.alternatives(texts, flags)
            return
        self._add_union([self._best_in(branch, flags) for branch in branches])
        widths = [_width(branch) for branch in branches]
        self.gap(min(low for low, _ in widths), min(ENDLESS, max(high for _, high in widths)))

    def _best_in(self, branch: Any, flags: int) -> Needle | None:
        """The most telling needle of a branch; the run that leads up to it goes on inside."""
        inside = _Walk(self.least, self.most)
        inside._texts, inside._start, inside._ignores_case = self._texts, self._start, self._ignores_case
        inside.items(list(branch), flags)
        inside.close()
        return max(inside.found, key=lambda needle: needle.worth, default=None)

    def _add_union(self, best: list[Needle | None]) -> None:
        needles = [needle for needle in best if needle is not None]
        if len(needles) < len(best):
            return
        texts = [text for needle in needles for text in needle.texts]
        ignores_case = any(needle.ignores_case for needle in needles)
        if ignores_case and not all(map(str.isascii, texts)):
            return
        # What must be there as it is written is there without regard to case, too.
        texts = list(dict.fromkeys(text.lower() if ignores_case else text for text in texts))
        if len(texts) <= MAX_TEXTS:
            least = min(needle.least_before for needle in needles)
            most = max(needle.most_before for needle in needles)
            self.found.append(Needle(tuple(texts), ignores_case, least, most))

    def _unknown(self, argument: Any, flags: int) -> None:
        """A back-reference or a condition: as wide as may be."""
        self.gap(0, ENDLESS)


_TAKE = {
    code.LITERAL: _Walk._literal,
    code.IN: _Walk._in,
    code.ANY: _Walk._one,
    code.NOT_LITERAL: _Walk._one,
    code.AT: _Walk._nothing,
    code.ASSERT: _Walk._nothing,
    code.ASSERT_NOT: _Walk._nothing,
    code.SUBPATTERN: _Walk._group,
    code.ATOMIC_GROUP: _Walk._atomic,
    code.MAX_REPEAT: _Walk._repeat,
    code.MIN_REPEAT: _Walk._repeat,
    code.POSSESSIVE_REPEAT: _Walk._repeat,
    code.BRANCH: _Walk._branch,
}


def _width(items: Any) -> tuple[int, int]:
    least, most = items.getwidth()
    return min(int(least), ENDLESS), min(int(most), ENDLESS)


def _is_plain(text: str, *, ignores_case: bool) -> bool:
    """Whether the bytes of a text are known: without regard to case only those of ASCII are."""
    if "\n" in text or "\r" in text:
        return False
    return text.isascii() if ignores_case else not any("\ud800" <= letter <= "\udfff" for letter in text)


def _letters(items: Any) -> tuple[str, ...] | None:
    """The few characters of a class, or None when it has many or is negated."""
    found: list[str] = []
    for operation, argument in items:
        if operation is code.LITERAL:
            found.append(chr(argument))
        elif operation is code.RANGE and argument[1] - argument[0] < MAX_ODD_CLASS:
            found += map(chr, range(argument[0], argument[1] + 1))
        else:
            return None
    most = MAX_ODD_CLASS if all(map(is_odd, found)) else MAX_CLASS
    return tuple(dict.fromkeys(found)) if 0 < len(found) <= most else None


def _texts_of(branches: Any) -> tuple[str, ...] | None:
    """The texts of branches that are nothing but text."""
    texts = []
    for branch in branches:
        if any(operation is not code.LITERAL for operation, _ in branch) or not len(branch):
            return None
        texts.append("".join(chr(argument) for _, argument in branch))
    return tuple(texts) if len(texts) <= MAX_TEXTS else None
