"""Long and hostile texts are taken apart in bounded time, and what is too long falls back to lines."""

from __future__ import annotations

import itertools

import pytest
from structuring import masked, sentence

from review_gate.checks.rule import CODE, COMMENTS, PARTS
from review_gate.checks.source_parts import MAX_LINE, MAX_SECONDS, MAX_SOURCE
from review_gate.checks.structure import ANY_PART, MAX_PROSE, structure_of

LIMITS = {
    "prose": ("a. b\n", "markdown", MAX_PROSE, ANY_PART),
    "plain text": ("a. b\n", "text", MAX_PROSE, ANY_PART),
    "source code": ("a. b\n", "python", MAX_SOURCE, ANY_PART),
    "line of source code": ("a b ", "python", MAX_LINE, ANY_PART),
    "unknown": ("a. b\n", "", MAX_SOURCE, CODE),
}


@pytest.mark.parametrize(("filler", "language", "size", "expected"), LIMITS.values(), ids=LIMITS)
def test_a_text_over_the_limit_has_lines_for_sentences_and_any_part(
    filler: str, language: str, size: int, expected: str
) -> None:
    text = filler * (size // len(filler) + 1) + "\nc. HERE. d\ne"
    structure = structure_of(text, language)
    start = text.index("HERE")
    assert sentence(text, language) == "c. HERE. d"
    assert structure.part_at(start) == expected
    assert structure.is_in(start, (COMMENTS,)) is (expected == ANY_PART)
    assert masked(text.replace("HERE", "not HERE"), language) == "c. not HERE. d"


def test_a_block_longer_than_any_paragraph_has_sentences_too() -> None:
    assert sentence("a b\n" * 20_000 + "c. It is\nHERE. D\n" + "e") == "It is\nHERE."


@pytest.mark.parametrize("length", [7_990, 8_000, 8_010, 10_010, 100_000])
def test_a_sentence_is_the_same_wherever_it_stands_in_a_long_block(length: int) -> None:
    filler = ("One two. " * length)[: length - 2] + ". "
    assert sentence(f"{filler}It is\nHERE in v1.2. {filler}") == "It is\nHERE in v1.2."
    assert sentence(f"<!-- {filler}It is\nHERE in v1.2. {filler} -->") == "It is\nHERE in v1.2."


def test_behind_the_point_where_a_lexer_took_too_long_the_part_is_any() -> None:
    seconds = itertools.chain([0.0] * 3, itertools.repeat(MAX_SECONDS + 1))
    structure = structure_of("# a\n# b\nc\n", "python", lambda: next(seconds))
    assert [structure.part_at(0), structure.part_at(8)] == [COMMENTS, ANY_PART]


HOSTILE = {
    "lone surrogates": "\udcff\ud800 `a\udcff` HERE. b",
    "NUL": "\0a\0. HERE `\0`",
    "quotes in quotes": "> " * 5_000 + "HERE",
    "lists in lists": "- " * 5_000 + "HERE",
    "brackets": "[" * 20_000 + "HERE",
    "open links": "[a](" * 10_000 + "HERE",
    "open tags": "<a " * 10_000 + "HERE",
    "open tag": "<div " + "a" * 100_000 + "HERE",
    "open comments": "<!--" * 10_000 + "HERE",
    "emphasis": "*a **b" * 10_000 + "HERE",
    "backticks": "".join("`" * n + "a" for n in range(300)) + "HERE",
    "French quotes": "«“" * 50_000 + "HERE",
    "blanks": " " * 100_000 + "HERE" + "\t" * 100_000,
    "line ends": "\n" * 100_000 + "HERE" + "\r" * 100_000,
    "table": "|a" * 20_000 + "\n" + "|-" * 20_000 + "\n|HERE",
    "full stops": "a. " * 30_000 + "HERE",
    "open elements": "a = <b>" * 10_000 + "HERE",
    "blanks in a closing tag": "a = <b></" + " " * 15_000 + "\n" * 100_000 + "HERE",
    "comments": "/**/;# $a\n" * 20_000 + "HERE",
}
HOSTILE_LANGUAGES = [
    "markdown",
    "text",
    "python",
    "java",
    "csharp",
    "makefile",
    "yaml",
    "typescript",
    "sql",
    "perl",
    "",
]


@pytest.mark.parametrize("language", HOSTILE_LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_taken_apart_in_bounded_time(text: str, language: str) -> None:
    structure = structure_of(text, language)
    start = text.index("HERE")
    first, last = structure.sentence_at(start, start + 4)
    assert 0 <= first <= start < start + 4 <= last <= len(text)
    assert structure.part_at(start) in (*PARTS, ANY_PART)
    assert "HERE" in structure.masked_sentence(start, start + 4)[0]
