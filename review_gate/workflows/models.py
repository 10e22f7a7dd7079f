"""Which model the reviewers of a run ask."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from review_gate.config.schema import Models
from review_gate.ports import ModelProvider
from review_gate.shell.process import Commands
from review_gate.shell.providers.anthropic_api import AnthropicApi
from review_gate.shell.providers.claude_cli import ClaudeCli
from review_gate.shell.providers.codex_cli import CodexCli
from review_gate.shell.providers.gemini_cli import GeminiCli

AUTO = ("anthropic", "claude", "codex", "gemini")
# Of the programs each has a choice of its own.
USUAL_MODELS = {"anthropic": "claude-sonnet-5-5"}
USUAL_QUICK = {"anthropic": "claude-haiku-4-5", "claude": "haiku"}


class Chosen(NamedTuple):
    """The provider of a run, and why not those before it."""

    provider: ModelProvider | None
    passed_over: tuple[tuple[str, str], ...]

    @property
    def why_none(self) -> str:
        """Why nobody is asked."""
        return "no model can be asked: " + "; ".join(f"{name}: {why}" for name, why in self.passed_over)


def order_of(settings: Models) -> tuple[str, ...]:
    """The providers in the order in which they are tried."""
    return AUTO if settings.providers == "auto" else tuple(settings.providers)


def all_providers(settings: Models, environ: Mapping[str, str], commands: Commands) -> list[ModelProvider]:
    """Every provider that there is, with the models that the settings name."""
    names = USUAL_MODELS | {str(provider): model for provider, model in settings.names.items()}
    programs = (ClaudeCli, CodexCli, GeminiCli)
    api = AnthropicApi(environ, commands, model=names["anthropic"])
    return [api, *(program(environ, commands, model=names.get(program.name, "")) for program in programs)]


def choose(
    order: Sequence[str], providers: Iterable[ModelProvider]
) -> tuple[ModelProvider | None, list[tuple[str, str]]]:
    """The first provider of the order that is usable here, and each name before it with why it is not."""
    by_name = {provider.name: provider for provider in providers}
    passed_over: list[tuple[str, str]] = []
    for name in order:
        provider = by_name.get(name)
        problem = provider.unusable() if provider else None
        if provider and not problem:
            return provider, passed_over
        passed_over.append((name, problem.why if problem else "there is no provider of this name"))
    return None, passed_over


def chosen_provider(settings: Models, environ: Mapping[str, str], commands: Commands) -> Chosen:
    """Who is asked in this run; nobody is asked anything for that."""
    if settings.use == "off":
        return Chosen(None, (("models", "they are off"),))
    provider, passed_over = choose(order_of(settings), all_providers(settings, environ, commands))
    return Chosen(provider, tuple(passed_over))


def quick_models(settings: Models) -> Models:
    """The same settings for short questions, for which a quicker model will do."""
    return settings.model_copy(update={"names": {**settings.names, **USUAL_QUICK, **settings.quick}})


def warm_up(provider: ModelProvider) -> None:
    """Do what takes long before the first question, while something else is done."""
    if isinstance(provider, AnthropicApi):
        from review_gate.shell.providers.anthropic_wire import get_ready

        threading.Thread(target=get_ready, daemon=True).start()
