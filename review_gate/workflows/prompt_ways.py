"""The ways to the reviewers of a prompt: whose they are, what was answered before, and within which limits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from review_gate.pipeline.prices import load_prices
from review_gate.pipeline.spend import Caps, Spend
from review_gate.prompts.route import Reach, Route, route_of
from review_gate.prompts.schema import Role
from review_gate.prompts.settings import PromptSettings
from review_gate.shell.answer_cache import AnswerCache
from review_gate.shell.asking import Asking
from review_gate.shell.pipeline_files import layers
from review_gate.shell.process import Commands
from review_gate.shell.prompt_panel import ANSWER_FORMAT
from review_gate.shell.providers.anthropic_api import AnthropicApi
from review_gate.shell.providers.claude_cli import ClaudeCli
from review_gate.shell.providers.deadline import Retries
from review_gate.shell.user_answers import PROMPTS, answers_of_user
from review_gate.workflows.models import warm_up
from review_gate.workflows.prompt_ground import Ground, NotReviewedError, Shown

# Set in every command that a session of Claude Code runs.
SESSION = "CLAUDECODE"
HANDED_OUT = "session"


class Askable(NamedTuple):
    """The way that is taken, and whom it asks; nobody where the session does."""

    route: Route
    provider: ClaudeCli | AnthropicApi | None
    model: str

    @property
    def name(self) -> str:
        """By what its answers are known again."""
        return f"{HANDED_OUT if self.provider is None else self.provider.name} {self.model}"


def askable(settings: PromptSettings, environ: Mapping[str, str], commands: Commands, *, may_hand_out: bool) -> Askable:
    """Who reviews; nobody is asked anything for that."""
    model, retries = settings.models.reviewer, Retries(tries=1 + settings.editor.max_retries)
    claude = ClaudeCli(environ, commands, model=model, retries=retries)
    api = AnthropicApi(environ, commands, model=model, retries=retries)
    is_in_session = may_hand_out and environ.get(SESSION) == "1"
    no_claude, no_api = claude.unusable(), api.unusable()
    route = route_of(settings, Reach(is_in_session, no_claude.why if no_claude else "", no_api.why if no_api else ""))
    if route.way is None:
        raise NotReviewedError("nobody_to_ask", route.why_none)
    provider = claude if route.way == "claude" else api if route.way == "anthropic" else None
    if provider is not None:
        warm_up(provider)
    return Askable(route, provider, model)


def asking_through(provider: ClaudeCli | AnthropicApi, ground: Ground) -> Asking:
    """Whoever answers, within the budget of the review and the limits of the configuration."""
    models = ground.config.models
    price = load_prices(layers(ground.top)).price(provider.name, provider.model)
    caps = Caps(max_usd=models.max_usd, max_tokens=models.max_tokens, max_seconds=models.max_seconds)
    return Asking(provider, price, Spend(caps, time.monotonic), seconds_of(ground.settings))


def editor_asking(who: Askable, ground: Ground, environ: Mapping[str, str], commands: Commands) -> Asking | None:
    """Whoever words edits anew: the model of the editor, asked in the same way as the reviewers."""
    if who.provider is None:
        return None
    kind = type(who.provider)
    return asking_through(kind(environ, commands, model=ground.settings.models.editor), ground)


def seconds_of(settings: PromptSettings) -> float:
    """How long reviewers have in all."""
    return settings.budget.timeout_ms / 1000


def answer_cache(ground: Ground, environ: Mapping[str, str]) -> AnswerCache | None:
    """Where critiques are kept, None where nothing may be kept."""
    return answers_of_user(environ, PROMPTS) if ground.config.models.cache else None


def key_of(who: Askable, role: Role, text: str, shown: Shown) -> str:
    """What an answer depends on: who is asked, as what, about which prompt and project; no word of a single call."""
    context = shown.context.model_dump_json()
    return AnswerCache.key_of([ANSWER_FORMAT, who.name, role.value, text, "\n".join(shown.lines), context])
