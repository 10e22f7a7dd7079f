"""Text as a reader takes it: without characters that are not drawn, and with look-alikes as what they look like."""

from __future__ import annotations

from _bisect import bisect_right

from review_gate.reviewers.text import PRINTABLE_YET_UNSEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


_LIGATURES = frozenset("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06")


def folded_character(character: str) -> str:
    """A character as it looks: nothing for one that is not drawn, else the one character of its NFKC form.

    Ligatures are several letters. Other signs that NFKC writes out, such as an ellipsis, look like themselves.
    """
    if character < "\x80":
        return character
    from unicodedata import category, normalize

    if category(character) == "Cf" or character in PRINTABLE_YET_UNSEEN:
        return ""
    look = normalize("NFKC", character)
    return look if len(look) == 1 or character in _LIGATURES else character


# What each character looks like, remembered: a text has many characters and few different ones.
_LOOKS: dict[str, str] = {}
_MOST_REMEMBERED = 50_000
_ASCII = bytes(range(128))
# It looks like itself, and is the one of its kind that many texts hold.
_ELLIPSIS = "\u2026".encode()
# What the characters that are printable but not drawn begin with in UTF-8.
_UNSEEN_STARTS: set[bytes] = set()
_FEW = 16


def characters_outside_ascii(data: bytes) -> set[str]:
    """The characters of a UTF-8 text that are not ASCII."""
    # Most of a text is ASCII, and bytes are rid of that faster than characters are told apart.
    return set(data.translate(None, _ASCII).decode("utf-8", "surrogateescape"))


def folding_characters(data: bytes) -> dict[str, str]:
    """The characters of a UTF-8 text that look like something else, and what each looks like."""
    others = b"" if data.isascii() else data.translate(None, _ASCII).replace(_ELLIPSIS, b"")
    text = others.decode("utf-8", "surrogateescape")
    if _look_like_themselves(text, others):
        return {}
    if len(_LOOKS) > _MOST_REMEMBERED:
        _LOOKS.clear()
    found: dict[str, str] = {}
    for character in set(text):
        look = _LOOKS.get(character)
        if look is None:
            look = _LOOKS[character] = folded_character(character)
        if look != character:
            found[character] = look
    return found


def _look_like_themselves(text: str, data: bytes) -> bool:
    """Whether a quick look is enough to say that no character looks like something else; most texts have none."""
    if not text.isprintable():
        return not text
    from unicodedata import is_normalized

    if not _UNSEEN_STARTS:
        _UNSEEN_STARTS.update(character.encode()[:-1] for character in PRINTABLE_YET_UNSEEN)
    return is_normalized("NFKC", text) and not any(start in data for start in _UNSEEN_STARTS)


def folded_text(text: str, looks: dict[str, str]) -> str:
    """A text as it looks."""
    if len(looks) > _FEW:
        import re

        # Ten times as fast as str.translate.
        return re.sub(f"[{re.escape(''.join(looks))}]", lambda found: looks[found[0]], text)
    # What a character looks like looks like itself, so one after the other is the same, and faster.
    for character, look in looks.items():
        text = text.replace(character, look)
    return text


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
