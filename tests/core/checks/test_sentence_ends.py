"""Where a sentence ends for a negation: short words, what stands behind a stop, marks of lists, comments of MDX."""

from __future__ import annotations

import pytest

from review_gate.checks.structure import structure_of


def sentence(text: str, language: str = "markdown") -> str:
    start = text.index("HERE")
    first, last = structure_of(text, language).sentence_at(start, start + 4)
    return text[first:last]


@pytest.mark.parametrize("word", ["art", "fig", "min", "no", "ref", "sec"])
def test_short_word_ends_a_sentence_only_before_a_capital_letter(word: str) -> None:
    assert sentence(f"It is not the {word}. Use HERE.") == "Use HERE."
    assert sentence(f"It is not HERE, see {word}. 3 for it.") == f"It is not HERE, see {word}. 3 for it."


@pytest.mark.parametrize("words", ["Dr. HERE", "Mrs. HERE", "e.g. HERE", "i.e. `HERE`", "cf. HERE", "Foo vs. HERE"])
def test_name_belongs_to_the_short_word_before_it(words: str) -> None:
    assert sentence(f"It is not {words} at all.") == f"It is not {words} at all."


BEHIND_A_STOP = ["\u200b ", "&nbsp; ", "&rdquo; ", "[^1] ", "[12] ", "\U0001f600 ", "**[^1] ", "\u00b9 "]


@pytest.mark.parametrize("language", ["markdown", "text"])
@pytest.mark.parametrize("between", BEHIND_A_STOP)
def test_note_or_sign_behind_a_stop_does_not_join_sentences(between: str, language: str) -> None:
    assert "not so" not in sentence(f"It is not so.{between}Use HERE.\n\n[^1]: Note.\n", language)


@pytest.mark.parametrize("mark", ["(b) ", "b) ", "[ ] ", "[x] ", "** ", ".. ", "== ", "=== ", ".Title "])
def test_marks_of_lists_and_titles_part_plain_text(mark: str) -> None:
    assert sentence(f"It is not so\n{mark}use HERE", "text") == f"{mark}use HERE"


@pytest.mark.parametrize("title", ["== Do not", ".Do not"])
def test_a_title_in_plain_text_is_its_line(title: str) -> None:
    assert sentence(f"{title}\nuse HERE", "text") == "use HERE"
