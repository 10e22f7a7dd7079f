"""The events of the Markdown parser, with places that count characters."""

from __future__ import annotations

import pyromark
from hypothesis import given
from hypothesis import strategies as st

from review_gate.checks.markdown import events, kind_of

PIECES = [
    "é",
    "ü—",
    "。",
    "一二",
    "😀",
    "\u00a0",
    "a",
    " ",
    "\n",
    "\n\n",
    "*",
    "_",
    "`",
    "- ",
    "> ",
    "[",
    "](é)",
    "<b>",
    "|",
    "~~",
]


def spans(text: str, kind: str) -> list[str]:
    return [text[start:end] for border, tag, start, end in events(text, 0) if border != "End" and kind_of(tag) == kind]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.sampled_from(["", "\ufeff"]))
def test_every_place_is_that_of_the_character_that_the_parser_means(text: str, mark: str) -> None:
    data = text.encode()
    options = pyromark.Options
    wanted = options.ENABLE_TABLES | options.ENABLE_TASKLISTS | options.ENABLE_STRIKETHROUGH
    wanted |= options.ENABLE_YAML_STYLE_METADATA_BLOCKS
    found = [span for _, span in pyromark.events_with_range(text, options=wanted)]
    expected = [data[span["start"] : span["end"]].decode() for span in found]
    places = [(start, end) for _, _, start, end in events(mark + text, len(mark))]
    assert [(mark + text)[start:end] for start, end in places] == expected
    assert [start - len(mark) for start, _ in places] == [len(data[: span["start"]].decode()) for span in found]


def test_signs_of_other_scripts_are_signs_to_the_parser() -> None:
    assert spans("so—_not_ that", "Emphasis") == ["_not_"]
    assert spans("“so”_not_", "Emphasis") == ["_not_"]
    assert spans("é_not_", "Emphasis") == []


def test_letters_of_other_scripts_are_not_all_one() -> None:
    assert spans("[ä] and [ö]\n\n[Ä]: u\n", "Link") == ["[ä]"]


def test_a_byte_that_is_no_character_and_a_lone_cr_stay_in_their_places() -> None:
    assert spans("a\udcff\rb `c`", "Code") == ["`c`"]
    assert spans("# a\rb *c*\r", "Emphasis") == ["*c*"]
