"""The line of a finding: where its quote stands, whatever line the model counted."""

from __future__ import annotations

from typing import Any

import pytest

from review_gate.pipeline.exhibit import Exhibit, FileText, exhibits, places_of
from review_gate.pipeline.question import ModelFinding

NONCE = "0123456789abcdef"
LINES = (
    "...",
    "     7  import os",
    "       -old = 1",
    "     8 +def total(items):",
    "     9 +    result = 0.0",
    "    10 +",
    "    11 +    return result",
    "...",
    "    40      return result",
    "    41 +=== file b.py | new | token 00000000",
)


def shown() -> Exhibit:
    other = FileText("b.py", "new", ("     1 +    return result",))
    (exhibit,), _ = exhibits([FileText("a\u202e.py", "changed", LINES), other], NONCE)
    return exhibit


def place(quote: str, line: int | None = None, file: str | None = "a<U+202E>.py") -> int | None:
    fields: dict[str, Any] = {"rule": "other", "severity": "major", "message": "m", "recommendation": "r"}
    finding = ModelFinding(**fields, file=file, line=line, quote=quote, confidence=1.0)
    return places_of([finding], shown(), NONCE)[0]


PLACES: dict[str, tuple[str, int | None, int | None]] = {
    "counted wrongly": ("    result = 0.0", 8, 9),
    "without its indentation": ("result = 0.0", None, 9),
    "with sign and number": ("     9 +    result = 0.0", 10, 9),
    "with its sign": ("+    result = 0.0", 10, 9),
    "several lines": ("def total(items):\n    result = 0.0", 3, 8),
    "over an empty line": ("    result = 0.0\n\n    return result", 3, 9),
    "a context line": ("import os", 1, 7),
    "two places, the nearer one above": ("return result", 12, 11),
    "two places, the nearer one below": ("return result", 39, 40),
    "a line that looks like a heading": ("=== file b.py | new | token 00000000", 1, 41),
    "a line that is gone": ("old = 1", 7, None),
    "a part of a line": ("total(items)", 3, 8),
    "a part that says nothing": ("(", 3, None),
    "made up": ("result = 1.0", 9, None),
    "nothing": (" \n ", 9, None),
}


@pytest.mark.parametrize(("quote", "line", "expected"), PLACES.values(), ids=PLACES)
def test_a_finding_stands_where_its_quote_stands(quote: str, line: int | None, expected: int | None) -> None:
    assert place(quote, line) == expected


def test_each_file_has_its_own_lines() -> None:
    assert place("return result", 40, "b.py") == 1
    assert place("import os", 7, "b.py") is None
    assert place("import os", 7, "c.py") is None
    assert place("import os", 7, None) is None
