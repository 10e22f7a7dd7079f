"""The table of characters that may look like something else is complete."""

from __future__ import annotations

from review_gate.checks.folding import folded_character, folding_characters
from review_gate.checks.odd_characters import _PIECE, odd_among

# All of Unicode but for the surrogates, which stand for broken bytes.
CHARACTERS = "".join(chr(point) for point in range(0x80, 0x110000) if not 0xD800 <= point <= 0xDFFF)


def test_every_character_that_looks_like_something_else_is_in_the_table() -> None:
    found = odd_among(CHARACTERS)
    assert {character for character in CHARACTERS if folded_character(character) != character} <= found


def test_letters_and_signs_of_plain_prose_are_not() -> None:
    signs = "€\u2013\u2014\u2018\u2019\u201c\u201d…•«»¿、。"
    letters = "äßéñøžőığ Ελλάς Кириллица עברית عربي हिन्दी ไทย 한글 中文 カタカナ"
    assert odd_among(signs + letters) == set()


def test_nothing_is_lost_between_the_pieces_of_a_long_text() -> None:
    text = "é" * (_PIECE - 1) + "\u200b\uff45" + "é" * _PIECE + "ﬁ"
    assert folding_characters(f"{text}\n".encode()) == {"\u200b": "", "\uff45": "e", "ﬁ": "fi"}
