"""Precision and recall of `prescriptive` on 300 sentences, labelled by readers who knew seed 003 and not the code.

`python tests/core/checks/negation_figures.py [--wrong]` prints the table of docs/negation.md. The rule was made with
the open sentences; of the 100 sealed ones only the figures were read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from review_gate.checks.negation import is_negated
from review_gate.checks.rule import PRESCRIPTIVE

SENTENCES = Path(__file__).with_name("negation_sentences.jsonl")


class Labelled(NamedTuple):
    """A sentence with a place in it, and whether a check should report that place."""

    half: str
    text: str
    start: int
    end: int
    is_match: bool

    @property
    def is_reported(self) -> bool:
        return not is_negated(self.text, self.start, self.end, PRESCRIPTIVE)


def labelled_sentences(half: str = "") -> list[Labelled]:
    """All sentences, or one half of them."""
    rows = [Labelled(**json.loads(line)) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row.half.startswith(half)]


def precision_and_recall(rows: Sequence[Labelled]) -> tuple[float, float]:
    """How many of the reports are right, and how many of the right places are reported."""
    right = sum(row.is_reported and row.is_match for row in rows)
    return right / sum(row.is_reported for row in rows), right / sum(row.is_match for row in rows)


def table() -> str:
    """The figures as a table of Markdown."""
    lines = ["| half | sentences | precision | recall |", "| --- | --- | --- | --- |"]
    for half in ("open", "sealed"):
        rows = labelled_sentences(half)
        precision, recall = precision_and_recall(rows)
        lines.append(f"| {half} | {len(rows)} | {precision:.2f} | {recall:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
    if "--wrong" in sys.argv:
        for row in labelled_sentences("open"):
            if row.is_reported != row.is_match:
                print("reported:" if row.is_reported else "dropped:", row.text)
