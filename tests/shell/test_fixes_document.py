"""The examples in docs/fixes.md are what the fixes do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from review_gate.checks.fix import fixed
from review_gate.checks.rule import REGEX, Hit, Rule
from review_gate.checks.schema import Check
from review_gate.shell.content_diff import content_diff

DOCUMENT = Path(__file__).parents[2] / "docs" / "fixes.md"
BLOCK = re.compile(r"^```yaml\n(.*?)^```\n\n```text\n(.*?)^```\n\n```diff\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
EXAMPLES = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))


def hits(text: str, check: Rule) -> list[Hit]:
    pattern = check.pattern if check.match_rule == REGEX else re.escape(check.pattern)
    return [
        Hit(
            check,
            line=text.count("\n", 0, match.start()) + 1,
            column=1,
            start=match.start(),
            end=match.end(),
            text=match[0],
        )
        for match in re.finditer(pattern, text)
    ]


def test_there_is_an_example_of_every_action() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize(("check", "text", "diff"), EXAMPLES, ids=["replace", "sentence", "paragraph"])
def test_an_example_is_true(check: str, text: str, diff: str) -> None:
    rule = Check.model_validate(YAML(typ="safe").load(check)).rule("fixes.md", 1)
    shown = content_diff("plan.md", text.encode(), fixed(text, hits(text, rule)).text.encode())
    assert shown.partition("+++ b/plan.md\n")[2] == diff
