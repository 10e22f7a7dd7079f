"""Who is asked for drafts: the generators of the settings, as far as they are usable here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.ports import ModelProvider, NoReply
from review_gate.shell.process import Commands
from review_gate.workflows.models import all_providers

USUAL = ("codex", "gemini", "claude")
# Models of the same family, asked without the program.
STANDS_IN = {"claude": "anthropic"}


class DraftPool(NamedTuple):
    """The generators that can be asked, and why not the others that were meant to be."""

    generators: tuple[ModelProvider, ...]
    missing: tuple[tuple[str, NoReply], ...]


def draft_pool(config: Config, environ: Mapping[str, str], commands: Commands) -> DraftPool:
    """The generators of a call; nobody is asked anything for that."""
    providers = {one.name: one for one in all_providers(config.models, environ, commands)}
    is_auto = config.rounds.reviewers == "auto"
    names = USUAL if is_auto else tuple(dict.fromkeys(config.rounds.reviewers))
    generators: list[ModelProvider] = []
    missing: list[tuple[str, NoReply]] = []
    for name in names:
        problem = providers[name].unusable()
        other = providers.get(STANDS_IN.get(name, "")) if is_auto else None
        if problem is None:
            generators.append(providers[name])
        elif other is not None and other.unusable() is None:
            generators.append(other)
        else:
            missing.append((name, problem))
    return DraftPool(tuple(generators), tuple(missing))
