"""The experts of a plan review: the models of this user's settings, which are shown no secret."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from review_gate.config.schema import Config
from review_gate.models import Frozen
from review_gate.pipeline.question import Limits
from review_gate.plans.experts import (
    MOST_CHARACTERS,
    OUT_OF_REACH,
    TOO_LONG,
    Explanation,
    Opinion,
    ShownPlan,
    Stance,
    expert_question,
    expert_task,
    explained,
    nobody_in_reach,
    not_asked,
    opinion_of,
    shown_plan,
    unheard,
    voice_shared,
    voice_task,
)
from review_gate.plans.panel import Panel, Persona
from review_gate.plans.schema import Violation
from review_gate.plans.selection import LINES_SHOWN, Choice, PanelAnswer, choice_of, selection_task
from review_gate.ports import NoReply, Question, Reply, Usage
from review_gate.shell.process import Commands

if TYPE_CHECKING:
    from review_gate.checks.plan import CheckPlan
    from review_gate.pipeline.spend import Spend
    from review_gate.shell.answer_cache import AnswerCache
    from review_gate.shell.asking import Asking
    from review_gate.workflows.secret_search import SecretSearch

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8
# No character of UTF-8 has more.
MOST_BYTES = 4 * MOST_CHARACTERS
UNSEARCHED = "the plan could not be searched for secrets, which must not leave this machine"
HOLDS_SECRET = "what is said of the reviewers holds a secret, which must not leave this machine"  # noqa: S105 - words
NOT_TEXT = "the plan is not UTF-8 text"
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
    """A plan as text, its lines as models may see them, and the region that shows them."""

    text: str
    lines: tuple[str, ...]
    shown: ShownPlan


class Ready(NamedTuple):
    """The models for experts and for quick questions with their account, or why there are none."""

    experts: Asking
    quick: Asking
    spend: Spend
    cache: AnswerCache | None


class Kept(NamedTuple):
    """An answer as the cache has it, with the token and the nonce of its question."""

    raw: str
    token: str
    nonce: str
    model: str


class PlanExperts:
    """The models of one review; no model is looked for before it is asked."""

    def __init__(self, config: Config, top: str, checks: CheckPlan, environ: Mapping[str, str]) -> None:
        self._config = config
        self._top = top
        self._checks = checks
        self._environ = environ
        self._commands = Commands()
        self._nonce = secrets.token_hex(NONCE_BYTES)
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="expert")

    @property
    def are_required(self) -> bool:
        """Whether a plan is only approved with the votes of its experts."""
        return self._config.models.use == "required"

    def __enter__(self) -> PlanExperts:
        return self

    def __exit__(self, *_: object) -> None:
        self._commands.end_all()
        # Wait for whatever was ended with them: a program that just starts would be left over.
        self._pool.shutdown(cancel_futures=True)

    def opinions(self, panel: Panel, data: bytes) -> tuple[Opinion, ...]:
        """What each expert of a panel says of a plan, in their order."""
        from review_gate.shell.asking import watch

        ready = self._ready if panel.experts else ""
        if isinstance(ready, str):
            return tuple(not_asked(persona.name, ready) for persona in panel.experts)
        plan = self._shown(data)
        if not isinstance(plan, str) and not self._may_be_told(
            [word for persona in panel.experts for word in persona.words]
        ):
            plan = HOLDS_SECRET
        if isinstance(plan, str):
            return tuple(unheard(persona.name, plan) for persona in panel.experts)
        asked = [self._pool.submit(self._opinion, ready, persona, plan) for persona in panel.experts]
        watch(asked, PROGRESS)
        opinions = tuple(one.result() for one in asked)
        if self.are_required or not nobody_in_reach(opinions):
            return opinions
        # A firewall that takes offence at its text, or a program that repeats it, is no reason to let a plan pass:
        # is the model out of reach for a question without the plan, too?
        said = ready.experts.ask(
            lambda seconds: self._quick_question(voice_shared(self._nonce), PRESENCE, Explanation, seconds)
        )
        if isinstance(said.reply, NoReply) and _is_out_of_reach(said.reply):
            return opinions
        return tuple(unheard(one.expert, one.problem) for one in opinions)

    def _opinion(self, ready: Ready, persona: Persona, plan: PlanText) -> Opinion:
        key = _key(ready.experts, "expert", expert_task(persona, NO_NONCE), *plan.lines)
        known = _known(ready.cache, key)
        if known is not None:
            found = opinion_of(persona.name, known.raw, plan.text, known.token, known.nonce)
            return found.model_copy(update={"model": known.model, "is_known": True})
        tokens = self._config.models.max_output_tokens
        said = ready.experts.ask(
            lambda seconds: expert_question(persona, plan.shown, self._nonce, Limits(seconds, tokens))
        )
        if said.reply is None:
            return unheard(persona.name, said.problem)
        spent = {"usage": said.reply.usage, "usd": said.usd}
        if isinstance(said.reply, NoReply):
            found = unheard(persona.name, said.problem, is_out_of_reach=_is_out_of_reach(said.reply))
            return found.model_copy(update=spent)
        answer = Kept(said.reply.raw, plan.shown.token, self._nonce, said.reply.model)
        found = opinion_of(persona.name, answer.raw, plan.text, answer.token, answer.nonce)
        if ready.cache is not None and found.stance is not Stance.COULD_NOT_REVIEW:
            ready.cache.put(key, answer._asdict())
        return found.model_copy(update={**spent, "model": answer.model})

    def explanation(self, persona: Persona, violation: Violation) -> str:
        """Why a match matters, in the words of a persona; nothing where no model says so in time."""
        ready, nonce = self._ready, self._nonce
        if isinstance(ready, str) or not self._may_be_told([*persona.words, violation.pattern, violation.reason]):
            return ""
        key = _key(ready.quick, "voice", voice_task(persona, violation, NO_NONCE))
        known = _known(ready.cache, key)
        if known is not None:
            return explained(known.raw, known.nonce)
        task = voice_task(persona, violation, nonce)
        said = ready.quick.ask(lambda seconds: self._quick_question(voice_shared(nonce), task, Explanation, seconds))
        if not isinstance(said.reply, Reply):
            return ""
        if ready.cache is not None:
            ready.cache.put(key, Kept(said.reply.raw, "", nonce, said.reply.model)._asdict())
        return explained(said.reply.raw, nonce)

    def choice(self, known: Sequence[Persona], project: str, data: bytes) -> Choice:
        """Who should review a plan, by its beginning; nobody, and why, where no model can be asked."""
        ready = self._ready
        if isinstance(ready, str):
            return Choice((), ready)
        plan = self._shown(b"\n".join(data.split(b"\n", LINES_SHOWN)[:LINES_SHOWN]))
        if isinstance(plan, str):
            return Choice((), plan)
        if not self._may_be_told([os.path.basename(project), *(word for persona in known for word in persona.words)]):
            return Choice((), HOLDS_SECRET)
        task, shown = selection_task(known, project, self._nonce), plan.shown.text
        said = ready.quick.ask(lambda seconds: self._quick_question(shown, task, PanelAnswer, seconds))
        if not isinstance(said.reply, Reply):
            return Choice((), said.problem)
        return choice_of(said.reply.raw, known, project, self._nonce)

    def took(self) -> str:
        """What was asked for and what it cost, in words; nothing where no model was asked."""
        ready = self.__dict__.get("_ready")
        if not isinstance(ready, Ready) or not (spent := ready.spend.spent()).tokens:
            return ""
        price = "the price is not known" if spent.usd is None else f"${spent.usd:.4f}"
        return f"{ready.experts.provider.name} took {spent.tokens:,} tokens, {price}"

    def _quick_question(self, shared: str, task: str, answer: type[Frozen], seconds: float) -> Question:
        tokens = min(self._config.models.max_output_tokens, QUICK_TOKENS)
        return Question(shared, task, answer, tokens, min(seconds, QUICK_SECONDS))

    @cached_property
    def _ready(self) -> Ready | str:
        """The models that can be asked, or why there are none."""
        settings = self._config.models
        if settings.use == "off":
            return "models are off"
        from review_gate.workflows.models import chosen_provider, quick_models

        chosen = chosen_provider(settings, self._environ, self._commands)
        quick = chosen_provider(quick_models(settings), self._environ, self._commands)
        if chosen.provider is None or quick.provider is None:
            return chosen.why_none
        from review_gate.pipeline.prices import load_prices
        from review_gate.pipeline.spend import Caps, Spend
        from review_gate.shell.asking import Asking
        from review_gate.shell.pipeline_files import layers
        from review_gate.shell.user_answers import PLANS, answers_of_user

        prices = load_prices(layers(self._top))
        caps = Caps(max_usd=settings.max_usd, max_tokens=settings.max_tokens, max_seconds=settings.max_seconds)
        spend = Spend(caps, time.monotonic)
        experts, quickly = (
            Asking(provider, prices.price(provider.name, provider.model), spend, settings.answer_seconds)
            for provider in (chosen.provider, quick.provider)
        )
        return Ready(experts, quickly, spend, answers_of_user(self._environ, PLANS) if settings.cache else None)

    @cached_property
    def _secrets(self) -> SecretSearch:
        from review_gate.workflows.secret_search import SecretSearch

        return SecretSearch(self._checks, self._config.checks.seconds_per_file)

    def _may_be_told(self, texts: Sequence[str]) -> bool:
        """Whether words beside the plan hold no secret, as far as they could be searched."""
        return self._secrets.in_plan("\n".join(texts)) == []

    def _shown(self, data: bytes) -> PlanText | str:
        """The plan as models may see it, or why they may not."""
        from review_gate.checks.withhold import withheld_lines

        # Before it is searched for secrets, which takes as long as it is.
        if len(data) > MOST_BYTES:
            return TOO_LONG
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return NOT_TEXT
        hits = self._secrets.in_plan(text)
        secret = withheld_lines(text, hits) if hits else {} if hits is not None else None
        if secret is None:
            return UNSEARCHED
        # How a line ends is no part of what it says.
        lines = tuple(secret.get(line, line).removesuffix("\r") for line in text.split("\n"))
        shown = shown_plan(lines, self._nonce)
        return TOO_LONG if shown is None else PlanText(text, lines, shown)


def _key(asking: Asking, *parts: str) -> str:
    from review_gate.shell.answer_cache import AnswerCache

    return AnswerCache.key_of([ANSWER_FORMAT, asking.provider.name, asking.provider.model, *parts])


def _known(cache: AnswerCache | None, key: str) -> Kept | None:
    kept = cache.get(key) if cache is not None else None
    texts = [(kept or {}).get(name) for name in Kept._fields]
    return Kept(*map(str, texts)) if all(isinstance(one, str) for one in texts) else None


def _is_out_of_reach(said: NoReply) -> bool:
    """A model that has said something, though nothing of use, was reached."""
    return said.kind in OUT_OF_REACH and said.usage == Usage()
