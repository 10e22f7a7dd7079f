"""The examples of docs/suppression.md are what the program does."""

from __future__ import annotations

import pytest
from alarming import alarms, rule
from conftest import GOLDEN

from review_gate.checks.alarm import ScanResult
from review_gate.checks.baseline import baseline_of
from review_gate.checks.suppress import apply_suppressions, suppressions_in
from review_gate.render.scan_text import scan_text

DOCUMENT = (GOLDEN.parents[1] / "docs/suppression.md").read_text(encoding="utf-8")


def block(language: str, number: int) -> str:
    """One of the document's code blocks."""
    return DOCUMENT.split(f"```{language}\n")[number].partition("```")[0]


def test_the_document_shows_what_a_scan_really_says_about_suppressions() -> None:
    check = rule("no-eval", "eval(", severity="critical", reason="eval runs whatever its input says")
    text = block("python", 3)
    result = ScanResult()
    result.files = result.checks = 1
    directives = suppressions_in(text, "python")
    result.alarms, _ = apply_suppressions(alarms(text, check), directives, file="src/app.py", known_ids=("no-eval",))
    assert scan_text(result) == block("text", 1)


@pytest.mark.parametrize("number", [1, 2])
def test_the_suppressions_of_the_document_work(number: int) -> None:
    text = block("python", number)
    rules = [check for check in (rule("no-eval", "eval("), rule("no-exec", "exec(")) if check.pattern in text]
    directives = suppressions_in(text, "python")
    kept, suppressed = apply_suppressions(
        alarms(text, *rules), directives, file="src/app.py", known_ids=("no-eval", "no-exec")
    )
    assert (kept, len(suppressed)) == ([], number)


def test_the_baseline_of_the_document_is_one() -> None:
    assert baseline_of(alarms("eval(y)\n", rule("no-eval", "eval("))).text() == block("json", 1)
