"""Which matches in a changed text count: what the change brought about, beside it too."""

from __future__ import annotations

import pytest
from alarming import rule

from review_gate.checks.applies import Page
from review_gate.checks.before import kept_lines
from review_gate.checks.new_lines import NewRanges, new_to_each
from review_gate.checks.plan import plan_of
from review_gate.checks.scan import Scan

RULES = [
    rule(id="said", pattern="eval", match_rule="prescriptive"),
    rule(id="code", pattern="FOO", scope=["code"]),
    rule(id="pair", pattern=r"BEGIN\nEND", match_rule="regex"),
    rule(id="plain", pattern="BAR"),
    rule(id="open", pattern=r"open\((?!(?:[^)]|\n)*encoding=)", match_rule="regex"),
]
FAR = "word\n" * 40


# The text before and after a change, its new lines as git tells them (an empty range is where lines are gone), and
# what counts.
CHANGES = {
    "what was one before": ("Use eval\nwhen needed.\n", "Use eval\nwhen wanted.\n", [range(2, 3)], []),
    "one while the same goes": (
        "```\nFOO\n```\n\n<!--\nFOO\n-->\n",
        "```\n```\n\n```\nFOO\n```\n",
        [range(1, 1), range(4, 5), range(6, 7)],
        ["code:5"],
    ),
    "a negation that went": ("Do not\nuse eval.\n", "Always\nuse eval.\n", [range(1, 2)], ["said:2"]),
    "a line with a negation that went": ("We will not\nuse eval.\n", "use eval.\n", [range(0)], ["said:1"]),
    "a blank line between": ("We do not\nuse eval.\n", "We do not\n\nuse eval.\n", [range(2, 3)], ["said:3"]),
    "a negation that came": ("Always\nuse eval.\n", "Do not\nuse eval.\n", [range(1, 2)], []),
    "another sentence": ("Use eval.\nThen go.\n", "Use eval.\nThen come.\n", [range(2, 3)], []),
    "a comment that is code": ("<!--\nFOO\n-->\n", "```\nFOO\n```\n", [range(1, 2), range(3, 4)], ["code:2"]),
    "a line of the match": ("BEGIN\n", "BEGIN\nEND\n", [range(2, 3)], ["pair:1"]),
    "a line between that went": ("BEGIN\nx\nEND\n", "BEGIN\nEND\n", [range(1, 1)], ["pair:1"]),
    "one while the same stands far away": (
        f"<!--\nFOO\n-->\n{FAR}```\nFOO\n```\n",
        f"```\nFOO\n```\n{FAR}```\nFOO\n```\n",
        [range(1, 2), range(3, 4)],
        ["code:2"],
    ),
    "a suppression that went": ("<!-- review-gate: ignore[plain] x -->\nBAR\n", "BAR\n", [range(0)], ["plain:1"]),
    "a suppression that came": (
        "BAR\n",
        "<!-- review-gate: ignore[plain] x -->\nBAR\n",
        [range(1, 2)],
        [],
    ),
    "what a pattern looked ahead at": (
        'open(\n    path,\n    encoding="utf-8",\n)\n',
        "open(\n    path,\n)\n",
        [range(2, 2)],
        ["open:1"],
    ),
    "a line beside an old match": ("BAR\nx\nBAR\n", "BAR\ny\nBAR\n", [range(2, 3)], []),
}


