"""Checks of several sources in priority order: the earlier id wins, and the loser is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review_gate.checks.rule import Rule


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A check that is not in force, and the one of the same id that is."""

    rule: Rule
    winner: Rule


@dataclass(frozen=True, slots=True)
class Merged:
    """The checks in force, in priority order, and those that lost their id to one of them."""

    rules: tuple[Rule, ...]
    shadowed: tuple[Shadowed, ...]


def merge(layers: Sequence[Sequence[Rule]]) -> Merged:
    """All checks of the layers, highest priority first."""
    winners: dict[str, Rule] = {}
    shadowed = []
    for layer in layers:
        for rule in layer:
            winner = winners.setdefault(rule.id, rule)
            if winner is not rule:
                shadowed.append(Shadowed(rule, winner))
    return Merged(tuple(winners.values()), tuple(shadowed))
