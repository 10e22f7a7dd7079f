"""What the structure of a text says of the word HERE in it."""

from __future__ import annotations

from review_gate.checks.structure import structure_of


def sentence(text: str, language: str = "markdown", match: str = "HERE") -> str:
    start = text.index(match)
    first, last = structure_of(text, language).sentence_at(start, start + len(match))
    return text[first:last]


def part(text: str, language: str = "markdown") -> str:
    return structure_of(text, language).part_at(text.index("HERE"))


def masked(text: str, language: str = "markdown") -> str:
    start = text.index("HERE")
    return structure_of(text, language).masked_sentence(start, start + 4)[0]
