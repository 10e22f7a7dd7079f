"""The ways to the reviewers of a prompt: whose they are, what was answered before, and within which limits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Literal, NamedTuple

from review_gate.pipeline.prices import load_prices
from review_gate.pipeline.spend import Caps, Spend
from review_gate.prompts.history.audit import Mode
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
from review_gate.workflows.models import warm_up
from review_gate.workflows.prompt_ground import Ground, NotReviewedError, Shown

# Set in every command that a session of Claude Code runs.
SESSION = "CLAUDECODE"
HANDED_OUT = "session"
Way = Literal["session", "claude", "anthropic"]
FALLS_BACK = "the API cannot be asked ({}), so the subscription is"
NOT_WANTED = "it is not asked instead (api_fallback is false)"
FALLS_FORWARD = "the subscription cannot be used ({}), so the API is asked"


class Route(NamedTuple):
    """The way that is taken, None where there is none; `note` tells a choice that is not the configured one."""

    way: Way | None
    mode: Mode
    note: str = ""
    why_none: str = ""


def route_of(settings: PromptSettings, no_claude: str, no_api: str, *, is_in_session: bool) -> Route:
    """The way of the configured mode, else that of the other one; the texts say why one cannot be taken."""
    subscription: Way | None = "session" if is_in_session else None if no_claude else "claude"
    if settings.mode == "api" and not no_api:
        return Route("anthropic", "api")
    if subscription:
        return Route(subscription, "subscription", FALLS_BACK.format(no_api) if settings.mode == "api" else "")
    if settings.mode == "subscription" and settings.api_fallback and not no_api:
        return Route("anthropic", "api", FALLS_FORWARD.format(f"claude: {no_claude}"))
    # One reason may keep all of them away.
    whys = f"claude: {no_claude}; anthropic: {no_api or NOT_WANTED}" if no_claude != no_api else no_claude
    return Route(None, settings.mode, why_none=f"no model can be asked: {whys}")


class Askable(NamedTuple):
    """The chosen way; `provider` is None if the session answers."""

    route: Route
    provider: ClaudeCli | AnthropicApi | None
    model: str

    @property
    def name(self) -> str:
        """By what its answers are known again."""
        return f"{HANDED_OUT if self.provider is None else self.provider.name} {self.model}"


def askable(settings: PromptSettings, environ: Mapping[str, str], commands: Commands, *, may_hand_out: bool) -> Askable:
    """Choose who answers the reviewers' questions, without asking a model."""
    model, retries = settings.models.reviewer, Retries(tries=1 + settings.editor.max_retries)
    claude = ClaudeCli(environ, commands, model=model, retries=retries)
    api = AnthropicApi(environ, commands, model=model, retries=retries)
    is_in_session = may_hand_out and environ.get(SESSION) == "1"
    no_claude, no_api = (unusable.why if unusable else "" for unusable in (claude.unusable(), api.unusable()))
    route = route_of(settings, no_claude, no_api, is_in_session=is_in_session)
    if route.way is None:
        raise NotReviewedError("nobody_to_ask", route.why_none)
    provider = claude if route.way == "claude" else api if route.way == "anthropic" else None
    if provider is not None:
        warm_up(provider)
    return Askable(route, provider, model)


def asking_through(provider: ClaudeCli | AnthropicApi, ground: Ground) -> Asking:
    """The model within the budget of the review and the limits of the configuration."""
    models = ground.config.models
    price = load_prices(layers(ground.top)).price(provider.name, provider.model)
    caps = Caps(max_usd=models.max_usd, max_tokens=models.max_tokens, max_seconds=models.max_seconds)
    return Asking(provider, price, Spend(caps, time.monotonic), seconds_of(ground.settings))


def editor_asking(who: Askable, ground: Ground, environ: Mapping[str, str], commands: Commands) -> Asking | None:
    """The editor's model for `--polish`, asked in the same way as the reviewers."""
    if who.provider is None:
        return None
    kind = type(who.provider)
    return asking_through(kind(environ, commands, model=ground.settings.models.editor), ground)


def seconds_of(settings: PromptSettings) -> float:
    """How long reviewers have in all."""
    return settings.budget.timeout_ms / 1000


def key_of(who: Askable, role: Role, text: str, shown: Shown) -> str:
    """What an answer depends on: who is asked, as what, about which prompt and project; no word of a single call."""
    context = shown.context.model_dump_json()
    return AnswerCache.key_of([ANSWER_FORMAT, who.name, role.value, text, "\n".join(shown.lines), context])
