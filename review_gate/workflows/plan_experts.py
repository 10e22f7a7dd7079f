"""Who is asked about a plan: the model of this user's settings, which is shown no secret."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from review_gate.config.schema import Config
from review_gate.plans.experts import MOST_CHARACTERS, TOO_LONG, Opinion, nobody_in_reach, not_asked, unheard
from review_gate.plans.panel import Panel, Persona
from review_gate.plans.schema import Violation
from review_gate.plans.selection import LINES_SHOWN, Choice
from review_gate.shell.process import Commands

if TYPE_CHECKING:
    from review_gate.checks.plan import CheckPlan
    from review_gate.pipeline.spend import Spend
    from review_gate.shell.answer_cache import AnswerCache
    from review_gate.shell.plan_panel import PlanPanel, PlanText
    from review_gate.workflows.secret_search import SecretSearch

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8
# No character of UTF-8 has more.
MOST_BYTES = 4 * MOST_CHARACTERS
UNSEARCHED = "the plan could not be searched for secrets, which must not leave this machine"
HOLDS_SECRET = "what is said of the reviewers holds a secret, which must not leave this machine"  # noqa: S105 - words
NOT_TEXT = "the plan is not UTF-8 text"


class Ready(NamedTuple):
    """A panel that can be asked and its account, or why there is none."""

    panel: PlanPanel | None
    why_none: str = ""
    model: str = ""
    spend: Spend | None = None


class PlanExperts:
    """The models of one review; nothing is imported or looked for before somebody is asked."""

    def __init__(self, config: Config, top: str, checks: CheckPlan, environ: Mapping[str, str]) -> None:
        self._config = config
        self._top = top
        self._checks = checks
        self._environ = environ
        self._commands = Commands()

    @property
    def are_required(self) -> bool:
        """Whether a plan whose experts nobody asked is not approved."""
        return self._config.models.use == "required"

    def __enter__(self) -> PlanExperts:
        return self

    def __exit__(self, *_: object) -> None:
        self._commands.end_all()
        if "_ready" in self.__dict__ and self._ready.panel is not None:
            self._ready.panel.close()

    def opinions(self, panel: Panel, data: bytes) -> tuple[Opinion, ...]:
        """What the experts of a panel say of a plan."""
        if not panel.experts:
            return ()
        ready = self._ready
        if ready.panel is None:
            return tuple(not_asked(persona.name, ready.why_none) for persona in panel.experts)
        # Before it is searched for secrets, which takes as long as it is.
        plan = TOO_LONG if len(data) > MOST_BYTES else self._shown(data)
        if isinstance(plan, str):
            return tuple(unheard(persona.name, plan) for persona in panel.experts)
        if not self._may_be_told([word for persona in panel.experts for word in persona.words]):
            return tuple(unheard(persona.name, HOLDS_SECRET) for persona in panel.experts)
        opinions = ready.panel.opinions(panel.experts, plan)
        if self.are_required or not nobody_in_reach(opinions) or ready.panel.is_away():
            return opinions
        # A firewall that takes offence at its text, or a program that repeats it, is no reason to let a plan pass.
        return tuple(unheard(one.expert, one.problem) for one in opinions)

    def explanation(self, persona: Persona, violation: Violation) -> str:
        """Why a match matters, in the words of a persona; nothing where nobody can be asked."""
        panel = self._ready.panel
        if panel is None or not self._may_be_told([*persona.words, violation.pattern, violation.reason]):
            return ""
        return panel.explanation(persona, violation)

    def choice(self, known: Sequence[Persona], project: str, data: bytes) -> Choice:
        """Who should review a plan; nobody, and why, where no model can be asked."""
        ready = self._ready
        if ready.panel is None:
            return Choice((), ready.why_none)
        beginning = b"\n".join(data.split(b"\n", LINES_SHOWN)[:LINES_SHOWN])
        plan = TOO_LONG if len(beginning) > MOST_BYTES else self._shown(beginning)
        if isinstance(plan, str):
            return Choice((), plan)
        if not self._may_be_told([os.path.basename(project), *(word for persona in known for word in persona.words)]):
            return Choice((), HOLDS_SECRET)
        return ready.panel.choice(known, project, plan)

    def took(self) -> str:
        """What was asked for and what it cost, in words; nothing where nobody was asked."""
        spent = self._ready.spend.spent() if "_ready" in self.__dict__ and self._ready.spend else None
        if spent is None or not spent.tokens:
            return ""
        price = "the price is not known" if spent.usd is None else f"${spent.usd:.4f}"
        return f"{self._ready.model} took {spent.tokens:,} tokens, {price}"

    @cached_property
    def _ready(self) -> Ready:
        settings = self._config.models
        if settings.use == "off":
            return Ready(None, "models are off")
        from review_gate.workflows.models import chosen_provider, quick_models

        chosen = chosen_provider(settings, self._environ, self._commands)
        quick = chosen_provider(quick_models(settings), self._environ, self._commands)
        if chosen.provider is None or quick.provider is None:
            return Ready(None, chosen.why_none)
        from review_gate.pipeline.prices import load_prices
        from review_gate.pipeline.spend import Caps, Spend
        from review_gate.shell.asking import Asking
        from review_gate.shell.pipeline_files import layers
        from review_gate.shell.plan_panel import PlanPanel

        prices = load_prices(layers(self._top))
        caps = Caps(max_usd=settings.max_usd, max_tokens=settings.max_tokens, max_seconds=settings.max_seconds)
        spend = Spend(caps, time.monotonic)
        experts, quickly = (
            Asking(provider, prices.price(provider.name, provider.model), spend, settings.answer_seconds)
            for provider in (chosen.provider, quick.provider)
        )
        nonce = secrets.token_hex(NONCE_BYTES)
        panel = PlanPanel(experts, quickly, settings.max_output_tokens, nonce, self._cache())
        return Ready(panel, model=chosen.provider.name, spend=spend)

    def _cache(self) -> AnswerCache | None:
        from review_gate.shell.user_answers import PLANS, answers_of_user

        return answers_of_user(self._environ, PLANS) if self._config.models.cache else None

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
        from review_gate.shell.plan_panel import PlanText

        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return NOT_TEXT
        hits = self._secrets.in_plan(text)
        secret = withheld_lines(text, hits) if hits else {} if hits is not None else None
        if secret is None:
            return UNSEARCHED
        # How a line ends is no part of what it says.
        return PlanText(text, tuple(secret.get(line, line).removesuffix("\r") for line in text.split("\n")))
