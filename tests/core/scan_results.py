"""Results of scans for the tests of their formats: a rich one, and an empty one."""

from __future__ import annotations

from collections.abc import Callable

from alarming import alarms, rule

from review_gate.checks.alarm import Alarm, ScanResult, alarm_of
from review_gate.checks.rule import Hit
from review_gate.checks.suppress import apply_suppressions, suppressions_in
from review_gate.render.scan_github import scan_github
from review_gate.render.scan_json import scan_json
from review_gate.render.scan_junit import scan_junit
from review_gate.render.scan_sarif import scan_sarif
from review_gate.render.scan_text import scan_text

FORMATS: dict[str, Callable[[ScanResult], str]] = {
    "txt": scan_text,
    "json": lambda result: "".join(scan_json(result)),
    "sarif": lambda result: "".join(scan_sarif(result)),
    "xml": scan_junit,
    "github": scan_github,
}

CODE = """\
import os
\tresult = eval(größe)  # 漢字 eval(名前)
api_key = "sk-1234567890abcdef"; print(api_key)
x = 1  # review-gate: ignore[no-eval] nothing is here
y = 2  # review-gate: ignore
"""
NO_EVAL = rule(
    "no-eval",
    "eval(",
    severity="critical",
    category="security",
    reason="eval runs whatever its input says",
    fix=("replace", "literal_eval("),
    docs="https://docs.python.org/3/library/ast.html#ast.literal_eval",
)
SECRET = rule("api-key", "sk-1234567890abcdef", severity="critical", category="secrets", reason="a key of production")
NO_PRINT = rule(
    "no-print", "print", severity="warning", reason="", fix=("remove_sentence", ""), reject_if_persists=True
)
WEASEL = rule("weasel", "simply", severity="info", category="prose", docs="Strunk, rule 13", source="CLAUDE.md", line=0)
MANY_LINES = rule("empty-except", "except:\n    pass", match_rule="regex", fix=("replace", r"\1"), source="", line=0)


def code_alarms() -> list[Alarm]:
    """Alarms for the code, and for its suppressions."""
    found = alarms(CODE, NO_EVAL, SECRET, NO_PRINT)
    known = (NO_EVAL.id, SECRET.id, NO_PRINT.id)
    return apply_suppressions(found, suppressions_in(CODE, "python"), file="src/app.py", known_ids=known)[0]


def hidden_alarm() -> Alarm:
    """A word that is there only when an unseen character is seen through."""
    line = "It is si\u200bmply done."
    hit = Hit(WEASEL, line=7, column=7, start=100, end=107, text="si\u200bmply", is_hidden=True)
    return alarm_of(hit, "docs/guide.md", line)


def rich() -> ScanResult:
    """A scan that found something of every kind, out of order."""
    result = ScanResult()
    result.alarms = [
        *alarms("try: a()\nexcept:\n    pass\n", MANY_LINES, file="a b\n::error::c%,\u202e.py"),
        hidden_alarm(),
        *code_alarms(),
        *alarms("simply \x1b[31m\x00 & <b>]]>", WEASEL, file="bytes-\udcff.txt"),
    ]
    result.fail("big.bin: larger than 100 MB", "big.bin")
    result.fail("evil\x1b]0;name\x07: no-eval took longer than 2 s\n::error::x", "evil\x1b]0;name\x07")
    result.notes = ["3 binary files were left out", "see [here](https://evil.example) \u202e"]
    result.files, result.checks, result.suppressed, result.baselined, result.stale = 12, 54, 1, 4, 1
    return result


def empty() -> ScanResult:
    """A scan that found nothing."""
    result = ScanResult()
    result.files, result.checks = 1, 1
    return result
