"""Hard limits on what the models of a run may use: nothing is asked that could pass them."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Lock
from typing import Annotated

from pydantic import Field

from review_gate.models import Frozen
from review_gate.pipeline.estimate import Estimate
from review_gate.ports import Failure, NoReply, Reply, Usage

# Money is counted in whole billionths of a dollar: a sum of fractions could pass a limit that its parts keep.
NANO = 1_000_000_000
# What an amount counts as that is no number: more than any limit.
ENDLESS = 10**30
CENT = 0.01
# A try that ended so may have cost something that nobody told.
UNTOLD: tuple[Failure, ...] = ("timeout", "crashed")

Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Caps(Frozen):
    """The most that a run may use of money, tokens and time; None is no limit."""

    max_usd: Money | None = None
    max_tokens: int | None = Field(default=None, ge=0)
    max_seconds: Money | None = None


class Spent(Frozen):
    """What was used so far, and what was promised to questions under way; no `usd` where some price is unknown."""

    usage: Usage = Usage()
    usd: float | None = Field(default=0.0, ge=0)
    # Of all that was used; more than `usage` tells where nobody knows what a question has taken.
    tokens: int = Field(default=0, ge=0)
    promised_tokens: int = Field(default=0, ge=0)
    promised_usd: float = Field(default=0.0, ge=0)


class Spend:
    """The account of one run, for many threads: what is used and what is promised together keep to the caps.

    An answer that took more than was reserved for it is counted as it is, and then nothing more is granted.
    """

    def __init__(self, caps: Caps, now: Callable[[], float]) -> None:
        self._caps = caps
        self._now = now
        self._started = now()
        self._lock = Lock()
        self._usage = Usage()
        self._used_tokens = self._promised_tokens = 0
        self._used_nano = self._promised_nano = 0
        self._is_priced = True

    def reserve(self, estimated_tokens: int, estimated_usd: float | None, *, model: str = "this model") -> str:
        """Promise so much to one question; empty when that is granted, otherwise why not."""
        with self._lock:
            reason = self._refusal(estimated_tokens, estimated_usd, model)
            if not reason:
                self._promised_tokens += estimated_tokens
                self._promised_nano += _nano(estimated_usd)
            return reason

    def settle(self, reservation: tuple[int, float | None], usage: Usage | None, usd: float | None) -> None:
        """Give a reservation back, and count what was used instead.

        Where nobody knows what that is, as after a crash, it is all that was reserved: `usage` is None for the tokens,
        `usd` for the money.
        """
        tokens, promised = reservation
        with self._lock:
            self._promised_tokens -= tokens
            self._promised_nano -= _nano(promised)
            self._used_tokens += tokens if usage is None else usage.input_tokens + usage.output_tokens
            self._used_nano += _nano(promised if usd is None else usd)
            self._usage += usage or Usage()
            self._is_priced = self._is_priced and not (usd is None and promised is None)

    def seconds_left(self) -> float | None:
        """How long the run may still take, None where nothing limits it."""
        limit = self._caps.max_seconds
        return None if limit is None else max(0.0, limit - (self._now() - self._started))

    def spent(self) -> Spent:
        """The account as it stands."""
        with self._lock:
            return Spent(
                usage=self._usage,
                usd=self._used_nano / NANO if self._is_priced else None,
                tokens=self._used_tokens,
                promised_tokens=self._promised_tokens,
                promised_usd=self._promised_nano / NANO,
            )

    def _refusal(self, tokens: int, usd: float | None, model: str) -> str:
        caps = self._caps
        if self.seconds_left() == 0:
            return f"models.max_seconds ({caps.max_seconds:g}) is over"
        if (
            caps.max_tokens is not None
            and (taken := self._used_tokens + self._promised_tokens) + tokens > caps.max_tokens
        ):
            return _passed("max_tokens", f"{caps.max_tokens:,}", f"{taken:,}", f"{tokens:,}")
        if caps.max_usd is None:
            return ""
        if usd is None:
            return (
                f"the price of {model} is not known, so max_usd cannot be kept: "
                "add it to .review-gate/prices.json or remove max_usd"
            )
        taken = self._used_nano + self._promised_nano
        if taken + _nano(usd) > _nano(caps.max_usd):
            return _passed("max_usd", _dollars(caps.max_usd), _dollars(taken / NANO), _dollars(usd))
        return ""


def _passed(cap: str, limit: str, taken: str, more: str) -> str:
    return f"models.{cap} ({limit}) would be passed: {taken} used or promised, about {more} more"


def _nano(usd: float | None) -> int:
    if usd is None:
        return 0
    return round(usd * NANO) if math.isfinite(usd * NANO) else ENDLESS


def _dollars(usd: float) -> str:
    return f"{usd:.4f}" if 0 < usd < CENT else f"{usd:.2f}"


class Tries:
    """What one question takes of the account; `refusal` is why it, or another try of it, may not be put."""

    def __init__(
        self, spend: Spend, expected: Estimate, cost: Callable[[Reply | NoReply], float | None], *, model: str
    ) -> None:
        self.refusal = ""
        self._spend = spend
        self._reserved = expected.tokens, expected.usd
        self._cost = cost
        self._model = model
        self._usage = Usage()
        self._usd: float | None = 0.0

    def begin(self) -> str:
        """Promise one try; empty when that is granted, otherwise why not."""
        self.refusal = self._spend.reserve(*self._reserved, model=self._model)
        return self.refusal

    def again(self, said: NoReply) -> str:
        """Count a try that failed, and promise another one."""
        self.end(said)
        return self.begin()

    def end(self, said: Reply | NoReply | None) -> None:
        """Count the last try; an answer tells what all of them took together, None is a try that nobody knows of."""
        if self.refusal:
            # What was used until then is counted, and nothing was promised since.
            return
        if said is None or self._is_untold(said):
            self._spend.settle(self._reserved, None, None)
            return
        usd, before = self._cost(said), self._usd
        more = None if usd is None or before is None else max(usd - before, 0.0)
        self._spend.settle(self._reserved, _since(said.usage, self._usage), more)
        self._usage, self._usd = said.usage, usd

    def _is_untold(self, said: Reply | NoReply) -> bool:
        is_failed = isinstance(said, NoReply) and said.kind in UNTOLD and said.attempts > 0
        return is_failed and said.usage == self._usage


def _since(usage: Usage, before: Usage) -> Usage:
    """What was used beyond what is counted already."""
    return Usage(
        input_tokens=max(usage.input_tokens - before.input_tokens, 0),
        cached_tokens=max(usage.cached_tokens - before.cached_tokens, 0),
        output_tokens=max(usage.output_tokens - before.output_tokens, 0),
    )
