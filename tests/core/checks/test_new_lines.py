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
    rule(id="code", pattern="FOO", scope=["code"]),
    rule(id="pair", pattern=r"BEGIN\nEND", match_rule="regex"),
]


def judge(questions: Sequence[Question]) -> list[list[Hit]]:
    return [judged(hits, text, language) for hits, text, language in questions]


# The text before and after a change, its new lines as git tells them (an empty range is where lines are gone), and
# what counts.
CHANGES = {
    "a negation that went": ("Do not\nuse eval.\n", "Always\nuse eval.\n", [range(1, 2)], ["said:2"]),
    "a line with a negation that went": ("We will not\nuse eval.\n", "use eval.\n", [range(0)], ["said:1"]),
    "a sentence that ends before": ("We do not\nuse eval.\n", "We do it.\nuse eval.\n", [range(1, 2)], ["said:2"]),
    "a blank line between": ("We do not\nuse eval.\n", "We do not\n\nuse eval.\n", [range(2, 3)], ["said:3"]),
    "a negation that came": ("Always\nuse eval.\n", "Do not\nuse eval.\n", [range(1, 2)], []),
    "what was one before": ("Use eval\nwhen needed.\n", "Use eval\nwhen wanted.\n", [range(2, 3)], []),
    "another sentence": ("Use eval.\nThen go.\n", "Use eval.\nThen come.\n", [range(2, 3)], []),
    "one of two": ("Not\neval.\n\neval.\n", "Now\neval.\n\neval.\n", [range(1, 2)], ["said:4"]),
    "a comment that is code": ("<!--\nFOO\n-->\n", "```\nFOO\n```\n", [range(1, 2), range(3, 4)], ["code:2"]),
    "a line of the match": ("BEGIN\n", "BEGIN\nEND\n", [range(2, 3)], ["pair:1"]),
    "a line between that went": ("BEGIN\nx\nEND\n", "BEGIN\nEND\n", [range(1, 1)], ["pair:1"]),
    "a line above that went": ("x\nBEGIN\nEND\n", "BEGIN\nEND\n", [range(0)], []),
    "a line below that went": ("BEGIN\nEND\nx\ny\n", "BEGIN\nEND\ny\n", [range(2, 2)], []),
    "nothing": ("Use eval.\nBEGIN\nEND\n", "Use eval.\nBEGIN\nEND\n", [], []),
}


@pytest.mark.parametrize(("before", "after", "added", "expected"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("keeps_old", [False, True], ids=["alone", "with old ones"])
def test_a_match_counts_that_the_change_brought_about(
    before: str, after: str, added: list[range], expected: list[str], *, ends: str, keeps_old: bool
) -> None:
    scan = Scan(
        plan_of(RULES),
        judge=judge,
        added_of=lambda paths: dict.fromkeys(paths, added),
        old_of=lambda _: before.replace("\n", ends).encode(),
        keeps_old=keeps_old,
    )
    scan.look_at(Page("a.md", after.replace("\n", ends).encode(), "markdown", is_change=True))
    assert [f"{alarm.rule}:{alarm.line}" for alarm in scan.finish().alarms] == expected


def test_where_the_old_version_cannot_be_had_a_match_beside_a_change_counts() -> None:
    scan = Scan(plan_of(RULES), judge=judge, added_of=lambda paths: dict.fromkeys(paths, (range(2, 3),)))
    scan.look_at(Page("a.md", b"Use eval.\nThen come.\n", "markdown", is_change=True))
    assert [alarm.line for alarm in scan.finish().alarms] == [1]


def test_a_new_line_far_from_a_match_does_not_ask_for_its_sentence() -> None:
    asked: list[Question] = []

    def noting(questions: Sequence[Question]) -> list[list[Hit]]:
        asked.extend(questions)
        return judge(questions)

    scan = Scan(plan_of(RULES), judge=noting, added_of=lambda paths: dict.fromkeys(paths, (range(30, 31),)))
    scan.look_at(Page("a.md", b"Use eval.\n" + b"\n" * 28 + b"new\n", "markdown", is_change=True))
    assert (scan.finish().alarms, asked) == ([], [])
