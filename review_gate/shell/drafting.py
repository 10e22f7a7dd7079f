"""Generators that are asked for their drafts at the same time; who fails is asked once more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from review_gate.consensus.drafts import EMPTY, LIMIT, Attempt, DraftAnswer, Try, question_for, readable
from review_gate.ports import NoReply
from review_gate.shell.asking import Asking, Said
from review_gate.shell.counter import counter

PROGRESS = "{} of {} generators are done"
LOOK_SECONDS = 0.2
MOST_TRIES = 2
LIMIT_STEP = "raise the limit in the configuration (review-gate config show), or ask fewer models (rounds.reviewers)"

# Told of each event, by its name and with what is known of it.
Log = Callable[..., None]


class Drafting:
    """The generators of one call, in the order in which their drafts will stand."""

    def __init__(self, generators: Sequence[Asking], shared: str, task: str, log: Log) -> None:
        self._generators = generators
        self._shared = shared
        self._task = task
        self._log = log
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(max(len(generators), 1), thread_name_prefix="generator")

    def attempts(self) -> tuple[Attempt, ...]:
        """What came of each."""
        asked = [self._pool.submit(self._attempt, number, one) for number, one in enumerate(self._generators, start=1)]
        _watch(asked)
        return tuple(one.result() for one in asked)

    def stop(self) -> None:
        """Nobody is asked again; what is under way ends with the commands of the call."""
        self._stopped.set()

    def close(self) -> None:
        """Wait for whoever is still at work."""
        self._pool.shutdown(cancel_futures=True)

    def _attempt(self, number: int, asking: Asking) -> Attempt:
        tries: list[Try] = []
        text, model = "", asking.provider.model
        while not tries or self._is_to_be_asked_again(tries):
            self._log("asked", generator=number, attempt=len(tries) + 1)
            one, text, model = self._put(asking)
            tries.append(one)
            self._log("failed" if one.problem else "answered", generator=number, **_told(one, text))
        provider = asking.provider
        return Attempt(
            number=number, provider=provider.name, family=provider.family, model=model, text=text, tries=tuple(tries)
        )

    def _is_to_be_asked_again(self, tries: Sequence[Try]) -> bool:
        return len(tries) < MOST_TRIES and tries[-1].is_worth_another and not self._stopped.is_set()

    def _put(self, asking: Asking) -> tuple[Try, str, str]:
        """One question: how it went, the draft, and the model that gave it."""
        began = time.monotonic()
        name = asking.provider.name
        said = asking.ask(lambda seconds: question_for(name, self._shared, self._task, seconds))
        one = _try(said, time.monotonic() - began)
        if said.reply is None or isinstance(said.reply, NoReply):
            return one, "", asking.provider.model
        answer = said.reply.data
        text = readable(answer.draft) if isinstance(answer, DraftAnswer) else ""
        if not text.strip():
            one = one.model_copy(update={"problem": EMPTY, "why": "its draft was empty", "next_step": "try again"})
        return one, text, said.reply.model


def _try(said: Said, seconds: float) -> Try:
    took = round(seconds, 3)
    if said.reply is None:
        return Try(seconds=took, asked=0, problem=LIMIT, why=said.refusal, next_step=LIMIT_STEP)
    reply = said.reply
    spent = Try(seconds=took, asked=reply.attempts, usage=reply.usage, usd=said.usd)
    if not isinstance(reply, NoReply):
        return spent
    # A call whose time or money is over has none for a second question either.
    kind, step = (LIMIT, LIMIT_STEP) if said.is_capped else (reply.kind, reply.next_step)
    return spent.model_copy(
        update={"problem": kind, "why": f"{reply.kind.replace('_', ' ')}: {reply.why}", "next_step": step}
    )


def _told(one: Try, text: str) -> dict[str, Any]:
    """What the log tells of a question: nothing by which the model could be known."""
    told: dict[str, Any] = {"seconds": one.seconds, "questions": one.asked, "characters": len(text)}
    return told | ({"problem": one.problem} if one.problem else {})


def _watch(asked: Sequence[Future[Attempt]]) -> None:
    """Wait for all, and show on a terminal how many are done."""
    waiting = set(asked)
    with counter(PROGRESS) as count:
        while waiting:
            count(len(asked) - len(waiting), len(asked))
            waiting = wait(waiting, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED).not_done
