"""Checks of several sources in priority order: the earlier id wins, and the loser is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
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


def in_the_way(shadowed: Sequence[Shadowed], rules: Collection[str], claude: Collection[str] = ()) -> list[str]:
    """Which files of rules or CLAUDE.md, whose ids nobody chose, have lost checks to another of them.

    That one CLAUDE.md comes before another is meant so, and not told.
    """
    pairs = Counter((lost.rule.source, lost.winner.source) for lost in shadowed)
    return [
        f"{loser}: {_some_checks(count)} not in force, because {winner} has the same {'id' if count == 1 else 'ids'}"
        for (loser, winner), count in pairs.items()
        if loser != winner
        and all(one in rules or one in claude for one in (loser, winner))
        and (loser in rules or winner in rules)
    ]


def _some_checks(count: int) -> str:
    return "1 check is" if count == 1 else f"{count} checks are"
