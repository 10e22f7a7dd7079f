"""Steps of the tests about the shipped packs: their checks, and what these find in a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from review_gate.checks.applies import Page, applies
from review_gate.checks.engine import find
from review_gate.checks.languages import language_of
from review_gate.checks.rule import COMMIT_MESSAGE
from review_gate.checks.yaml_source import SourcedCheck, checks_from_yaml

FOLDER = Path(__file__).resolve().parents[1] / "checks"


def text_of(pack: str) -> str:
    return (FOLDER / f"{pack}.yaml").read_text(encoding="utf-8")


@cache
def checks_of(pack: str) -> tuple[SourcedCheck, ...]:
    # Reading a pack takes a hundred times as long as trying it on a line.
    return tuple(checks_from_yaml(f"checks/{pack}.yaml", text_of(pack)))


def found_by(pack: str, text: str, path: str) -> list[str]:
    """The ids of the checks of a pack that find something in a file."""
    language = language_of(path)
    page = Page(path, text.encode(), language)
    rules = [check.rule for check in checks_of(pack) if applies(check.rule, page)]
    return [rule.id for rule in rules if find(rule, text, language)]


def found_in_message(pack: str, text: str) -> list[str]:
    """The ids of the checks of a pack that find something in a commit message."""
    page = Page("COMMIT_EDITMSG", text.encode(), "text", place=COMMIT_MESSAGE)
    rules = [check.rule for check in checks_of(pack) if applies(check.rule, page)]
    return [rule.id for rule in rules if find(rule, text, "text")]
