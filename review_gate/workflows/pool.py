"""Who is asked beside each other: the models of the settings, as far as they are usable here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.schema import Member, Settings
from review_gate.ports import ModelProvider, NoReply
from review_gate.shell.process import Commands
from review_gate.workflows.models import all_providers

USUAL = ("codex", "gemini", "claude")
# Models of the same family, asked without the program.
STANDS_IN = {"claude": "anthropic"}


class Pool(NamedTuple):
    """The models that can be asked, and why not the others that were meant to be."""

    providers: tuple[ModelProvider, ...]
    missing: tuple[tuple[str, NoReply], ...]
    # Those of the others that are written down too: they are named, and have no vote.
    absent: tuple[Member, ...] = ()

    @property
    def members(self) -> tuple[Member, ...]:
        """The reviewers as they are written down."""
        return tuple(map(_member, self.providers))

    @property
    def problems(self) -> dict[str, str]:
        """Why each of the others cannot be asked."""
        return {name: problem.why for name, problem in self.missing}

    def too_few(self, by: Settings) -> str:
        """Why those who can be asked cannot agree by themselves, if so."""
        members = self.members
        voices = len({one.family for one in members} if by.independent_families else members)
        of = " of different families" if by.independent_families else ""
        told = f"only {voices} of the {by.quorum} reviewers{of} that have to vote (rounds.quorum) can be asked"
        return f"{told}, so they cannot agree; review-gate providers says what is missing" if voices < by.quorum else ""

    @property
    def why_not(self) -> str:
        """Why the others cannot be asked, in one line."""
        told = "; ".join(f"{name}: {why}" for name, why in self.problems.items())
        return told or "rounds.reviewers names nobody"


def pool_of(config: Config, environ: Mapping[str, str], commands: Commands) -> Pool:
    """The models of a call; nobody is asked anything for that."""
    providers = {one.name: one for one in all_providers(config.models, environ, commands)}
    is_auto = config.rounds.reviewers == "auto"
    names = USUAL if is_auto else tuple(dict.fromkeys(config.rounds.reviewers))
    usable: list[ModelProvider] = []
    missing: list[tuple[str, NoReply]] = []
    for name in names:
        problem = providers[name].unusable()
        other = providers.get(STANDS_IN.get(name, "")) if is_auto else None
        if problem is None:
            usable.append(providers[name])
        elif other is not None and other.unusable() is None:
            usable.append(other)
        else:
            missing.append((name, problem))
    absent = tuple(_member(providers[name]) for name, _ in missing)
    return Pool(tuple(usable), tuple(missing), absent)


def _member(provider: ModelProvider) -> Member:
    return Member(name=provider.name, family=provider.family, model=provider.model)
