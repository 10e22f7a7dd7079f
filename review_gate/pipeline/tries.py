"""The account of one question: every try is promised before it is put, and what it took is counted after it."""

from __future__ import annotations

from collections.abc import Callable

from review_gate.pipeline.estimate import Estimate
from review_gate.pipeline.spend import Reservation, Spend
from review_gate.ports import Failure, NoReply, Reply, Usage

# A try that ended so may have cost something that nobody told.
UNTOLD: tuple[Failure, ...] = ("timeout", "crashed")


class Tries:
    """What one question takes of the account; `refusal` is why it, or another try of it, may not be put."""

    def __init__(
        self, spend: Spend, expected: Estimate, cost: Callable[[Reply | NoReply], float | None], *, model: str
    ) -> None:
        self.refusal = ""
        self._spend = spend
        self._reserved = Reservation(expected.tokens, expected.usd)
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
