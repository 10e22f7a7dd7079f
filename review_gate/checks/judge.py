"""Which places of a text count, once its sentences and its parts are known."""

from __future__ import annotations

from review_gate.checks.rule import BY_SENTENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.rule import Hit
    from review_gate.checks.structure import Structure

    Answer = Sequence[int] | None


def needs_structure(hit: Hit) -> bool:
    """Whether only a look at the text around decides."""
    return hit.rule.match_rule in BY_SENTENCE or bool(hit.rule.parts)


def judged(hits: Sequence[Hit], text: str, language: str) -> list[Hit]:
    """The hits that stand in a part that their check looks at, and whose sentence does not take them back."""
    if not any(map(needs_structure, hits)):
        return list(hits)
    from review_gate.checks.structure import structure_of

    structure = structure_of(text, language)
    answers = (_answer(structure, hit.start, hit.end, hit.rule.match_rule, hit.rule.parts) for hit in hits)
    return counted(hits, list(answers))


def counted(hits: Sequence[Hit], answers: Sequence[Answer]) -> list[Hit]:
    """The hits that count, each with the sentence that decided about it."""
    found = []
    for hit, answer in zip(hits, answers, strict=True):
        if answer is not None:
            hit.sentence = (answer[0], answer[1]) if answer else None
            found.append(hit)
    return found


def _answer(structure: Structure, start: int, end: int, match_rule: str, parts: Sequence[str]) -> Answer:
    """None for a match that does not count, else where its sentence is, or nothing where no sentence matters."""
    from review_gate.checks.negation import is_negated_at

    if not structure.is_in(start, parts):
        return None
    if match_rule not in BY_SENTENCE:
        return ()
    return None if is_negated_at(structure, start, end, match_rule) else structure.sentence_at(start, end)


def main() -> None:
    """Answer the questions on standard input, as a child of a commit hook; one list of answers for each."""
    import json
    import sys

    from review_gate.checks.structure import structure_of

    answers = []
    for question in json.load(sys.stdin):
        structure = structure_of(question["text"], question["language"])
        answers.append([_answer(structure, *hit) for hit in question["hits"]])
    sys.stdout.write(json.dumps(answers))
