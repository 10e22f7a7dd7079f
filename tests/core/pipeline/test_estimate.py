"""What questions will cost, rather too much than too little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.models import Frozen
from review_gate.pipeline.estimate import FRAME_TOKENS, estimate, tokens_in
from review_gate.pipeline.prices import Price
from review_gate.ports import Question, Usage

PRICE = Price(input=3, cached=0.3, output=15)


class Answer(Frozen):
    """A small answer."""

    text: str


def question(shared: str = "shared", task: str = "task", most: int = 1_000) -> Question:
    return Question(shared=shared, task=task, answer=Answer, max_output_tokens=most, seconds=60)


TEXTS = {
    "nothing": ("", 0),
    "English": ("The quick brown fox jumps over the lazy dog.", 18),
    "code": ("def total(prices):\n    return sum(prices)\n", 17),
    "digits": ("0123456789" * 3, 30),
    "a digest": ("3f9c2a118be07d42", 13),
    "Chinese": ("你好世界", 6),
    "an emoji": ("🙂", 2),
    "half a character": ("\ud800", 2),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_tokens_are_counted_by_the_rule(text: str, expected: int) -> None:
    assert tokens_in(text) == expected


@given(st.text(), st.text())
def test_parts_have_at_least_as_many_tokens_as_the_whole_and_no_text_more_than_bytes(one: str, two: str) -> None:
    assert max(tokens_in(one), tokens_in(two)) <= tokens_in(one + two) <= tokens_in(one) + tokens_in(two)
    assert tokens_in(one) <= len(one.encode("utf-8", "surrogatepass"))
    assert tokens_in(one) * 5 >= len(one) * 2


def test_the_first_question_pays_for_the_shared_text_and_the_others_as_for_cached_input() -> None:
    shared = "word " * 10_000
    found = estimate([question(shared), question(shared, "other task"), question("another")], PRICE)
    alone = [estimate([one], PRICE) for one in (question(shared), question(shared, "other task"), question("another"))]
    assert found.questions == 3
    assert found.input_tokens == sum(one.input_tokens for one in alone)
    assert found.cached_tokens == tokens_in(shared) == 20_000
    assert found.output_tokens == 3_000
    assert found.tokens == found.input_tokens + 3_000
    assert found.usd == pytest.approx(sum(one.usd or 0 for one in alone) - 20_000 * 2.7 / 1e6)


def test_the_schema_of_the_answer_and_what_stands_around_a_question_count() -> None:
    assert estimate([question("", "")], None).input_tokens > FRAME_TOKENS + 30


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b" * 500]), st.text(max_size=20), st.integers(0, 500))))
def test_an_estimate_is_never_more_than_its_questions_one_by_one(asked: list[tuple[str, str, int]]) -> None:
    questions = [question(*one) for one in asked]
    apart = [estimate([one], PRICE) for one in questions]
    found = estimate(questions, PRICE)
    assert found.usd is not None
    assert found.usd <= sum(one.usd or 0 for one in apart) + 1e-12
    assert found.tokens == sum(one.tokens for one in apart)
    used = Usage(input_tokens=found.input_tokens, cached_tokens=found.cached_tokens, output_tokens=found.output_tokens)
    assert found.usd == PRICE.cost(used)
