"""Which checks look at which text."""

from __future__ import annotations

from typing import Any

import pytest
from alarming import rule

from review_gate.checks.applies import Page, applies, is_only_for_changes

CHANGE = {"is_change": True}
MESSAGE = {"place": "commit_message"}
PLAN = {"place": "plan"}
PROMPT = {"place": "prompt"}


@pytest.mark.parametrize(
    ("scope", "places"),
    [
        ([], [{}, CHANGE, PLAN, PROMPT]),
        (["code"], [{}, CHANGE, PLAN, PROMPT]),
        (["added_lines"], [CHANGE]),
        (["whole_file"], [{}, CHANGE]),
        (["added_lines", "whole_file"], [{}, CHANGE]),
        (["commit_message"], [MESSAGE]),
        (["plan"], [PLAN]),
        (["prompt", "prose"], [PROMPT]),
        (["plan", "commit_message", "added_lines"], [CHANGE, PLAN, MESSAGE]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else "",
)
def test_a_scope_names_kinds_of_text(scope: list[str], places: list[dict[str, Any]]) -> None:
    for place in ({}, CHANGE, MESSAGE, PLAN, PROMPT):
        page = Page("app.py", b"", "python", **place)
        assert applies(rule(scope=scope), page) is (place in places), place


@pytest.mark.parametrize(
    ("fields", "path", "expected"),
    [
        ({"include": ["src/**"]}, "src/deep/app.py", True),
        ({"include": ["src/**"]}, "lib/app.py", False),
        ({"include": ["*.py", "*.js"]}, "lib/app.py", True),
        ({"exclude": ["tests/**"]}, "tests/app.py", False),
        ({"exclude": ["tests/**"]}, "src/app.py", True),
        ({"include": ["src/**"], "exclude": ["src/vendor/**"]}, "src/vendor/app.py", False),
        ({"source": "checks/own.yaml"}, "checks/own.yaml", False),
        ({"source": "checks/own.yaml"}, "checks/other.yaml", True),
        ({"source": "pack:secrets"}, "pack:secrets", True),
        ({"source": "~/.claude/CLAUDE.md"}, "~/.claude/CLAUDE.md", True),
    ],
)
def test_paths_choose_files(fields: dict[str, Any], path: str, expected: bool) -> None:
    assert applies(rule(**fields), Page(path, b"", "python")) is expected


@pytest.mark.parametrize(
    ("languages", "language", "expected"),
    [([], "", True), (["python"], "python", True), (["go", "python"], "python", True), (["go"], "", False)],
)
def test_languages_choose_texts(languages: list[str], language: str, expected: bool) -> None:
    assert applies(rule(languages=languages), Page("app", b"", language)) is expected
    message = Page("message", b"", language, place="commit_message")
    assert applies(rule(languages=languages, scope=["commit_message"]), message) is expected


def test_paths_do_not_matter_where_a_text_is_no_file() -> None:
    check = rule(include=["src/**"], exclude=["message"], scope=["commit_message"], source="message")
    assert applies(check, Page("message", b"", "text", place="commit_message"))


def test_checks_for_changes_only_are_known() -> None:
    scopes: tuple[list[str], ...] = (
        ["added_lines"],
        ["added_lines", "code"],
        ["added_lines", "whole_file"],
        [],
        ["plan"],
    )
    assert [is_only_for_changes(rule(scope=scope)) for scope in scopes] == [True, True, False, False, False]
