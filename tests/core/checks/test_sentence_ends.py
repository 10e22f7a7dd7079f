"""Where a sentence ends for a negation: short words, what stands behind a stop, marks of lists, comments of MDX."""

from __future__ import annotations

import pytest

from review_gate.checks.structure import structure_of


def sentence(text: str, language: str = "markdown") -> str:
    start = text.index("HERE")
    first, last = structure_of(text, language).sentence_at(start, start + 4)
    return text[first:last]


def masked(text: str) -> str:
    start = text.index("HERE")
    return structure_of(text, "markdown").masked_sentence(start, start + 4)[0]


# Each is short for something, and an ordinary word.
SHORT_WORDS = [
    "art",
    "col",
    "conn",
    "dept",
    "exp",
    "ext",
    "fed",
    "fig",
    "gen",
    "hr",
    "id",
    "ill",
    "may",
    "min",
    "miss",
    "ms",
    "no",
    "op",
    "ore",
    "ref",
    "rev",
    "sec",
    "ver",
]


@pytest.mark.parametrize("word", SHORT_WORDS)
@pytest.mark.parametrize("follows", ["Use HERE.", "`HERE` it is.", '"HERE" it is.'])
def test_an_ordinary_word_can_be_the_last_one_of_a_sentence(word: str, follows: str) -> None:
    assert sentence(f"It is not the {word}. {follows}").strip('"') == follows.lstrip('"')


@pytest.mark.parametrize("word", SHORT_WORDS)
def test_a_number_belongs_to_the_short_word_before_it(word: str) -> None:
    assert sentence(f"It is not HERE, see {word}. 3 for it.") == f"It is not HERE, see {word}. 3 for it."


@pytest.mark.parametrize("words", ["Dr. HERE", "Mrs. HERE", "e.g. HERE", "i.e. `HERE`", "cf. HERE", "Foo vs. HERE"])
def test_a_name_belongs_to_the_short_word_before_it(words: str) -> None:
    assert sentence(f"It is not {words} at all.") == f"It is not {words} at all."


BEHIND_A_STOP = [
    "\u200b ",
    "\u200b",
    "&nbsp; ",
    "&nbsp;",
    "&rdquo; ",
    "[^1] ",
    "[12] ",
    "\U0001f600 ",
    "**[^1] ",
    "\u00bb ",
    "\u00b9 ",
    "\u00b9\u2070 ",
]


@pytest.mark.parametrize("language", ["markdown", "text"])
@pytest.mark.parametrize("between", BEHIND_A_STOP)
def test_what_stands_between_a_stop_and_its_blank_does_not_join_sentences(between: str, language: str) -> None:
    assert "not so" not in sentence(f"It is not so.{between}Use HERE.\n\n[^1]: Note.\n", language)


def test_a_number_in_a_tag_behind_a_stop_does_not_join_sentences() -> None:
    assert "not so" not in sentence("It is not so.<sup>1</sup> Use HERE.")


@pytest.mark.parametrize("language", ["markdown", "text"])
@pytest.mark.parametrize(
    "stop",
    ["&period; ", "&#46; ", "&#x2e; ", "&quest; ", "&excl; ", "\uff0e", "\uff0e ", "\ufe52 ", "\u2024 ", "\u203c "],
)
def test_a_stop_that_is_written_in_another_way_ends_a_sentence(stop: str, language: str) -> None:
    assert sentence(f"It is not JSON{stop}Use HERE.", language) == "Use HERE."


@pytest.mark.parametrize(
    "text", ["It is not x\u00b2 HERE.", "It is not 3\uff0e14 HERE.", "It is not &amp; HERE.", "Not Node\uff0ejs HERE."]
)
def test_what_only_looks_like_a_stop_or_a_note_does_not_part_a_sentence(text: str) -> None:
    assert sentence(text) == text


@pytest.mark.parametrize("mark", ["(b) ", "b) ", "[ ] ", "[x] ", "** ", ".. ", "== ", "=== ", ".Title "])
def test_marks_of_lists_and_titles_part_plain_text(mark: str) -> None:
    assert sentence(f"It is not so\n{mark}use HERE", "text") == f"{mark}use HERE"


@pytest.mark.parametrize("title", ["== Do not", ".Do not"])
def test_a_title_in_plain_text_is_its_line(title: str) -> None:
    assert sentence(f"{title}\nuse HERE", "text") == "use HERE"


@pytest.mark.parametrize("comment", ["{/* do not */}", "{/*do not*/}", "{/* do\nnot */}"])
def test_a_comment_of_mdx_says_nothing(comment: str) -> None:
    assert masked(f"{comment}\nuse HERE").split() == ["use", "HERE"]


def test_a_comment_of_mdx_speaks_of_a_match_in_it() -> None:
    assert "not" in masked("{/* do not use HERE */}")
