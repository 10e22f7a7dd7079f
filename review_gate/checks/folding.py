"""Text as a reader takes it: without characters that are not drawn, and with look-alikes as what they look like."""

from __future__ import annotations

from _bisect import bisect_right

from review_gate.reviewers.text import PRINTABLE_YET_UNSEEN, UNSEEN_UNASSIGNED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from types import ModuleType


# Letters of any kind and Roman numerals: what can be part of a word.
_LETTERS = frozenset(("Ll", "Lu", "Lt", "Lm", "Lo", "Nl"))


def folded_character(character: str) -> str:
    """A character as it looks: nothing for one that is not drawn, else the one character of its NFKC form.

    A ligature or a Roman numeral is several letters, and Python reads it so. Other signs that NFKC writes out, such as
    an ellipsis, look like themselves.
    """
    if character < "\x80":
        return character
    unicode = _unicode()
    kind = unicode.category(character)
    if kind == "Cf" or character in PRINTABLE_YET_UNSEEN or _is_unassigned(character):
        return ""
    look = unicode.normalize("NFKC", character)
    is_word = kind in _LETTERS and look.isascii() and look.isalpha()
    return look if len(look) == 1 or is_word else character


def _unicode() -> ModuleType:
    """The tables of Unicode; most runs need none, and even a second import takes longer than what is asked here."""
    if not _TABLES:
        import unicodedata

        _TABLES.append(unicodedata)
    return _TABLES[0]


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


_TABLES: list[ModuleType] = []
# What characters look like, remembered: a text has many characters and few different ones.
_LOOKS: dict[str, str] = {}
_PLAIN: set[str] = set()
_MOST_REMEMBERED = 50_000
_ASCII = bytes(range(128))
# What texts of many languages hold: an ellipsis, which looks like itself, fixed and hair spaces, joiners and marks.
_OFTEN_HELD = "\u2026\u00a0\u200b\u200c\u200d\u200e\u200f\u202f\ufe0f\uff0c\uff1a\uff08\uff09"
# What the characters that are printable but not drawn begin with in UTF-8, by their first byte.
_UNSEEN_STARTS: dict[int, set[bytes]] = {}
# Characters are sought one after the other while they, times the length of the text, are no more than this.
_LITTLE_WORK = 1_000_000
_MARK = b"?"
# Looking at more marks takes longer than the import of `re`.
_FEW_MARKS = 20_000
_TOGETHER = 64


def characters_outside_ascii(data: bytes) -> set[str]:
    """The characters of a UTF-8 text that are not ASCII; broken bytes with ASCII between them may seem to be others."""
    return set(_outside_ascii(data).decode("utf-8", "surrogateescape"))


def _outside_ascii(data: bytes) -> bytes:
    # Most of a text is ASCII, and bytes are rid of that faster than characters are told apart.
    return b"" if data.isascii() else data.translate(None, _ASCII)


def folding_characters(data: bytes) -> dict[str, str]:
    """The characters of a UTF-8 text that look like something else, and what each looks like."""
    others = _outside_ascii(data)
    text = others.decode("utf-8", "surrogateescape")
    if _look_like_themselves(text, others):
        return {}
    # Telling all characters apart takes ten times as long as taking out the few that are to be expected.
    expected = [character for character in _OFTEN_HELD if character in text]
    for character in expected:
        text = text.replace(character, "")
    rest = () if _look_like_themselves(text) else set(text) - _PLAIN
    return _looks_of({*expected, *rest})


def _looks_of(characters: set[str]) -> dict[str, str]:
    """What those of some characters look like that look like something else."""
    if len(_LOOKS) + len(_PLAIN) > _MOST_REMEMBERED:
        _LOOKS.clear()
        _PLAIN.clear()
    unknown = characters - _LOOKS.keys() - _PLAIN
    if unknown:
        _learn(unknown)
    return {character: _LOOKS[character] for character in characters - _PLAIN}


def _learn(characters: set[str]) -> None:
    """Remember what some characters look like."""
    looks = {character: folded_character(character) for character in _in_question(characters)}
    _LOOKS.update({character: look for character, look in looks.items() if look != character})
    _PLAIN.update(characters - _LOOKS.keys())


def _in_question(characters: Iterable[str]) -> Iterator[str]:
    """Those of some characters that may look like something else."""
    is_normalized = _unicode().is_normalized
    # Neighbours in Unicode are looked at together: a text can hold thousands of letters that look like themselves.
    ordered = sorted(characters)
    for first in range(0, len(ordered), _TOGETHER):
        together = "".join(ordered[first : first + _TOGETHER])
        if not _look_like_themselves(together):
            for one in together:
                if not (one.isprintable() and is_normalized("NFKC", one)) or one in PRINTABLE_YET_UNSEEN:
                    yield one


def _look_like_themselves(text: str, data: bytes | None = None) -> bool:
    """Whether a quick look is enough to say that no character looks like something else; most texts have none.

    The same as bytes is made only where nobody has it and it is needed.
    """
    if not text.isprintable() or not _unicode().is_normalized("NFKC", text):
        return False
    return not _may_hold_unseen(text.encode("utf-8", "surrogateescape") if data is None else data)


def _may_hold_unseen(data: bytes) -> bool:
    if not _UNSEEN_STARTS:
        for start in {character.encode()[:-1] for character in PRINTABLE_YET_UNSEEN}:
            _UNSEEN_STARTS.setdefault(start[0], set()).add(start)
    for lead, starts in _UNSEEN_STARTS.items():
        # A single byte is found many times as fast as two; and asked for two, `in` raises and drops an error.
        if lead in data and any(data.find(start) >= 0 for start in starts):
            return True
    return False


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


def folded(text: str, looks: dict[str, str]) -> tuple[str, list[int]]:
    """A text as it looks, and for each of its characters the place that it came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        look = looks.get(character, character)
        letters += look
        places += [place] * len(look)
    return "".join(letters), places


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


def holds_any(text: str, characters: Collection[str]) -> bool:
    """Whether one of the characters is in a text."""
    return any(character in text for character in characters)
