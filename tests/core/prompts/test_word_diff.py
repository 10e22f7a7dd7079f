"""The words that an edit takes out and puts in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.render.word_diff import Piece, shown_diff, word_diff

DIFFS = {
    "nothing": ("a b", "a b", (Piece("same", "a b"),)),
    "a word": (
        "make it fast",
        "make it small",
        (Piece("same", "make it "), Piece("gone", "fast"), Piece("new", "small")),
    ),
    "an addition": ("a", "a\n- b", (Piece("same", "a"), Piece("new", "\n- b"))),
    "a line": ("a\nb\nc\n", "a\nc\n", (Piece("same", "a\n"), Piece("gone", "b\n"), Piece("same", "c\n"))),
    "all of it": ("", "a", (Piece("new", "a"),)),
}


@pytest.mark.parametrize(("old", "new", "pieces"), DIFFS.values(), ids=DIFFS)
def test_the_pieces_of_a_change(old: str, new: str, pieces: tuple[Piece, ...]) -> None:
    assert word_diff(old, new) == pieces


@given(st.text("ab c.\n", max_size=40), st.text("ab c.\n", max_size=40))
def test_both_texts_can_be_read_off(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new


def test_a_diff_is_told_in_colour_or_between_marks() -> None:
    assert shown_diff("make it fast", "make it small", is_colored=False) == "make it [-fast-]{+small+}"
    assert shown_diff("a", "a\n- b", is_colored=True) == "a\n\033[32;4m- b\033[0m"


def test_nothing_in_a_text_is_obeyed_by_a_terminal() -> None:
    assert shown_diff("a \x1b[2J", "a \x1b[2J\u202e", is_colored=False) == "a \\x1b[2J{+<U+202E>+}"


def test_a_long_text_is_told_as_a_whole() -> None:
    old, new = "a\n" * 3_000, "b\n" * 3_000
    assert word_diff(old, new) == (Piece("gone", old), Piece("new", new))
