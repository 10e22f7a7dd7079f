"""review-gate providers: which models can be asked from here, as far as that shows without asking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from review_gate.config.schema import Models
from review_gate.ports import ModelProvider
from review_gate.render.providers_text import Providers, ProviderState
from review_gate.shell.process import Commands
from review_gate.shell.providers.choice import choose
from review_gate.workflows.models import all_providers, order_of


def providers_here(settings: Models, environ: Mapping[str, str]) -> Providers:
    """The state of all providers in an environment."""
    return look_at(all_providers(settings, environ, Commands()), order_of(settings))


def look_at(providers: Iterable[ModelProvider], order: Sequence[str]) -> Providers:
    """The state of some providers, and which of them an order would choose."""
    known = tuple(providers)
    chosen, _ = choose(order, known)
    return Providers(
        states=tuple(_state(provider) for provider in known),
        order=tuple(order),
        chosen=chosen.name if chosen else None,
    )


def _state(provider: ModelProvider) -> ProviderState:
    problem = provider.unusable()
    return ProviderState(
        name=provider.name,
        family=provider.family,
        problem=problem.kind if problem else None,
        why=problem.why if problem else "",
        next_step=problem.next_step if problem else "",
    )
