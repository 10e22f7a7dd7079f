"""Which places of a text count, once its sentences and its parts are known."""

from __future__ import annotations

from review_gate.checks.rule import BY_SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.rule import Hit


def needs_structure(hit: Hit) -> bool:
    """Whether only a look at the text around decides."""
    return hit.rule.match_rule in BY_SENTENCE or bool(hit.rule.parts)


def judged(hits: Sequence[Hit], text: str, language: str) -> list[Hit]:
    """The hits that stand in a part that their check looks at, and whose sentence does not take them back."""
    if not any(map(needs_structure, hits)):
        return list(hits)
    from review_gate.checks.negation import is_negated
    from review_gate.checks.structure import structure_of

    structure = structure_of(text, language)

    def counts(hit: Hit) -> bool:
        if hit.rule.parts and not structure.is_in(hit.start, hit.rule.parts):
            return False
        if hit.rule.match_rule not in BY_SENTENCE:
            return True
        sentence, start = structure.sentence_around(hit.start, hit.end)
        return not is_negated(sentence, start, start + hit.end - hit.start, hit.rule.match_rule)

    return [hit for hit in hits if counts(hit)]
