"""What is missing from the checks that are in force by default, in few words."""

from __future__ import annotations

import pytest

from review_gate.checks.rule import Rule
from review_gate.checks.weakened import weakened
from review_gate.config.schema import Checks

PACK = Rule("key", "AKIA", severity="critical", source="pack:secrets", line=4, reason="a key")
OWN = Rule("todo", "TODO", severity="warning", source="checks/own.yaml")


def said(*replaced: tuple[Rule, Rule], **settings: object) -> list[str]:
    plain = Checks.model_validate(settings).model_dump(mode="json")
    return list(weakened([PACK, OWN], replaced, plain))


LESS = {
    "no packs": ({"packs": []}, ["all packs are off"]),
    "one pack": ({"packs": [name for name in Checks().packs if name != "secrets"]}, ["pack secrets is off"]),
    "many packs": (
        {"packs": ["unicode"]},
        ["packs secrets, dangerous-python, dangerous-javascript and 6 more are off"],
    ),
    "sources": ({"sources": ["project", "rules"]}, ["sources user, claude_md are not read"]),
    "milder": ({"severity": {"key": "warning", "todo": "info"}}, ["checks key, todo are milder than written"]),
    "all at once": (
        {"packs": [], "disable": ["todo"], "severity": {"key": "info"}},
        ["all packs are off", "check todo is disabled", "check key is milder than written"],
    ),
}
AS_MUCH = {
    "nothing": {},
    "more packs": {"packs": [*Checks().packs, "plans"]},
    "stricter": {"severity": {"todo": "critical", "key": "critical"}},
    "a check of a pack that is left out": {"disable": ["plan-somehow"], "severity": {"plan-somehow": "info"}},
}


@pytest.mark.parametrize(("settings", "expected"), LESS.values(), ids=LESS)
def test_less_than_the_defaults_is_said(settings: dict[str, object], expected: list[str]) -> None:
    assert said(**settings) == expected


@pytest.mark.parametrize("settings", AS_MUCH.values(), ids=AS_MUCH)
def test_as_much_as_the_defaults_is_not_worth_a_word(settings: dict[str, object]) -> None:
    assert said(**settings) == []


def test_a_check_in_the_place_of_another_is_said_with_its_file() -> None:
    other = Rule("key", "never", severity="critical", source="checks/own.yaml")
    assert said((PACK, other)) == ["check key (checks/own.yaml) is replaced"]


def test_a_copy_of_a_check_replaces_nothing() -> None:
    copy = Rule("key", "AKIA", severity="critical", source="checks/own.yaml", line=1, reason="in other words")
    assert said((PACK, copy)) == []
