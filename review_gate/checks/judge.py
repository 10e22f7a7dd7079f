"""Which places of a text count, once its sentences and its parts are known."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.checks.rule import BY_SENTENCE, Hit
from review_gate.checks.watch import TooSlowError, Watch

# After so much time in vain, sentences of further texts are not told apart.
MOST_SLOW_SECONDS = 30.0
Question = tuple[Sequence[Hit], str, str]


def needs_structure(hit: Hit) -> bool:
    """Whether only a look at the text around decides."""
    return hit.rule.match_rule in BY_SENTENCE or bool(hit.rule.parts)


def judged(hits: Sequence[Hit], text: str, language: str) -> list[Hit]:
    """The hits that are in a part that their check looks at, and whose sentence does not take them back."""
    if not any(map(needs_structure, hits)):
        return list(hits)
    from review_gate.checks.negation import is_negated_at
    from review_gate.checks.structure import structure_of

    structure = structure_of(text, language)

    def counts(hit: Hit) -> bool:
        rule = hit.rule
        if not structure.is_in(hit.start, rule.parts):
            return False
        return rule.match_rule not in BY_SENTENCE or not is_negated_at(structure, hit.start, hit.end, rule.match_rule)

    return [hit for hit in hits if counts(hit)]


class Judge:
    """Decides within a limit which hits count, and after too much time in vain about no text any more."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._slow_seconds = 0.0

    def judged(self, hits: Sequence[Hit], text: str, language: str) -> list[Hit] | None:
        """The hits that count, None where that could not be told in time."""
        if self._slow_seconds >= MOST_SLOW_SECONDS:
            return None
        begin = self._watch.used()
        try:
            with self._watch:
                return judged(hits, text, language)
        except (TooSlowError, MemoryError):
            self._slow_seconds += self._watch.used() - begin
            return None
