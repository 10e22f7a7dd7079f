"""What the engine finds beside what a plain loop over checks and lines finds."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.checks.engine import Engine
from review_gate.checks.match import occurrences
from review_gate.checks.rule import Hit, Rule
from review_gate.checks.sought import sought_for

Place = tuple[str, int, int, int, int, int, str, bool]


def places(hits: Sequence[Hit]) -> list[Place]:
    """All that is known of some matches, in order."""
    return sorted(
        (hit.rule.id, hit.start, hit.end, hit.line, hit.column, hit.end_line, hit.text, hit.is_hidden) for hit in hits
    )


def slowly(rules: Sequence[Rule], data: bytes) -> list[Place]:
    """The places that the plain loop finds."""
    text = data.decode("utf-8", "surrogateescape")
    return places([hit for rule in rules for hit in occurrences(rule, text)])


def engine_for(rules: Sequence[Rule], *, is_large: bool = False) -> Engine:
    """The engine for some checks."""
    return Engine(rules, [sought_for(rule) for rule in rules], is_large=is_large)
