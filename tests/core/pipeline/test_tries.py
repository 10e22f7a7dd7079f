"""The account of one question: no try is put that could pass a limit, and none is forgotten."""

from __future__ import annotations

from review_gate.pipeline.estimate import Estimate
from review_gate.pipeline.prices import Price
from review_gate.pipeline.spend import Caps, Spend, Tries
from review_gate.ports import Failure, NoReply, Reply, Usage

PRICE = Price(input=1.0, cached=0.1, output=1.0)
EXPECTED = Estimate(questions=1, input_tokens=600, output_tokens=400, usd=0.001)


def account(**caps: float | int) -> Spend:
    return Spend(Caps.model_validate(caps), lambda: 0.0)


def cost(said: Reply | NoReply) -> float | None:
    return said.usd if said.usd is not None else PRICE.cost(said.usage)


def tries(spend: Spend) -> Tries:
    return Tries(spend, EXPECTED, cost, model="m")


def failed(kind: Failure, tokens: int = 0, attempts: int = 1) -> NoReply:
    usage = Usage(input_tokens=tokens)
    return NoReply(kind=kind, why="w", next_step="n", attempts=attempts, usage=usage)


def test_a_try_that_cost_nothing_leaves_room_for_the_next() -> None:
    spend = account(max_tokens=1_000)
    one = tries(spend)
    assert one.begin() == ""
    assert one.again(failed("overloaded")) == ""
    one.end(failed("overloaded", attempts=2))
    assert (spend.spent().tokens, spend.spent().promised_tokens) == (0, 0)


def test_a_try_that_cost_something_is_counted_before_the_next_is_granted() -> None:
    spend = account(max_tokens=1_500)
    one = tries(spend)
    assert one.begin() == ""
    refusal = "models.max_tokens (1,500) would be passed: 700 used or promised, about 1,000 more"
    assert one.again(failed("malformed", 700)) == refusal
    one.end(failed("malformed", 700))
    assert (one.refusal, spend.spent().tokens, spend.spent().promised_tokens) == (refusal, 700, 0)


def test_all_tries_together_are_counted_once() -> None:
    spend = account()
    one = tries(spend)
    one.begin()
    one.again(failed("malformed", 700))
    one.end(failed("malformed", 1_500, attempts=2))
    assert (spend.spent().tokens, spend.spent().usd) == (1_500, 0.0015)


def test_what_another_question_was_promised_meanwhile_is_not_taken() -> None:
    spend = account(max_usd=0.0015)
    one, other = tries(spend), tries(spend)
    assert one.begin() == ""
    assert other.begin() != ""
    assert one.again(failed("overloaded")) == ""
    assert spend.spent().promised_usd == 0.001


def test_a_try_of_which_nobody_knows_what_it_took_counts_as_all_that_was_promised() -> None:
    for last in (None, failed("timeout"), failed("crashed")):
        spend = account()
        one = tries(spend)
        one.begin()
        one.end(last)
        assert (spend.spent().tokens, spend.spent().usd) == (1_000, 0.001)


def test_who_was_never_asked_has_cost_nothing() -> None:
    spend = account()
    one = tries(spend)
    one.begin()
    one.end(failed("crashed", attempts=0))
    assert spend.spent().tokens == 0
