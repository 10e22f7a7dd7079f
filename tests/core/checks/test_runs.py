"""How far one step of a pattern may run."""

from __future__ import annotations

import pytest

from review_gate.checks.long_texts import IN_LINES, LONG_BLANK, NOWHERE, OVER_BLANKS, OVER_TEXT, has_long_blank
from review_gate.checks.runs import reach_of

REACHES = {
    NOWHERE: ["foo", "a{5}", "a{2,999}", "(?:ab|c){3}", r"\bx\s?y"],
    IN_LINES: [
        "a{2,1000}",
        ".*",
        r"\w+",
        r"[^\n]+",
        r"[^x\n]*",
        r"\S+",
        r"[ \t]+",
        "(?:ab)*",
        r"[^\s]+",
        "(?:.|\n)*",
        "(?:.)*",
    ],
    OVER_BLANKS: [r"\b(\w+)\s+\1\b", r"[ \n]+", r"(?:a|\s+)x", r"(?=(\s*))", r"(a)(?(1)\s+|b)"],
    OVER_TEXT: [
        '[^"]*"',
        "(?s).*x",
        "a(?s:.+)b",
        "a(?s:.)+b",
        "(?:(?s:.)){2,}x",
        "(?i:[^x])*y",
        r"\W+",
        r"\D*x",
        "[\0-\x7f]+",
        "(?>[^a]+)",
        r"[\s,]+",
        r"(?<!\s)[^;]+;",
    ],
}


@pytest.mark.parametrize(("pattern", "reach"), [(one, reach) for reach, some in REACHES.items() for one in some])
def test_a_pattern_runs_as_far_as_what_it_repeats_one_by_one(pattern: str, reach: int) -> None:
    assert reach_of(pattern) == reach


def test_long_blanks_are_seen_wherever_they_begin() -> None:
    for before in (0, 1, LONG_BLANK - 1, LONG_BLANK + 7):
        assert has_long_blank(b"x" * before + b" \n\t\n" * (LONG_BLANK // 2) + b"x")
    assert not has_long_blank((b" " * (LONG_BLANK // 2) + b"x") * 9)
    assert not has_long_blank(b"")
