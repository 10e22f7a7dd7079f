"""Generators that are asked for their drafts at the same time; one that fails is asked once more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

from review_gate.consensus.drafts import EMPTY, LIMIT, Attempt, DraftAnswer, Try, question_for, readable
from review_gate.ports import NoReply
from review_gate.shell.asking import Asking, Said
from review_gate.shell.counter import counter
from review_gate.shell.process import Commands

PROGRESS = "{} of {} generators are done"
LOOK_SECONDS = 0.2
MOST_TRIES = 2
LIMIT_STEP = "raise the limit in the configuration (review-gate config show), or ask fewer models (rounds.reviewers)"

# Called with the name of each event and what is known of it.
Log = Callable[..., None]


def ask_for_drafts(
    generators: Sequence[Asking], shared: str, task: str, log: Log, commands: Commands
) -> tuple[Attempt, ...]:
    """What came of each, in their order; an interrupt ends the commands of all, and no generator is asked again."""
    stopped = threading.Event()
    log("started", generators=len(generators))
    with ThreadPoolExecutor(max(len(generators), 1), thread_name_prefix="generator") as pool:
        asked = [
            pool.submit(_attempt, number, one, (shared, task), log, stopped)
            for number, one in enumerate(generators, start=1)
        ]
        try:
            waiting = set(asked)
            with counter(PROGRESS) as count:
                while waiting:
                    count(len(asked) - len(waiting), len(asked))
                    waiting = wait(waiting, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED).not_done
        except BaseException:
            stopped.set()
            commands.end_all()
            pool.shutdown(cancel_futures=True)
            log("interrupted")
            raise
    return tuple(one.result() for one in asked)


def _attempt(number: int, asking: Asking, texts: tuple[str, str], log: Log, stopped: threading.Event) -> Attempt:
    tries: list[Try] = []
    text, model = "", asking.provider.model
    while not tries or (len(tries) < MOST_TRIES and tries[-1].is_worth_another and not stopped.is_set()):
        log("asked", generator=number, attempt=len(tries) + 1)
        one, text, model = _put(asking, *texts)
        tries.append(one)
        # Nothing by which the model could be known.
        told: dict[str, Any] = {"seconds": one.seconds, "questions": one.asked, "characters": len(text)}
        told |= {"problem": one.problem} if one.problem else {}
        log("failed" if one.problem else "answered", generator=number, **told)
    provider = asking.provider
    return Attempt(
        number=number, provider=provider.name, family=provider.family, model=model, text=text, tries=tuple(tries)
    )


def _put(asking: Asking, shared: str, task: str) -> tuple[Try, str, str]:
    """One question: how it went, the draft, and the model that gave it."""
    began = time.monotonic()
    name = asking.provider.name
    said = asking.ask(lambda seconds: question_for(name, shared, task, seconds))
    one = _try(said, round(time.monotonic() - began, 3))
    if said.reply is None or isinstance(said.reply, NoReply):
        return one, "", asking.provider.model
    answer = said.reply.data
    text = readable(answer.draft) if isinstance(answer, DraftAnswer) else ""
    if not text.strip():
        one = one.model_copy(update={"problem": EMPTY, "why": "its draft was empty", "next_step": "try again"})
    return one, text, said.reply.model


def _try(said: Said, seconds: float) -> Try:
    if said.reply is None:
        return Try(seconds=seconds, asked=0, problem=LIMIT, why=said.refusal, next_step=LIMIT_STEP)
    reply = said.reply
    spent = Try(seconds=seconds, asked=reply.attempts, usage=reply.usage, usd=said.usd)
    if not isinstance(reply, NoReply):
        return spent
    # A call whose time or money is over has none for a second question either.
    kind, step = (LIMIT, LIMIT_STEP) if said.is_capped else (reply.kind, reply.next_step)
    why = f"{reply.kind.replace('_', ' ')}: {reply.why}"
    return spent.model_copy(update={"problem": kind, "why": why, "next_step": step})
