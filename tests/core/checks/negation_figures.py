"""Precision and recall of the two negation rules on the labelled sentences.

`python tests/core/checks/negation_figures.py` prints the table of docs/negation.md; with --wrong what is wrong, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml import YAML

from review_gate.checks.negation import is_negated_at
from review_gate.checks.structure import structure_of

SENTENCES = Path(__file__).with_name("negation_sentences.yaml")


class Labelled(NamedTuple):
    """One text, what is sought in it by which rule, and whether a careful reader would want it reported."""

    half: str
    match_rule: str
    pattern: str
    text: str
    language: str
    is_match: bool


class Figures(NamedTuple):
    """How often the rule agreed with the reader; to report is the positive answer."""

    sentences: int
    wrongly_reported: int
    wrongly_dropped: int
    rightly_reported: int

    @property
    def precision(self) -> float:
        return self.rightly_reported / (self.rightly_reported + self.wrongly_reported)

    @property
    def recall(self) -> float:
        return self.rightly_reported / (self.rightly_reported + self.wrongly_dropped)

    @property
    def accuracy(self) -> float:
        return 1 - (self.wrongly_reported + self.wrongly_dropped) / self.sentences


def labelled_sentences() -> list[Labelled]:
    halves = YAML(typ="safe").load(SENTENCES.read_text(encoding="utf-8"))
    return [
        Labelled(
            half,
            match_rule,
            entry.get("finds", entry.get("leaves")),
            entry["in"],
            entry.get("language", "markdown"),
            "finds" in entry,
        )
        for half, rules in halves.items()
        for match_rule, entries in rules.items()
        for entry in entries
    ]


def occurrences(text: str, pattern: str) -> Iterator[int]:
    at = text.find(pattern)
    while at >= 0:
        yield at
        at = text.find(pattern, at + len(pattern))


def is_reported(text: str, pattern: str, match_rule: str, language: str = "markdown") -> bool:
    """Whether at least one occurrence is left when the negated ones are dropped."""
    structure = structure_of(text, language)
    found = occurrences(text, pattern)
    return any(not is_negated_at(structure, at, at + len(pattern), match_rule) for at in found)


def is_right(case: Labelled) -> bool:
    return is_reported(case.text, case.pattern, case.match_rule, case.language) is case.is_match


def figures(cases: Iterable[Labelled]) -> Figures:
    cases = list(cases)
    wrong = [case for case in cases if not is_right(case)]
    matches = sum(case.is_match for case in cases)
    dropped = sum(case.is_match for case in wrong)
    return Figures(len(cases), len(wrong) - dropped, dropped, matches - dropped)


def rows() -> Iterator[tuple[str, str, Figures]]:
    cases = labelled_sentences()
    for match_rule in ("prescriptive", "negation_aware"):
        of_rule = [case for case in cases if case.match_rule == match_rule]
        yield match_rule, "all", figures(of_rule)
        for half in dict.fromkeys(case.half for case in of_rule):
            yield match_rule, half, figures(case for case in of_rule if case.half == half)


def table() -> str:
    lines = [
        "| rule | sentences | number | precision | recall | right |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| `{rule}` | {part.replace('_', ' ')} | {found.sentences} | {found.precision:.3f} | {found.recall:.3f} "
            f"| {found.accuracy:.3f} |"
            for rule, part, found in rows()
        ),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if "--wrong" in sys.argv:
        for case in labelled_sentences():
            if case.half in sys.argv and not is_right(case):
                print("lost" if case.is_match else "false alarm", case.match_rule, repr(case.pattern), repr(case.text))
    else:
        print(table())
