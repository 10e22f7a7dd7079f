"""Caps are hard: what is used and what is promised never pass them, whatever comes in which order."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from review_gate.pipeline.spend import Caps, Spend, Spent
from review_gate.ports import Usage

UNKNOWN = (
    "the price of gpt-9 is not known, so max_usd cannot be kept: add it to .review-gate/prices.json or remove max_usd"
)


@dataclass
class Clock:
    time: float = 1_000.0

    def __call__(self) -> float:
        return self.time


@dataclass
class Account:
    """A spend with its clock."""

    max_usd: float | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        caps = Caps(max_usd=self.max_usd, max_tokens=self.max_tokens, max_seconds=self.max_seconds)
        self.spend = Spend(caps, self.clock)


def test_money_that_would_pass_the_cap_is_not_granted() -> None:
    spend = Account(max_usd=0.5).spend
    assert spend.reserve(10, 0.48) == ""
    assert spend.reserve(10, 0.05) == "models.max_usd (0.50) would be passed: 0.48 used or promised, about 0.05 more"
    assert spend.reserve(10, 0.02) == ""
    assert spend.reserve(10, 0.0004).endswith("0.50 used or promised, about 0.0004 more")


def test_tokens_that_would_pass_the_cap_are_not_granted() -> None:
    spend = Account(max_tokens=100_000).spend
    assert spend.reserve(98_000, None) == ""
    assert spend.reserve(5_000, None) == (
        "models.max_tokens (100,000) would be passed: 98,000 used or promised, about 5,000 more"
    )
    assert spend.reserve(2_000, None) == ""


def test_what_was_reserved_is_given_back_and_what_was_used_counts() -> None:
    spend = Account(max_usd=1, max_tokens=1_000).spend
    assert spend.reserve(1_000, 1.0) == ""
    assert spend.reserve(1, 0.0) != ""
    spend.settle((1_000, 1.0), Usage(input_tokens=300, cached_tokens=200, output_tokens=100), 0.25)
    used = Usage(input_tokens=300, cached_tokens=200, output_tokens=100)
    assert spend.spent() == Spent(usage=used, usd=0.25, tokens=400)
    assert spend.reserve(600, 0.75) == ""
    assert (spend.spent().promised_tokens, spend.spent().promised_usd) == (600, 0.75)


def test_where_nobody_knows_what_was_used_it_is_what_was_reserved() -> None:
    spend = Account(max_usd=1, max_tokens=100).spend
    assert spend.reserve(60, 0.7) == ""
    spend.settle((60, 0.7), None, None)
    assert spend.spent() == Spent(usd=0.7, tokens=60)
    assert spend.reserve(10, 0.31) != ""
    assert spend.reserve(41, 0.1) != ""


def test_more_than_was_reserved_counts_and_then_nothing_is_granted() -> None:
    spend = Account(max_usd=1).spend
    assert spend.reserve(1, 0.5) == ""
    spend.settle((1, 0.5), Usage(input_tokens=9), 1.5)
    assert spend.spent().usd == 1.5
    assert spend.reserve(0, 0.0) == "models.max_usd (1.00) would be passed: 1.50 used or promised, about 0.00 more"


def test_a_price_that_is_not_known_cannot_keep_a_cap_of_money() -> None:
    assert Account(max_usd=5).spend.reserve(10, None, model="gpt-9") == UNKNOWN
    spend = Account(max_tokens=100).spend
    assert spend.reserve(10, None, model="gpt-9") == ""
    spend.settle((10, None), Usage(input_tokens=5), None)
    assert spend.spent().usd is None


def test_time_runs_from_the_beginning_and_is_never_less_than_none() -> None:
    account = Account(max_seconds=60)
    account.clock.time += 59
    assert account.spend.seconds_left() == 1
    assert account.spend.reserve(1, None) == ""
    account.clock.time += 2
    assert account.spend.seconds_left() == 0
    assert account.spend.reserve(1, None) == "models.max_seconds (60) is over"
    assert Account().spend.seconds_left() is None


def test_tenths_of_a_dollar_add_up_to_the_dollar() -> None:
    spend = Account(max_usd=1).spend
    assert [spend.reserve(0, 0.1) for _ in range(10)] == [""] * 10
    assert spend.reserve(0, 1e-9) != ""


AMOUNTS = st.tuples(st.integers(0, 600), st.floats(0, 0.6))


class Interleavings(RuleBasedStateMachine):
    """Promises and settlements in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.spend = Account(max_usd=1, max_tokens=1_000).spend
        self.open: list[tuple[int, float]] = []
        self.used = (0, 0.0)

    @rule(amount=AMOUNTS)
    def reserve(self, amount: tuple[int, float]) -> None:
        """It is granted exactly when there is room."""
        tokens = self.used[0] + sum(one for one, _ in self.open) + amount[0]
        usd = self.used[1] + sum(one for _, one in self.open) + amount[1]
        reason = self.spend.reserve(*amount)
        if not reason:
            self.open.append(amount)
        assert (reason == "") == (tokens <= 1_000 and usd <= 1) or abs(usd - 1) < 1e-6

    @precondition(lambda self: bool(self.open))
    @rule(which=st.integers(0, 99), part=st.floats(0, 1), is_known=st.booleans())
    def settle(self, which: int, part: float, is_known: bool) -> None:
        """What is used is at most what was promised."""
        tokens, usd = self.open.pop(which % len(self.open))
        if is_known:
            self.spend.settle((tokens, usd), Usage(output_tokens=int(tokens * part)), usd * part)
            tokens, usd = int(tokens * part), usd * part
        else:
            self.spend.settle((tokens, usd), None, None)
        self.used = self.used[0] + tokens, self.used[1] + usd

    @invariant()
    def never_over_the_cap(self) -> None:
        """The account is right, and within its caps."""
        spent = self.spend.spent()
        assert spent.usd is not None
        assert spent.tokens + spent.promised_tokens <= 1_000
        assert spent.usd + spent.promised_usd <= 1 + 1e-9
        assert spent.tokens == self.used[0]
        assert spent.promised_tokens == sum(tokens for tokens, _ in self.open)
        assert spent.usd == pytest.approx(self.used[1], abs=1e-6)
        assert spent.promised_usd == pytest.approx(sum(usd for _, usd in self.open), abs=1e-6)


TestInterleavings = Interleavings.TestCase
