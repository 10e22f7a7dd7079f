"""Asks the reviewers of a prompt at the same time, and leaves late ones out."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from review_gate.ports import NoReply, Usage
from review_gate.prompts.critique import Refused, critique_in
from review_gate.prompts.outcome import Reviewed, Task
from review_gate.prompts.question import question_of
from review_gate.prompts.schema import Critique, Role
from review_gate.shell.answer_cache import AnswerCache
from review_gate.shell.asking import Asking, Said, watch

# Raise it when an answer is read in another way.
ANSWER_FORMAT = "prompt 1"
PROGRESS = "{} of {} reviewers have spoken"
LATE = "it gave no answer within {:g} seconds"
SHIPPED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "prompts", "roles")


class Heard(NamedTuple):
    """The result of one reviewer with its cost; `usd` is None if the price is not known."""

    reviewed: Reviewed
    usage: Usage = Usage()
    usd: float | None = 0.0


class PromptPanel:
    """Who is asked about one prompt."""

    def __init__(self, asking: Asking, shared: str, nonce: str, seconds: float, cache: AnswerCache | None) -> None:
        self._asking = asking
        self._shared = shared
        self._nonce = nonce
        self._seconds = seconds
        self._cache = cache

    def heard(self, tasks: Sequence[Task]) -> tuple[Heard, ...]:
        """What each says, in their order."""
        known = {task.role: known_answer(self._cache, task.role, task.key) for task in tasks}
        unknown = [task for task in tasks if known[task.role] is None]
        # No with block, which would wait for late threads.
        pool = ThreadPoolExecutor(max(len(unknown), 1), thread_name_prefix="reviewer")
        asked = {task.role: pool.submit(self._heard, task) for task in unknown}
        try:
            watch(list(asked.values()), PROGRESS, self._seconds)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        answered = ((task, known[task.role]) for task in tasks)
        return tuple(Heard(one) if one is not None else self._result(task, asked[task.role]) for task, one in answered)

    def _result(self, task: Task, asked: Future[Heard]) -> Heard:
        if asked.done() and not asked.cancelled():
            return asked.result()
        return Heard(Reviewed(role=task.role, problem=LATE.format(self._seconds)), usd=None)

    def _heard(self, task: Task) -> Heard:
        said = self._asking.ask(lambda seconds: question_of(self._shared, task.text, min(seconds, self._seconds)))
        critique = critique_in(task.role, _raw(said), self._nonce) if _raw(said) else Refused(said.problem)
        usage = said.reply.usage if said.reply is not None else Usage()
        usd = said.usd if usage != Usage() or said.usd is not None else 0.0
        if not isinstance(critique, Refused):
            keep_answer(self._cache, task.key, _raw(said))
        elif _is_late(said) or said.problem:
            critique = Refused(LATE.format(self._seconds) if _is_late(said) else said.problem)
        return Heard(reviewed_as(task.role, critique), usage, usd)


def reviewed_as(role: Role, critique: Critique | Refused) -> Reviewed:
    """A reviewer with its critique, or with why it gave none."""
    if isinstance(critique, Refused):
        return Reviewed(role=role, problem=critique.why)
    return Reviewed(role=role, critique=critique)


def known_answer(cache: AnswerCache | None, role: Role, key: str) -> Reviewed | None:
    """What a reviewer has said before about exactly this."""
    kept = cache.get(key) if cache is not None else None
    raw = kept.get("raw") if kept is not None else None
    critique = critique_in(role, raw) if isinstance(raw, str) else None
    if critique is None or isinstance(critique, Refused):
        return None
    return Reviewed(role=role, critique=critique, is_known=True)


def keep_answer(cache: AnswerCache | None, key: str, raw: str) -> None:
    """Keep what a reviewer has said, where anything may be kept."""
    if cache is not None:
        cache.put(key, {"raw": raw})


def _raw(said: Said) -> str:
    """What the model said; of an answer that its provider found malformed, parts may be good."""
    reply = said.reply
    return "" if reply is None or (isinstance(reply, NoReply) and reply.kind != "malformed") else reply.raw


def _is_late(said: Said) -> bool:
    """Whether its provider gave up waiting: which of the two does so first is chance, and they say the same."""
    return isinstance(said.reply, NoReply) and said.reply.kind == "timeout"


def role_text(role: Role) -> str:
    """What a reviewer looks for and how it says so."""
    return _text(f"{role.value}.md")


def specialist_text(name: str) -> str:
    """What the domain reviewer knows about a stack; the name is one of those in `prompts.specialists`."""
    return _text(os.path.join(Role.DOMAIN_SME.value, f"{name}.md"))


@functools.cache
def _text(name: str) -> str:
    with open(os.path.join(SHIPPED, name), encoding="utf-8") as file:
        return file.read()
