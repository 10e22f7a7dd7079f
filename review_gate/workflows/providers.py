"""review-gate providers: which models can be asked from here, as far as that shows without asking."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from review_gate.config.schema import Models
from review_gate.ports import ModelProvider
from review_gate.render.providers_text import Providers, ProviderState
from review_gate.shell.process import Commands
from review_gate.workflows.configure import load_configuration, load_of_folder
from review_gate.workflows.models import all_providers, choose, order_of
from review_gate.workflows.scan_repository import repository_here


def providers_here(environ: Mapping[str, str]) -> Providers:
    """The state of all providers, by the settings of the repository around, or else of the user."""
    repository = repository_here()
    loaded = load_of_folder(os.getcwd()) if repository is None else load_configuration(repository)
    settings = loaded.config.models
    return look_at(all_providers(settings, environ, Commands()), settings)


def look_at(providers: Sequence[ModelProvider], settings: Models) -> Providers:
    """The state of some providers, and which of them a run with these settings would ask."""
    order = order_of(settings)
    chosen = choose(order, providers)[0] if settings.use != "off" else None
    return Providers(
        states=tuple(_state(provider) for provider in providers),
        order=order,
        is_auto=settings.providers == "auto",
        are_models_off=settings.use == "off",
        chosen=chosen.name if chosen else None,
    )


def _state(provider: ModelProvider) -> ProviderState:
    problem = provider.unusable()
    return ProviderState(
        name=provider.name,
        family=provider.family,
        model=provider.model,
        problem=problem.kind if problem else None,
        why=problem.why if problem else "",
        next_step=problem.next_step if problem else "",
    )
