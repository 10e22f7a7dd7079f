"""Text as a reader takes it: without characters that are not drawn, and with look-alikes as what they look like."""

from __future__ import annotations

from review_gate.reviewers.text import PRINTABLE_YET_UNSEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


def folded_character(character: str) -> str:
    """A character as it looks: nothing for one that is not drawn, else its NFKC form."""
    if character < "\x80":
        return character
    from unicodedata import category, normalize

    if category(character) == "Cf" or character in PRINTABLE_YET_UNSEEN:
        return ""
    return normalize("NFKC", character)


def folding_characters(text: str) -> dict[str, str]:
    """The characters of a text that look like something else, and what each looks like."""
    if text.isascii():
        return {}
    looks = {character: folded_character(character) for character in set(text)}
    return {character: look for character, look in looks.items() if look != character}


def folded(text: str, looks: dict[str, str]) -> tuple[str, list[int]]:
    """A text as it looks, and for each of its characters the place that it came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        look = looks.get(character, character)
        letters += look
        places += [place] * len(look)
    return "".join(letters), places


def holds_any(text: str, characters: Collection[str]) -> bool:
    """Whether one of the characters is in a text."""
    return any(character in text for character in characters)
