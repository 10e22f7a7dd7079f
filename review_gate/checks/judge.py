"""Which places of a text count, once its sentences and its parts are known."""

from __future__ import annotations

from review_gate.checks.rule import BY_SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.rule import Hit
    from review_gate.checks.structure import Structure


def needs_structure(hit: Hit) -> bool:
    """Whether only a look at the text around decides."""
    return hit.rule.match_rule in BY_SENTENCE or bool(hit.rule.parts)


def judged(hits: Sequence[Hit], text: str, language: str) -> list[Hit]:
    """The hits that stand in a part that their check looks at, and whose sentence does not take them back."""
    if not any(map(needs_structure, hits)):
        return list(hits)
    from review_gate.checks.structure import structure_of

    structure = structure_of(text, language)
    return [hit for hit in hits if _counts(structure, hit.start, hit.end, hit.rule.match_rule, hit.rule.parts)]


def _counts(structure: Structure, start: int, end: int, match_rule: str, parts: Sequence[str]) -> bool:
    from review_gate.checks.negation import is_negated_at

    if not structure.is_in(start, parts):
        return False
    return match_rule not in BY_SENTENCE or not is_negated_at(structure, start, end, match_rule)


def main() -> None:
    """Answer the questions on standard input, as a child of a commit hook; one list of yes and no for each."""
    import json
    import sys

    from review_gate.checks.structure import structure_of

    answers = []
    for question in json.load(sys.stdin):
        structure = structure_of(question["text"], question["language"])
        answers.append([_counts(structure, *hit) for hit in question["hits"]])
    sys.stdout.write(json.dumps(answers))
