"""docs/agents-review.md shows what the program prints to a session that does what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from answering import questions, submit, tokens
from conftest import Repo

PAGE = (Path(__file__).parents[2] / "docs/agents-review.md").read_text(encoding="utf-8")
CODE = PAGE.partition("```python\n")[2].partition("```")[0]
PLAN, FINDINGS = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))


def console(command: str) -> str:
    found = re.search(rf"```console\n\$ {re.escape(command)}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def steady(text: str) -> str:
    """A text without what is another one in each repository."""
    return re.sub(r"\b(?:[0-9a-f]{16}|[0-9a-f]{8})\b", "ID", text)


def as_the_page_has_it(document: dict[str, Any]) -> dict[str, Any]:
    """A document with the page's ids."""
    return {key: FINDINGS[key] if isinstance(value, str) else value for key, value in document.items()}


@pytest.fixture
def changed(opened: Repo) -> Repo:
    opened.commit("Share the costs", {"src/share.py": CODE})
    return opened


def test_the_plan_of_the_page(changed: Repo) -> None:
    plan = json.loads(changed.gate("run", "--loops", "2", "--plan-only", "--format", "json").stdout)
    shown = [{**one, "rules": [one["rules"][0], "..."]} for one in plan["questions"]]
    assert {"questions": shown, "findings": as_the_page_has_it(plan["findings"])} == PLAN


def test_the_question_of_the_page(changed: Repo) -> None:
    asked = steady(changed.gate("run", "--questions", "build-reviewer").stdout)
    pieces = steady(console("review-gate run --questions build-reviewer")).split("\n...\n")
    # The first line of a hunk is three dots too, so a piece more is found there.
    assert [piece for piece in pieces if piece not in asked] == []
    assert len(pieces) == 4


def test_the_answers_of_the_page_come_to_what_it_shows(changed: Repo) -> None:
    assert changed.gate("run", "--loops", "1", "--yes").returncode == 0
    asked = questions(changed, "--loops", "2")
    read = {one["reviewer"]: tokens(one["question"]) for one in asked["questions"]}
    given = [
        {**one, "files_read": [{"path": path, "token": token} for path, token in read[one["reviewer"]].items()]}
        for one in FINDINGS["answers"]
    ]
    done = submit(changed, {**asked["findings"], "answers": given}, "--loops", "2")
    assert done.stdout == console("review-gate run --loops 2 --yes --findings loop-2.json")
    status = steady(changed.gate("status").stdout)
    assert status.startswith(steady(console("review-gate status")).rstrip("\n"))
