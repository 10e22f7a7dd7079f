"""What a regex says about texts before it is compiled: texts that every match holds, and whether it speaks of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from review_gate.checks.regex_tree import (
    ANY,
    CLASS,
    EDGE,
    GROUP,
    LOOK,
    PLACE,
    REPEAT,
    TEXT,
    Part,
    parsed,
    parts_of,
    width_of,
)

MAX_TEXTS = 24
MAX_UNION = 64
MOST_OTHERS = 3
MAX_LENGTH = 32
MAX_CLASS = 8
MAX_ODD_CLASS = 64
MAX_COPIES = 4
LINE_ENDS = (10, 13)
CARRIAGE_RETURN = 13

# How telling a character is: rarer ones weigh more. Letters as in English text, punctuation as in source code.
_COMMON = " etaoinsrhldcumfpgwybvkxjqz"
_WEIGHT = {letter: 2.0 + 0.22 * place for place, letter in enumerate(_COMMON)}
_OTHER_WEIGHT = 6.0
# Control characters and letters of other alphabets: one of them alone is telling enough.
_ODD_WEIGHT = 14.0
# A text is worth looking for when it is rare enough.
_LEAST_WORTH = 6
_LEAST_LENGTH = 2
_OPPOSITES = (("s", "S"), ("w", "W"), ("d", "D"))

_Branches = tuple[tuple[Part, ...], ...]


class Literals(NamedTuple):
    """Texts one of which is in every match."""

    texts: tuple[str, ...]
    ignores_case: bool

    @property
    def worth(self) -> float:
        """How rarely one of the texts is to be expected."""
        return min(map(_worth, self.texts)) - len(self.texts).bit_length()

    @property
    def is_telling(self) -> bool:
        """Whether to look for them takes less time than to try the regex."""
        is_long = all(len(text) >= _LEAST_LENGTH or is_odd(text) for text in self.texts)
        return is_long and self.worth >= _LEAST_WORTH


def _worth(text: str) -> float:
    return sum(_ODD_WEIGHT if is_odd(letter) else _WEIGHT.get(letter.lower(), _OTHER_WEIGHT) for letter in text)


def is_odd(letter: str) -> bool:
    """Whether a character is seldom seen in source code."""
    return letter > "\x7e" or (letter < " " and letter != "\t")


@lru_cache(maxsize=1_000)
def literals_of(pattern: str) -> tuple[Literals, ...]:
    """Texts of which every match holds one from each set, the most telling first; nothing where none help."""
    found = sorted(_literals_in(parsed(pattern).branches), key=_rank, reverse=True)
    first = next((one for one in found if one.is_telling), None)
    others = [one for one in found if one != first and all(len(text) > 1 for text in one.texts)]
    return (first, *others[:MOST_OTHERS]) if first else ()


@lru_cache(maxsize=1_000)
def speaks_of_line_ends(pattern: str) -> bool:
    """Whether a pattern is meant for more than one line: it names a line end, or the start or end of the text."""
    return any(_names_line_end(part) for part in parts_of(parsed(pattern).branches))


@lru_cache(maxsize=1_000)
def speaks_of_carriage_returns(pattern: str) -> bool:
    """Whether a pattern tells one kind of line end from another, so that it is compared with the text as it is."""
    named = (CARRIAGE_RETURN, CARRIAGE_RETURN)
    return any(not part.is_negated and named in part.ranges for part in parts_of(parsed(pattern).branches))


def can_match_nothing(pattern: str) -> bool:
    """Whether a match of the pattern can be empty."""
    return min(map(width_of, parsed(pattern).branches)) == 0


def never_matches(pattern: str) -> bool:
    """Whether every way through a pattern meets a `(?!)`."""
    return all(map(_is_vain, parsed(pattern).branches))


def _is_vain(parts: tuple[Part, ...]) -> bool:
    return any(
        (part.kind == LOOK and part.is_negated and () in part.branches)
        or (part.kind == GROUP and all(map(_is_vain, part.branches)))
        for part in parts
    )


def is_same_across_lines(pattern: str) -> bool:
    """Whether a line that has a match by itself is always touched by a match in the whole text.

    A look around can see the lines beside, and what gives nothing back may run into them.
    """
    return not any(sign in pattern for sign in ("(?<", "(?!", "(?>", "++", "*+", "?+", "}+", "(?-", "\\Z"))


@lru_cache(maxsize=1_000)
def named_outside_ascii(pattern: str) -> tuple[tuple[int, int], ...]:
    """The characters outside ASCII that a pattern names, also in order to leave them out."""
    if pattern.isascii() and "\\" not in pattern:
        return ()
    named = (one for part in parts_of(parsed(pattern).branches) for one in part.ranges)
    return tuple((max(low, 128), high) for low, high in named if high > 127)


def needs_other_than_ascii(pattern: str) -> bool:
    """Whether no text of plain ASCII has a match."""
    return all(map(_needs_other, parsed(pattern).branches))


def _needs_other(parts: tuple[Part, ...]) -> bool:
    return any(
        all(map(_needs_other, part.branches)) and part.least > 0
        if part.kind in (GROUP, REPEAT)
        # Without regard to case a long s is an s, and the Kelvin sign a k.
        else part.kind in (TEXT, CLASS)
        and bool(part.ranges)
        and not (part.categories or part.is_negated or part.ignores_case)
        and all(low > 127 for low, _ in part.ranges)
        for part in parts
    )


def _names_line_end(part: Part) -> bool:
    if part.kind in (EDGE, ANY):
        return part.kind == EDGE or part.spans_lines
    if part.kind not in (TEXT, CLASS) or part.is_negated:
        return False
    has_both = any(one in part.categories and other in part.categories for one, other in _OPPOSITES)
    return has_both or any(low == high and low in LINE_ENDS for low, high in part.ranges)


def _best(found: Iterable[Literals]) -> Literals | None:
    return max(found, key=_rank, default=None)


def _rank(one: Literals) -> float:
    """What one set of texts is preferred by: rare texts, and few of them."""
    return one.worth - len(one.texts) / 2


def _literals_in(branches: _Branches) -> list[Literals]:
    """The sets of texts that a match of some alternatives must hold one of."""
    if len(branches) == 1:
        return list(_of_sequence(branches[0]))
    best = [_best(_of_sequence(branch)) for branch in branches]
    texts = [text for one in best if one is not None for text in one.texts]
    ignores_case = any(one is not None and one.ignores_case for one in best)
    if None in best or (ignores_case and not all(map(str.isascii, texts))):
        return []
    # What must be there as it is written is there without regard to case, too.
    texts = list(dict.fromkeys(text.lower() if ignores_case else text for text in texts))
    return [Literals(tuple(texts), ignores_case)] if len(texts) <= MAX_UNION else []


def _of_sequence(parts: tuple[Part, ...]) -> Iterator[Literals]:
    """The runs of plain text in a sequence, and what its groups hold."""
    run, before = _Run(), tuple[Part, ...]()
    for part in _flattened(parts):
        inner = part.branches[0][0] if _may_be_one(part) else part
        letters = _letters(inner)
        if part.kind in (PLACE, LOOK):
            # An assertion takes no room, so the text on both sides of it is one.
            continue
        if letters is not None:
            yield from run.add(letters if inner is part else (*letters, ""), inner.ignores_case)
            before += (part,)
            continue
        yield from run.end()
        if part.kind == GROUP:
            # The text that leads up to a group goes on in each of its branches.
            yield from _literals_in(tuple((*before, *branch) for branch in part.branches))
            if before:
                yield from _literals_in(part.branches)
        before = ()
        if part.kind == REPEAT and part.least > 0:
            yield from _literals_in(part.branches)
    yield from run.end()


def _may_be_one(part: Part) -> bool:
    """Whether a part may be there once, or not."""
    return part.kind == REPEAT and (part.least, part.most) == (0, 1) and len(part.branches[0]) == 1


def _flattened(parts: tuple[Part, ...]) -> Iterator[Part]:
    """A sequence with what is in groups of one branch, and with repeats written out."""
    for part in parts:
        if part.kind == GROUP and len(part.branches) == 1:
            yield from _flattened(part.branches[0])
        elif part.kind == REPEAT and part.least > 0:
            for _ in range(min(part.least, MAX_COPIES)):
                yield from _flattened(part.branches[0])
            if part.most > min(part.least, MAX_COPIES):
                # Something unknown follows.
                yield part._replace(least=0)
        else:
            yield part


def _letters(part: Part) -> tuple[str, ...] | None:
    """The few texts that a part stands for; None where these are not known."""
    if part.kind == GROUP:
        return _words(part)
    if part.kind not in (TEXT, CLASS) or part.categories or part.is_negated:
        return None
    size = sum(high - low + 1 for low, high in part.ranges)
    if not 0 < size <= MAX_ODD_CLASS:
        return None
    letters = tuple(dict.fromkeys(chr(one) for low, high in part.ranges for one in range(low, high + 1)))
    is_plain = all(map(str.isascii, letters)) if part.ignores_case else not any(map(_is_half, letters))
    if not is_plain or "\n" in letters or "\r" in letters:
        return None
    most = MAX_ODD_CLASS if all(map(is_odd, letters)) else MAX_CLASS
    return letters if len(letters) <= most else None


def _words(group: Part) -> tuple[str, ...] | None:
    """The words of a group that has nothing but a few words."""
    words = []
    for branch in group.branches:
        letters = [_letters(part) if part.kind == TEXT and not part.ignores_case else None for part in branch]
        if not branch or None in letters:
            return None
        words.append("".join(one[0] for one in letters if one))
    return tuple(words) if len(words) <= MAX_TEXTS else None


def _is_half(letter: str) -> bool:
    return "\ud800" <= letter <= "\udfff"


class _Run:
    """Plain text that grows from part to part, in a few variants."""

    def __init__(self) -> None:
        self._texts: tuple[str, ...] = ("",)
        self._ignores_case = False

    def add(self, letters: tuple[str, ...], ignores_case: bool) -> Iterator[Literals]:
        """Take one of some texts; what is too much for one run begins another."""
        if ignores_case:
            letters = tuple(dict.fromkeys(letter.lower() for letter in letters))
        is_full = len(self._texts) * len(letters) > MAX_TEXTS or len(self._texts[0]) >= MAX_LENGTH
        if self._texts != ("",) and (ignores_case != self._ignores_case or is_full):
            yield from self.end()
        self._ignores_case = ignores_case
        self._texts = tuple(head + tail for head in self._texts for tail in letters)

    def end(self) -> Iterator[Literals]:
        """The run so far, if there is one."""
        if self._texts != ("",):
            yield Literals(self._texts, self._ignores_case)
        self._texts = ("",)
