"""The list of providers, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from review_gate.models import Frozen
from review_gate.ports import Failure, Family
from review_gate.safe_text import safe_line

NOTE = "note: nobody was asked; whether a login or a key is accepted shows at the first question"


class ProviderState(Frozen):
    """One provider: usable, or why not and what to do about it."""

    name: str
    family: Family
    # Empty where the program has a choice of its own.
    model: str = ""
    problem: Failure | None = None
    why: str = ""
    next_step: str = ""


class Providers(Frozen):
    """All providers, the order in which they are tried, and the one that would be asked."""

    states: tuple[ProviderState, ...]
    order: tuple[str, ...]
    is_auto: bool = True
    are_models_off: bool = False
    chosen: str | None


def providers_text(providers: Providers) -> str:
    """One line for each, a second one with the next step where it is not usable."""
    width = max((len(state.name) for state in providers.states), default=0) + 2
    lines = [line for state in providers.states for line in _lines(state, width)]
    name = "auto" if providers.is_auto else "models.providers"
    lines.append(f"{name}: {', '.join(providers.order) or 'nobody'}; {_choice(providers)}")
    return "\n".join([*lines, NOTE]) + "\n"


def _lines(state: ProviderState, width: int) -> Iterator[str]:
    if state.problem is None:
        yield f"{state.name:<{width}}usable ({safe_line(state.model) or 'its own choice of model'})"
        return
    yield f"{state.name:<{width}}not usable: {safe_line(state.why)}"
    yield f"{'':<{width}}next: {safe_line(state.next_step)}"


def _choice(providers: Providers) -> str:
    if providers.are_models_off:
        return "models.use is off in the configuration, so no model would be asked"
    if providers.chosen is None:
        return "none of them is usable here, so no model would be asked"
    return f"{providers.chosen} would be asked"


def providers_json(providers: Providers) -> str:
    """The same for programs."""
    states = [
        {
            "name": state.name,
            "family": state.family,
            "model": state.model or None,
            "usable": state.problem is None,
            "problem": state.problem,
            "why": state.why or None,
            "next_step": state.next_step or None,
        }
        for state in providers.states
    ]
    return json.dumps(
        {
            "providers": states,
            "order": list(providers.order),
            "is_auto": providers.is_auto,
            "models_off": providers.are_models_off,
            "chosen": providers.chosen,
        },
        indent=2,
    )