@pytest.mark.parametrize(("before", "after", "added", "expected"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("keeps_old", [False, True], ids=["alone", "with old ones"])
def test_a_match_counts_that_the_change_brought_about(
    before: str, after: str, added: list[range], expected: list[str], *, ends: str, keeps_old: bool
) -> None:
    scan = Scan(
        plan_of(RULES),
        added_of=lambda paths: dict.fromkeys(paths, added),
        old_of=lambda paths: dict.fromkeys(paths, (before.replace("\n", ends).encode(),)),
        keeps_old=keeps_old,
    )
    scan.look_at(Page("a.md", after.replace("\n", ends).encode(), "markdown", is_change=True))
    assert [f"{alarm.rule}:{alarm.line}" for alarm in scan.finish().alarms] == expected


ALLOWED = "<!-- review-gate: ignore[plain] x -->\n"
# What each parent of a merge has, what the merge makes of it, which lines are new to each, and what counts.
MERGES: dict[str, tuple[list[str | None], str, list[list[range]], list[str]]] = {
    "a suppression that went": (
        [f"1\n{ALLOWED}BAR\nx\n2\n", f"one\n{ALLOWED}BAR\nx\ntwo\n"],
        "1\nBAR\nx\ntwo\n",
        [[range(1, 1), range(4, 5)], [range(1, 2)]],
        ["plain:2"],
    ),
    "a negation that went": (
        ["1\n\nDo not\nuse eval.\n", "one\n\nDo not\nuse eval.\n"],
        "one\n\nuse eval.\n",
        [[range(1, 2), range(2, 2)], [range(2, 2)]],
        ["said:3"],
    ),
    "what one side has": (["x\ny\n", "x\nBAR\ny\n"], "x\nBAR\nnew\ny\n", [[range(2, 4)], [range(3, 4)]], []),
    "what is in a file of one side only": ([None, "x\nBAR\n"], "new\nBAR\n", [[range(1, 3)], [range(1, 2)]], []),
    "what no side has": (["x\ny\n", "x\nz\n"], "x\nBAR\n", [[range(2, 3)], [range(2, 3)]], ["plain:2"]),
}


@pytest.mark.parametrize(("parents", "after", "sides", "expected"), MERGES.values(), ids=MERGES)
def test_a_match_of_a_merge_counts_that_no_parent_has(
    parents: list[str | None], after: str, sides: list[list[range]], expected: list[str]
) -> None:
    scan = Scan(
        plan_of(RULES),
        added_of=lambda paths: dict.fromkeys(paths, new_to_each(sides)),
        old_of=lambda paths: dict.fromkeys(paths, tuple(None if one is None else one.encode() for one in parents)),
    )
    scan.look_at(Page("a.md", after.encode(), "markdown", is_change=True))
    assert [f"{alarm.rule}:{alarm.line}" for alarm in scan.finish().alarms] == expected


def test_where_the_old_version_cannot_be_had_a_match_beside_a_change_counts() -> None:
    scan = Scan(plan_of(RULES), added_of=lambda paths: dict.fromkeys(paths, (range(2, 3),)))
    scan.look_at(Page("a.md", b"Use eval.\nThen come.\n", "markdown", is_change=True))
    assert [alarm.line for alarm in scan.finish().alarms] == [1]


BINARY = bytes(range(14, 32)) * 50 + b"\0\n"
# Name, text before and after a change of its first line, and what counts in lines that it leaves alone.
READ_ANEW = {
    "a first line that names the language": ("tool", b"# helper\nBAZ\n", b"#!/usr/bin/python3\nBAZ\n", ["python:42"]),
    "a first line that names another version": ("tool", b"#!/usr/bin/python\nBAZ\n", b"#!/usr/bin/python3\nBAZ\n", []),
    "a language told by the name": ("tool.py", b"# helper\nBAZ\n", b"#!/usr/bin/python3\nBAZ\n", []),
    "a file that was binary": ("data", BINARY + b"BAR\n", b"text\nBAR\n", ["plain:42"]),
    "a file that was text": ("data", b"words\nBAR\n", b"text\nBAR\n", []),
}


@pytest.mark.parametrize(("path", "before", "after", "expected"), READ_ANEW.values(), ids=READ_ANEW)
def test_old_lines_count_for_checks_that_never_looked_at_them(
    path: str, before: bytes, after: bytes, expected: list[str]
) -> None:
    rules = [rule(id="plain", pattern="BAR"), rule(id="python", pattern="BAZ", languages=["python"])]
    far = b"word\n" * 40
    added = NewRanges([range(1, 2)])
    added.drop_nul = b"\0" in before
    scan = Scan(
        plan_of(rules),
        added_of=lambda paths: dict.fromkeys(paths, added),
        old_of=lambda paths: dict.fromkeys(paths, (before.replace(b"\n", b"\n" + far, 1),)),
    )
    scan.look_at(Page(path, after.replace(b"\n", b"\n" + far, 1), is_change=True))
    assert [f"{alarm.rule}:{alarm.line}" for alarm in scan.finish().alarms] == expected


# Two lines that stay, those that come behind them, and what counts.
ENCODED = {
    "an old match": ("Use eval.\n\n", "other\n", []),
    "a suppression": ("BAR <!-- review-gate: ignore[plain] x -->\nx\n", "other\n", []),
    "a suppression above": ("<!-- review-gate: ignore[plain] x -->\nBAR\n", "other\n", []),
    "a new match": ("x\nBAR\n", "other\nBAR\n", ["plain:4"]),
}


@pytest.mark.parametrize(("stays", "comes", "expected"), ENCODED.values(), ids=ENCODED)
@pytest.mark.parametrize("mark", ["\ufeff", ""], ids=["with a mark", "without a mark"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-8"])
def test_old_lines_are_old_in_every_encoding(
    stays: str, comes: str, expected: list[str], mark: str, codec: str
) -> None:
    before, after = ((mark + stays + last).encode(codec) for last in ("third\n", comes))
    scan = Scan(
        plan_of(RULES),
        added_of=lambda paths: dict.fromkeys(paths, (range(3, 3 + comes.count("\n")),)),
        old_of=lambda paths: dict.fromkeys(paths, (before,)),
    )
    scan.look_at(Page("a.md", after, "markdown", is_change=True))
    alarms = scan.finish().alarms
    assert [f"{alarm.rule}:{alarm.line}" for alarm in alarms] == expected
    assert all("<U+" not in alarm.evidence for alarm in alarms)


def test_where_lines_that_stayed_cannot_be_found_a_match_beside_a_change_counts() -> None:
    scan = Scan(
        plan_of([rule(id="plain", pattern="BAR")]),
        added_of=lambda paths: dict.fromkeys(paths, tuple(range(line, line + 1) for line in range(3, 3000, 3))),
        old_of=lambda paths: dict.fromkeys(paths, (b"a\ny\n" * 1000,)),
    )
    scan.look_at(Page("a.txt", b"a\nx\nnew\n" * 999 + b"a\nx BAR\n", is_change=True))
    assert [alarm.line for alarm in scan.finish().alarms] == [2999]


def test_comparison_ends_when_texts_have_the_same_few_lines() -> None:
    lines, old = ["a", "x", "new"] * 1000, ["a", "y"] * 1000
    assert kept_lines(lines, old, [(first, first + 1) for first in range(1, 3000, 3)]) is None
