"""One question at a time to the model of a run, within the limits of the run's account."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from typing import Any, NamedTuple

from review_gate.pipeline.estimate import estimate
from review_gate.pipeline.prices import Price
from review_gate.pipeline.spend import Spend, Tries
from review_gate.ports import ModelProvider, NoReply, Question, Reply
from review_gate.shell.counter import counter

# A question without any time left is refused by the account, so this is never waited for.
SHORTEST = 0.001
LOOK_SECONDS = 0.1


class Said(NamedTuple):
    """What came of one question; no reply where the account did not let it be put, which `refusal` tells."""

    reply: Reply | NoReply | None
    usd: float | None = None
    refusal: str = ""
    # Whether it was a limit of the run that kept the answer away.
    is_capped: bool = False

    @property
    def problem(self) -> str:
        """Why there is no answer, empty where there is one."""
        if isinstance(self.reply, NoReply):
            return f"{self.reply.kind.replace('_', ' ')}: {self.reply.why} ({self.reply.next_step})"
        return self.refusal


class Asking:
    """The model of a run; `seconds` is what one answer may take, with every retry."""

    def __init__(self, provider: ModelProvider, price: Price | None, spend: Spend, seconds: float) -> None:
        self.provider = provider
        self.price = price
        self._spend = spend
        self._seconds = seconds

    def ask(self, question_within: Callable[[float], Question]) -> Said:
        """Put a question that may take so many seconds."""
        left = self._spend.seconds_left()
        question = question_within(max(self._seconds if left is None else min(self._seconds, left), SHORTEST))
        model = self.provider.model or self.provider.name
        tries = Tries(self._spend, estimate([question], self.price), self._cost, model=model)
        if refusal := tries.begin():
            return Said(None, refusal=refusal, is_capped=True)
        reply = self._put(replace(question, objection=tries.again), tries)
        is_late = left is not None and self._spend.seconds_left() == 0
        is_capped = isinstance(reply, NoReply) and (is_late or bool(tries.refusal))
        return Said(reply, self._cost(reply), is_capped=is_capped)

    def _put(self, question: Question, tries: Tries) -> Reply | NoReply:
        reply: Reply | NoReply | None = None
        try:
            reply = self.provider.ask(question)
            return reply
        finally:
            tries.end(reply)

    def _cost(self, reply: Reply | NoReply) -> float | None:
        if reply.usd is not None:
            return reply.usd
        return None if self.price is None else self.price.cost(reply.usage)


def watch(asked: Sequence[Future[Any]], progress: str, seconds: float | None = None) -> None:
    """Wait for all, but not longer than this, and show on a terminal how many have spoken."""
    end = time.monotonic() + seconds if seconds is not None else None
    waiting = set(asked)
    with counter(progress) as count:
        while waiting and (end is None or time.monotonic() < end):
            count(len(asked) - len(waiting), len(asked))
            left = LOOK_SECONDS if end is None else max(min(LOOK_SECONDS, end - time.monotonic()), 0)
            waiting = wait(waiting, timeout=left, return_when=FIRST_COMPLETED).not_done
