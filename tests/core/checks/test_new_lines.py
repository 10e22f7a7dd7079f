"""Which matches in a changed text count: what the change brought about, beside it too."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from alarming import rule

from review_gate.checks.applies import Page
from review_gate.checks.judge import judged
from review_gate.checks.plan import plan_of
from review_gate.checks.rule import Hit
from review_gate.checks.scan import Scan

Question = tuple[Sequence[Hit], str, str]

RULES = [
    rule(id="said", pattern="eval", match_rule="prescriptive"),
    rule(id="pair", pattern=r"BEGIN\nEND", match_rule="regex"),
]


def judge(questions: Sequence[Question]) -> list[list[Hit]]:
    return [judged(hits, text, language) for hits, text, language in questions]


# The text after the change, its new lines as git tells them (an empty range is where lines are gone), what counts.
CHANGES = {
    "a negation that went": ("Always\nuse eval\nhere.\n", [range(1, 2)], ["said:2"]),
    "a negation that came": ("Do not\nuse eval.\n", [range(1, 2)], []),
    "the end of a sentence": ("Use eval\nwhen wanted.\n", [range(2, 3)], ["said:1"]),
    "words taken out of a sentence": ("Use eval\nhere.\n", [range(1, 1)], ["said:1"]),
    "another sentence": ("Use eval.\nThen come.\n", [range(2, 3)], []),
    "another paragraph": ("Use eval\n\nThen come\n", [range(3, 4)], []),
    "a line of the match": ("BEGIN\nEND\n", [range(2, 3)], ["pair:1"]),
    "a line between that went": ("BEGIN\nEND\n", [range(1, 1)], ["pair:1"]),
    "a line above that went": ("BEGIN\nEND\n", [range(0)], []),
    "a line below that went": ("BEGIN\nEND\ny\n", [range(2, 2)], []),
    "lines that went elsewhere": ("x\nBEGIN\nEND\ny\nz\n", [range(0), range(4, 4)], []),
    "nothing": ("Use eval.\nBEGIN\nEND\n", [], []),
}


@pytest.mark.parametrize(("text", "added", "expected"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("keeps_old", [False, True], ids=["alone", "with old ones"])
def test_a_match_counts_whose_sentence_or_lines_are_new(
    text: str, added: list[range], expected: list[str], ends: str, keeps_old: bool
) -> None:
    scan = Scan(plan_of(RULES), judge=judge, added_of=lambda paths: dict.fromkeys(paths, added), keeps_old=keeps_old)
    scan.look_at(Page("a.md", text.replace("\n", ends).encode(), "markdown", is_change=True))
    assert [f"{alarm.rule}:{alarm.line}" for alarm in scan.finish().alarms] == expected


def test_a_new_line_far_from_a_match_does_not_ask_for_its_sentence() -> None:
    asked: list[Question] = []

    def noting(questions: Sequence[Question]) -> list[list[Hit]]:
        asked.extend(questions)
        return judge(questions)

    scan = Scan(plan_of(RULES), judge=noting, added_of=lambda paths: dict.fromkeys(paths, (range(30, 31),)))
    scan.look_at(Page("a.md", b"Use eval.\n" + b"\n" * 28 + b"new\n", "markdown", is_change=True))
    assert (scan.finish().alarms, asked) == ([], [])
