"""Text as a reader takes it: without characters that are not drawn, and with look-alikes as what they look like."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

from review_gate.checks.odd_characters import odd_among
from review_gate.reviewers.text import PRINTABLE_YET_UNSEEN, UNSEEN_UNASSIGNED

# Letters of any kind and Roman numerals: what can be part of a word.
_LETTERS = frozenset(("Ll", "Lu", "Lt", "Lm", "Lo", "Nl"))


def folded_character(character: str) -> str:
    """A character as it looks: nothing for one that is not drawn, else the one character of its NFKC form.

    A ligature or a Roman numeral is several letters, and Python reads it so. Other signs that NFKC writes out, such as
    an ellipsis, look like themselves.
    """
    if character < "\x80":
        return character
    kind = unicodedata.category(character)
    if kind == "Cf" or character in PRINTABLE_YET_UNSEEN or _is_unassigned(character):
        return ""
    look = unicodedata.normalize("NFKC", character)
    is_word = kind in _LETTERS and look.isascii() and look.isalpha()
    return look if len(look) == 1 or is_word else character


def _is_unassigned(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in UNSEEN_UNASSIGNED)


def folded_pattern(pattern: str) -> tuple[str, bool]:
    """A literal as it looks, "" where that is the same or nothing, and whether just that in a text is no match of it.

    One with odd blanks or unseen characters between others means what is drawn. One with a full-width comma or an n²
    may be written to tell these from a comma and from n2, and so may one that begins or ends with what is not drawn.
    """
    if pattern.isascii():
        return "", False
    looks = [folded_character(character) for character in pattern]
    look = "".join(looks)
    if look == pattern or not look.strip():
        return "", False
    changed = [look for character, look in zip(pattern, looks, strict=True) if look != character]
    is_visible_ascii = any(one.strip() and one.isascii() for one in changed)
    has_blank_end = any(looks[end] != pattern[end] and not looks[end].strip() for end in (0, -1))
    return look, is_visible_ascii or has_blank_end


# What characters look like, remembered: a text has many characters and few different ones.
_LOOKS: dict[str, str] = {}
_MOST_REMEMBERED = 50_000
_ASCII = bytes(range(128))
# Characters are sought one after the other while they, times the length of the text, are no more than this.
_LITTLE_WORK = 1_000_000
_MARK = b"?"
# Looking at more marks takes longer than the import of `re`.
_FEW_MARKS = 20_000


def _outside_ascii(data: bytes) -> str:
    # Most of a text is ASCII, and bytes are rid of that faster than characters are told apart.
    return "" if data.isascii() else data.translate(None, _ASCII).decode("utf-8", "surrogateescape")


def folding_characters(data: bytes) -> dict[str, str]:
    """The characters of a UTF-8 text that look like something else, and what each looks like."""
    others = _outside_ascii(data)
    found = odd_among(others) if others else ()
    return {character: look for character in found if (look := _look_of(character)) != character}


def _look_of(character: str) -> str:
    look = _LOOKS.get(character)
    if look is None:
        if len(_LOOKS) > _MOST_REMEMBERED:
            _LOOKS.clear()
        look = _LOOKS[character] = folded_character(character)
    return look


def is_much_work(text: str, characters: Collection[str]) -> bool:
    """Whether some characters are better sought together than one after the other."""
    return len(characters) * len(text) > _LITTLE_WORK


def places_of_any(text: str, characters: Collection[str]) -> Iterator[int]:
    """Where one of some characters outside ASCII stands, in order, however many they are."""
    # Every character outside ASCII becomes a question mark, and those are found at once.
    marked = text.encode("ascii", "replace")
    if marked.count(_MARK) > _FEW_MARKS:
        import re

        yield from (found.start() for found in re.finditer(f"[{re.escape(''.join(characters))}]", text))
        return
    place = marked.find(_MARK)
    while place >= 0:
        if text[place] in characters:
            yield place
        place = marked.find(_MARK, place + 1)


def folded_text(text: str, looks: dict[str, str]) -> str:
    """A text as it looks."""
    if is_much_work(text, looks):
        # Ten times as fast as str.translate.
        return "".join(_folded_pieces(text, looks))
    # What a character looks like looks like itself, so one after the other is the same, and faster.
    for character, look in looks.items():
        text = text.replace(character, look)
    return text


def _folded_pieces(text: str, looks: dict[str, str]) -> Iterator[str]:
    at = 0
    for place in places_of_any(text, looks):
        yield text[at:place]
        yield looks[text[place]]
        at = place + 1
    yield text[at:]


def looks_beside(looks: dict[str, str], ranges: Sequence[Sequence[int]]) -> dict[str, str]:
    """What characters look like, but for those of some ranges that are drawn.

    A regex that names what is not drawn looks for just that; with all else folded, an emoji that is made of a sign and
    a variation selector would be a letter with one.
    """
    if not ranges:
        return looks
    return {
        character: look
        for character, look in looks.items()
        if not look or not any(first <= ord(character) <= last for first, last in ranges)
    }


class Origins:
    """Where the characters of a text as it looks came from, told from the few characters that look different."""

    __slots__ = ("_lengths", "_odd", "_starts")

    def __init__(self, text: str, looks: dict[str, str]) -> None:
        self._odd = sorted(place for character in looks for place in _places(text, character))
        self._lengths = [len(looks[text[place]]) for place in self._odd]
        self._starts: list[int] = []
        shift = 0
        for place, length in zip(self._odd, self._lengths, strict=True):
            self._starts.append(place + shift)
            shift += length - 1

    def of(self, place: int) -> int:
        """The place in the text as it is."""
        nearest = bisect_right(self._starts, place) - 1
        if nearest < 0:
            return place
        beyond = place - self._starts[nearest] - self._lengths[nearest]
        return self._odd[nearest] + 1 + beyond if beyond >= 0 else self._odd[nearest]


def _places(text: str, character: str) -> Iterator[int]:
    place = text.find(character)
    while place >= 0:
        yield place
        place = text.find(character, place + 1)
