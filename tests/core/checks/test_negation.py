"""Does a sentence negate a match: the eight words of `negation_aware`, the clause rule of `prescriptive`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from negation_figures import labelled_sentences, precision_and_recall, table

from review_gate.checks.negation import is_negated, is_negated_at
from review_gate.checks.rule import LITERAL, NEGATION_AWARE, PRESCRIPTIVE, REGEX
from review_gate.checks.structure import structure_of

DOCS = Path(__file__).parents[3] / "docs" / "negation.md"


def negated(sentence: str, pattern: str = "eval", match_rule: str = PRESCRIPTIVE) -> bool:
    start = sentence.index(pattern)
    return is_negated(sentence, start, start + len(pattern), match_rule)


def reported(text: str, match_rule: str, language: str = "markdown") -> bool:
    start = text.index("eval")
    return not is_negated_at(structure_of(text, language), start, start + 4, match_rule)


@pytest.mark.parametrize("half", ["open", "sealed"])
def test_prescriptive_reaches_its_figures_on_labelled_sentences(half: str) -> None:
    precision, recall = precision_and_recall(labelled_sentences(half))
    assert (precision >= 0.9, recall >= 0.92) == (True, True)


def test_document_shows_the_figures() -> None:
    assert table() in DOCS.read_text(encoding="utf-8")


def test_quick_look_never_lets_a_negated_match_through() -> None:
    for row in labelled_sentences("open"):
        structure, place = structure_of(row.text, "text"), (row.start, row.end)
        whole = is_negated(*structure.masked_sentence(*place), PRESCRIPTIVE)
        assert is_negated_at(structure, *place, PRESCRIPTIVE) == whole, row.text


# The words of seed 003 for `prescriptive`, and its three examples.
SEED = ["not", "don't", "doesn't", "won't", "shouldn't", "cannot", "can't"]


@pytest.mark.parametrize("word", SEED)
@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc"])
def test_each_negation_of_the_seed_drops_a_match_in_every_spelling(word: str, apostrophe: str) -> None:
    assert negated(f"The loader {word} call eval.".replace("'", apostrophe))
    assert negated(f"The loader {word.upper()} call eval.".replace("'", apostrophe))


DROPPED = [
    "We don't use eval",
    "Unlike eval, JSON.parse is safe",
    "instead of eval",
    "rather\nthan eval",
    "avoid eval",
    "ruled out eval",
    "Never use eval at all.",
    "Modules must not call eval, exec or compile.",
    "The service is implemented without eval.",
    "We replaced eval with a parser.",
    "eval is not allowed here.",
    "eval must never be called.",
    "eval was considered and rejected.",
    "eval: never",
    "Prefer JSON.parse over eval.",
    "eval is slow, so do not use it.",
    "Don't forget to remove eval.",
]
REPORTED = [
    "We use eval for parsing",
    "We use eval, not JSON.parse.",
    "Don't forget to call eval.",
    "Not only do we keep eval, we export it.",
    "We cannot do without eval.",
    "The parser is not ready, so we use eval.",
    "Replace the parser with eval.",
    "Remove the comment from eval.",
    "Switch from JSON.parse to eval.",
    "Avoid the overhead by using eval.",
    "Should we not use eval?",
    "No cache: the loader calls eval.",
    "Not cached -> eval",
    "[not started] migrate to eval",
    "The notable handler calls eval.",
    "The is_not_set handler calls eval.",
    "Commit with --no-verify, then call eval.",
    "eval is not slow.",
    "We do not " + "really " * 20 + "use eval",
]


@pytest.mark.parametrize("sentence", DROPPED)
def test_match_is_dropped_when_its_clause_rejects_it(sentence: str) -> None:
    assert negated(sentence)


@pytest.mark.parametrize("sentence", REPORTED)
def test_match_is_reported_when_something_else_is_negated(sentence: str) -> None:
    assert not negated(sentence)


EIGHT = ["not", "doesn't", "unlike", "cannot", "don't", "won't", "shouldn't", "ruled out"]


@pytest.mark.parametrize("word", EIGHT)
@pytest.mark.parametrize("place", ["{} eval", "eval, which {}", "({}) eval", "eval\n{}", "eval: {}."])
def test_each_of_the_eight_words_counts_anywhere_in_the_sentence(word: str, place: str) -> None:
    assert negated(place.format(word), match_rule=NEGATION_AWARE)
    assert negated(place.format(word.upper()), match_rule=NEGATION_AWARE)


@pytest.mark.parametrize(
    "word", ["notable", "nothing", "knot", "is_not_set", "unlikely", "ruled", "\uff4e\uff4f\uff54"]
)
def test_word_that_only_holds_one_of_the_eight_does_not_count(word: str) -> None:
    assert not negated(f"{word} eval", match_rule=NEGATION_AWARE)


def test_words_of_the_match_itself_do_not_count() -> None:
    assert not negated("This cannot happen.", "cannot happen", NEGATION_AWARE)
    assert not negated("This cannot happen.", "cannot happen", PRESCRIPTIVE)
    assert not negated("Commit with --no-verify to save time.", "verify", PRESCRIPTIVE)


@pytest.mark.parametrize("match_rule", [LITERAL, REGEX])
def test_other_match_rules_know_no_negation(match_rule: str) -> None:
    assert not negated("We do not use eval.", match_rule=match_rule)


# What a reader does not see as a word of the sentence: code, struck-out and hidden text.
UNSEEN = {
    "struck out": "We do ~~not~~ use eval.",
    "hidden": "We do <span hidden>not</span> use eval.",
    "code span": "Run `not eval(x)` here.",
    "fence": "```python\nx = not eval(y)\n```\n",
}
SEEN = {
    "emphasis": "We do *not* use eval.",
    "link": "We do [not](http://x) use eval.",
    "entity": "We don&rsquo;t use eval.",
    "comment of a fence": "```python\n# do not use eval\n```\n",
    "rejected code span": "Do not run `x = eval(y)` here.",
}


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN)
def test_word_that_no_reader_sees_negates_nothing(text: str) -> None:
    assert reported(text, PRESCRIPTIVE)


@pytest.mark.parametrize("text", SEEN.values(), ids=SEEN)
def test_word_in_another_shape_negates(text: str) -> None:
    assert not reported(text, PRESCRIPTIVE)


SOURCE = {
    "string before it": ("python", "d['not'] = eval(x)", True),
    "operator": ("python", "x = not eval(y)", True),
    "its own comment": ("python", "x = 1  # do not use eval", False),
    "docstring": ("python", '"""We do not use eval."""', False),
    "commit message": ("text", "Do not\nuse eval", False),
}


@pytest.mark.parametrize(("language", "text", "expected"), SOURCE.values(), ids=SOURCE)
def test_words_of_code_negate_nothing(language: str, text: str, expected: bool) -> None:
    assert reported(text, PRESCRIPTIVE, language) is expected


@given(st.text(max_size=200), st.data(), st.sampled_from([PRESCRIPTIVE, NEGATION_AWARE]))
def test_any_text_gets_an_answer(text: str, data: st.DataObject, match_rule: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert is_negated(text, start, end, match_rule) in (True, False)
