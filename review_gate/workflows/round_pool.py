"""Who can vote in rounds here, and why the others cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.schema import Member
from review_gate.ports import ModelProvider
from review_gate.shell.process import Commands
from review_gate.workflows.models import all_providers

USUAL = ("codex", "gemini", "claude")
# Claude by its service, for whoever does not have the program.
INSTEAD = {"claude": "anthropic"}
MODELS_OFF = "models are off (models.use in the configuration)"


class Pool(NamedTuple):
    """The reviewers that can be asked, and each of the others with why it cannot."""

    providers: tuple[ModelProvider, ...]
    passed_over: tuple[tuple[str, str], ...]
    # Those of the others that are written down too: they are named, and have no vote.
    absent: tuple[Member, ...] = ()

    @property
    def members(self) -> tuple[Member, ...]:
        """The reviewers as they are written down."""
        return tuple(map(_member, self.providers))

    @property
    def why_not(self) -> str:
        """Why the others cannot be asked, in one line."""
        return "; ".join(f"{name}: {why}" for name, why in self.passed_over)


def pool_of(config: Config, environ: Mapping[str, str], commands: Commands) -> Pool:
    """Everybody who is named in the settings and usable here; nobody is asked anything for that."""
    if config.models.use == "off":
        return Pool((), (("models", MODELS_OFF),))
    providers = {provider.name: provider for provider in all_providers(config.models, environ, commands)}
    wanted = config.rounds.reviewers
    names = USUAL if wanted == "auto" else tuple(wanted)
    usable: list[ModelProvider] = []
    passed_over: list[tuple[str, str]] = []
    for name in names:
        problem = providers[name].unusable()
        other = providers.get(INSTEAD.get(name, "")) if problem and wanted == "auto" else None
        if problem is None:
            usable.append(providers[name])
        elif other is not None and other.unusable() is None:
            usable.append(other)
        else:
            passed_over.append((name, problem.why))
    absent = tuple(_member(providers[name]) for name, _ in passed_over)
    return Pool(tuple(usable), tuple(passed_over), absent)


def _member(provider: ModelProvider) -> Member:
    return Member(name=provider.name, family=provider.family, model=provider.model)
