"""What a configuration, or a check in the place of another, takes away from the checks that are in force by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from review_gate.checks.rule import Rule
from review_gate.checks.strictness import deciding_fields
from review_gate.config.schema import Checks
from review_gate.severity import RANKS

ALL_OFF = "all checks are off"
_USUAL = Checks()
_MOST_NAMES = 3


def weakened(
    rules: Sequence[Rule], replaced: Sequence[tuple[Rule, Rule]], settings: Mapping[str, object]
) -> Iterator[str]:
    """What is taken away, one text for each kind; the checks are those before settings, each loser has its winner."""
    packs, sources, disabled = (_names(settings.get(key)) for key in ("packs", "sources", "disable"))
    if off := [name for name in _USUAL.packs if name not in packs]:
        yield "all packs are off" if len(off) == len(_USUAL.packs) else f"{_said(off, 'pack')} off"
    if unread := [name for name in _USUAL.sources if name not in sources]:
        yield f"{_said(unread, 'source')} not read"
    # What no chosen pack has is not there by default either, or its pack is told above.
    if gone := [rule.id for rule in rules if rule.id in disabled]:
        yield f"{_said(gone, 'check')} disabled"
    if milder := [rule.id for rule in rules if rule.id not in disabled and _is_milder(rule, settings)]:
        yield f"{_said(milder, 'check')} milder than written"
    if lost := [f"{loser.id} ({winner.source})" for loser, winner in replaced if _differ(loser, winner)]:
        yield f"{_said(lost, 'check')} replaced"


def _names(value: object) -> list[str]:
    return [str(name) for name in value] if isinstance(value, list) else []


def _said(names: Sequence[str], noun: str) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    listed = ", ".join(names[:_MOST_NAMES])
    return f"{noun} {listed} is" if len(names) == 1 else f"{noun}s {listed}{more} are"


def _is_milder(rule: Rule, settings: Mapping[str, object]) -> bool:
    severities = settings.get("severity")
    chosen = severities.get(rule.id) if isinstance(severities, dict) else None
    return chosen is not None and RANKS.index(str(chosen)) > RANKS.index(rule.severity)


def _differ(loser: Rule, winner: Rule) -> bool:
    """Whether they do not find the same; that they are written in different places is no difference."""
    return {**deciding_fields(loser), "source": ""} != {**deciding_fields(winner), "source": ""}
