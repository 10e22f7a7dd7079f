"""Long and hostile texts are taken apart in bounded time, and what is too long falls back to lines."""

from __future__ import annotations

import pytest
from structuring import masked, sentence

from review_gate.checks.grammars import MAX_SOURCE, parsed
from review_gate.checks.rule import CODE, COMMENTS, PARTS
from review_gate.checks.structure import ANY_PART, MAX_PROSE, structure_of


@pytest.mark.parametrize("language", ["markdown", "text"])
def test_prose_over_the_limit_has_lines_for_sentences_and_any_part(language: str) -> None:
    text = "a. b\n" * (MAX_PROSE // 5 + 1) + "\nc. not HERE. d\ne"
    structure = structure_of(text, language)
    start = text.index("HERE")
    assert sentence(text, language) == "c. not HERE. d"
    assert structure.part_at(start) == ANY_PART
    assert structure.is_in(start, (COMMENTS,))
    assert masked(text, language) == "c. not HERE. d"


FALLBACKS = {
    "too long for a grammar": "a.b()\n" * (MAX_SOURCE // 6 + 1),
    "more angles than the grammar can recover from": "a<b<\n" * 1_000,
}


@pytest.mark.parametrize("filler", FALLBACKS.values(), ids=FALLBACKS)
def test_marks_tell_comments_where_no_grammar_may_run(filler: str) -> None:
    text = f"{filler}eval(a) // comment\nb('// string') /* block */\n"
    structure = structure_of(text, "java")
    found = {word: structure.part_at(text.index(word)) for word in ("eval", "comment", "string", "block")}
    assert found == {"eval": CODE, "comment": COMMENTS, "string": CODE, "block": COMMENTS}


def test_a_parser_that_is_too_slow_is_stopped() -> None:
    assert parsed(b"|a|-" * 20_000, "python", seconds=0.05) is None


def test_a_block_longer_than_any_paragraph_has_sentences_too() -> None:
    assert sentence("a b\n" * 20_000 + "c. It is\nHERE. D\n" + "e") == "It is\nHERE."


@pytest.mark.parametrize(
    "length",
    [
        8_000,
        10_010,
    ],
)
def test_a_sentence_is_the_same_wherever_it_stands_in_a_long_block(length: int) -> None:
    filler = ("One two. " * length)[: length - 2] + ". "
    assert sentence(f"{filler}It is\nHERE in v1.2. {filler}") == "It is\nHERE in v1.2."
    assert sentence(f"<!-- {filler}It is\nHERE in v1.2. {filler} -->") == "It is\nHERE in v1.2."


HOSTILE = {
    "lone surrogates": "\udcff\ud800 `a\udcff` HERE. b",
    "quotes in quotes": "> " * 5_000 + "HERE",
    "brackets": "[" * 20_000 + "HERE",
    "open links": "[a](" * 10_000 + "HERE",
    "open tags": "<a " * 10_000 + "HERE",
    "backticks": "".join("`" * n + "a" for n in range(300)) + "HERE",
    "line ends": "\n" * 100_000 + "HERE" + "\r" * 100_000,
    "table": "|a" * 20_000 + "\n" + "|-" * 20_000 + "\n|HERE",
    "full stops": "a. " * 30_000 + "HERE",
    "blanks in a closing tag": "a = <b></" + " " * 15_000 + "\n" * 100_000 + "HERE",
    "generics": "a<b<" * 20_000 + "HERE",
}
HOSTILE_LANGUAGES = ["markdown", "text", "python", "typescript", "shell", ""]


@pytest.mark.parametrize("language", HOSTILE_LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_taken_apart_in_bounded_time(text: str, language: str) -> None:
    structure = structure_of(text, language)
    start = text.index("HERE")
    first, last = structure.sentence_at(start, start + 4)
    assert 0 <= first <= start < start + 4 <= last <= len(text)
    assert structure.part_at(start) in (*PARTS, ANY_PART)
    assert "HERE" in structure.masked_sentence(start, start + 4)[0]
