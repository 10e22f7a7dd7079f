"""The models of a plan review: experts who are asked at the same time, and quick questions beside them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from review_gate.models import Frozen
from review_gate.pipeline.question import Limits
from review_gate.plans.experts import (
    OUT_OF_REACH,
    TOO_LONG,
    Explanation,
    Opinion,
    ShownPlan,
    Stance,
    expert_question,
    expert_task,
    explained,
    opinion_of,
    shown_plan,
    unheard,
    voice_shared,
    voice_task,
)
from review_gate.plans.panel import Persona
from review_gate.plans.schema import Violation
from review_gate.plans.selection import Choice, PanelAnswer, choice_of, selection_task
from review_gate.ports import NoReply, Question, Reply, Usage
from review_gate.shell.answer_cache import AnswerCache
from review_gate.shell.asking import Asking, watch

# Raise it when an answer is read in another way.
ANSWER_FORMAT = "plan 1"
MOST_AT_ONCE = 12
PROGRESS = "{} of {} experts have spoken"
# What no text holds: a key is the same whatever the nonce of a call.
NO_NONCE = "\0"
# Short answers, without which a review goes on.
QUICK_SECONDS = 60.0
QUICK_TOKENS = 4_000
PRESENCE = "Nothing is asked yet, only whether anybody answers: `why` is the word yes."


class PlanText(NamedTuple):
    """A plan, and its lines as models may see them."""

    text: str
    shown: tuple[str, ...]


class Kept(NamedTuple):
    """An answer as the cache has it, with the token and the nonce of its question."""

    raw: str
    token: str
    nonce: str
    model: str


class PlanPanel:
    """Asks models about a plan; the same question about the same plan is asked once."""

    def __init__(
        self, experts: Asking, quick: Asking, max_output_tokens: int, nonce: str, cache: AnswerCache | None
    ) -> None:
        self._experts = experts
        self._quick = quick
        self._tokens = max_output_tokens
        self._nonce = nonce
        self._cache = cache
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="expert")

    def opinions(self, personas: Sequence[Persona], plan: PlanText) -> tuple[Opinion, ...]:
        """What each expert says of a plan, in their order."""
        shown = shown_plan(plan.shown, self._nonce)
        if shown is None:
            return tuple(unheard(persona.name, TOO_LONG) for persona in personas)
        asked = [self._pool.submit(self._opinion, persona, plan, shown) for persona in personas]
        watch(asked, PROGRESS)
        return tuple(one.result() for one in asked)

    def close(self) -> None:
        """Wait for whatever is ended with the commands of the review: a program that just starts would be left over."""
        self._pool.shutdown(cancel_futures=True)

    def is_away(self) -> bool:
        """Is the model out of reach for a question without the plan, too? Then the plan is not the cause."""
        said = self._experts.ask(
            lambda seconds: self._question(voice_shared(self._nonce), PRESENCE, Explanation, seconds)
        )
        return isinstance(said.reply, NoReply) and _is_out_of_reach(said.reply)

    def explanation(self, persona: Persona, violation: Violation) -> str:
        """Why a match matters, in the words of a persona; nothing where no model says so in time."""
        task = voice_task(persona, violation, self._nonce)
        key = self._key(self._quick, "voice", voice_task(persona, violation, NO_NONCE))
        known = self._known(key)
        if known is not None:
            return explained(known.raw, known.nonce)
        said = self._quick.ask(lambda seconds: self._question(voice_shared(self._nonce), task, Explanation, seconds))
        if not isinstance(said.reply, Reply):
            return ""
        self._keep(key, Kept(said.reply.raw, "", self._nonce, said.reply.model))
        return explained(said.reply.raw, self._nonce)

    def choice(self, known: Sequence[Persona], project: str, beginning: PlanText) -> Choice:
        """Who should review a plan, by its beginning."""
        shown = shown_plan(beginning.shown, self._nonce)
        if shown is None:
            return Choice((), TOO_LONG)
        task = selection_task(known, project, self._nonce)
        said = self._quick.ask(lambda seconds: self._question(shown.text, task, PanelAnswer, seconds))
        if not isinstance(said.reply, Reply):
            return Choice((), said.problem)
        return choice_of(said.reply.raw, known, project, self._nonce)

    def _opinion(self, persona: Persona, plan: PlanText, shown: ShownPlan) -> Opinion:
        key = self._key(self._experts, "expert", expert_task(persona, NO_NONCE), *plan.shown)
        known = self._known(key)
        if known is not None:
            found = opinion_of(persona.name, known.raw, plan.text, known.token, known.nonce)
            return found.model_copy(update={"model": known.model, "is_known": True})
        said = self._experts.ask(
            lambda seconds: expert_question(persona, shown, self._nonce, Limits(seconds, self._tokens))
        )
        if said.reply is None:
            return unheard(persona.name, said.problem)
        spent = {"usage": said.reply.usage, "usd": said.usd}
        if isinstance(said.reply, NoReply):
            found = unheard(persona.name, said.problem, is_out_of_reach=_is_out_of_reach(said.reply))
            return found.model_copy(update=spent)
        answer = Kept(said.reply.raw, shown.token, self._nonce, said.reply.model)
        found = opinion_of(persona.name, answer.raw, plan.text, answer.token, answer.nonce)
        if found.stance is not Stance.COULD_NOT_REVIEW:
            self._keep(key, answer)
        return found.model_copy(update={**spent, "model": answer.model})

    def _question(self, shared: str, task: str, answer: type[Frozen], seconds: float) -> Question:
        return Question(shared, task, answer, min(self._tokens, QUICK_TOKENS), min(seconds, QUICK_SECONDS))

    def _key(self, asking: Asking, *parts: str) -> str:
        return AnswerCache.key_of([ANSWER_FORMAT, asking.provider.name, asking.provider.model, *parts])

    def _known(self, key: str) -> Kept | None:
        kept = self._cache.get(key) if self._cache is not None else None
        values = [] if kept is None else [kept.get(name) for name in Kept._fields]
        texts = [one for one in values if isinstance(one, str)]
        return Kept(*texts) if len(texts) == len(Kept._fields) else None

    def _keep(self, key: str, answer: Kept) -> None:
        if self._cache is not None:
            self._cache.put(key, answer._asdict())


def _is_out_of_reach(said: NoReply) -> bool:
    """A model that has said something, though nothing of use, was reached."""
    return said.kind in OUT_OF_REACH and said.usage == Usage()
