"""One deadline over all tries of a question, and retries for what can pass."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from review_gate.ports import NoReply, Question, Reply, Usage
from review_gate.shell.process import Commands


@dataclass(frozen=True)
class Retries:
    """How often to ask again, and how long to wait before it; `jitter` keeps reviewers from coming back together."""

    tries: int = 4
    first_wait: float = 0.5
    longest_wait: float = 8.0
    jitter: Callable[[], float] = random.random

    def wait_after(self, tries: int) -> float:
        """The seconds to wait after so many tries: twice as long each time, half of it by chance."""
        whole = min(self.first_wait * 2.0 ** (tries - 1), self.longest_wait)
        return whole * (1 + self.jitter()) / 2


class Tried(NamedTuple):
    """What one try brought, whether another may bring more, and how long the service asks to wait before it."""

    said: Reply | NoReply
    may_pass: bool = False
    after: float | None = None


def ask_in_time(
    question: Question, try_once: Callable[[float], Tried], retries: Retries, commands: Commands
) -> Reply | NoReply:
    """The answer of the last try that fits into the question's seconds; each try is told how many are left."""
    end = time.monotonic() + question.seconds
    interrupted = threading.Event()
    usage, usd, malformed = Usage(), None, 0
    with commands.ended_by_interrupt(interrupted.set):
        for tries in count(1):
            tried = try_once(max(end - time.monotonic(), 0.0))
            said = tried.said
            usage, usd = usage + said.usage, _sum(usd, said.usd)
            said = said.model_copy(update={"attempts": tries, "usage": usage, "usd": usd})
            if isinstance(said, Reply) or not tried.may_pass or tries >= retries.tries:
                return said
            malformed += said.kind == "malformed"
            if malformed > 1:
                return said
            wait = _wait(tried, tries, retries)
            left = end - time.monotonic()
            if wait >= left:
                return _with_wait(said, tried.after, left)
            if interrupted.wait(wait):
                return said
            if objection := question.objection(said):
                return said.model_copy(update={"why": f"{said.why}; not asked again: {objection}"})
    raise AssertionError("an endless loop has ended")


def _wait(tried: Tried, tries: int, retries: Retries) -> float:
    if isinstance(tried.said, NoReply) and tried.said.kind == "malformed":
        return 0.0
    return retries.wait_after(tries) if tried.after is None else tried.after


def _with_wait(said: NoReply, after: float | None, left: float) -> NoReply:
    """The same, with the wait that did not fit."""
    if after is None:
        return said
    wait = f"it asks to wait {after:.0f} seconds, and {max(left, 0.0):.1f} are left"
    return said.model_copy(update={"why": f"{said.why}; {wait}"})


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one + (other or 0.0)
