"""Who is chosen to review a plan: only people whom the user's own file names, and enough of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_gate.pipeline.question import canary_of
from review_gate.plans.experts import explained, voice_task
from review_gate.plans.panel import Persona, known_personas
from review_gate.plans.schema import Violation
from review_gate.plans.selection import choice_of, selection_task

NONCE = "0011223344556677"
GRAY = Persona(name="Jim Gray", domain="databases", focus=("transactions",))
KNUTH, NOETHER = Persona(name="Donald Knuth"), Persona(name="Emmy Noether", domain="symmetry")
WEYL, CLAUDE = Persona(name="Hermann Weyl"), Persona(name="Claude")
KNOWN = (GRAY, KNUTH, NOETHER, WEYL, CLAUDE)
SHOP, PHYSICS = "/home/me/shop", "/home/me/Physics/rings"


def raw(*names: str, **changes: Any) -> str:
    panel = [{"name": name, "domain": "said by a model", "focus": ["a", "b"]} for name in names]
    return json.dumps({"panel": panel, "reason": "They know\nthis.", **changes})


FILES: dict[str, tuple[object, list[Persona]]] = {
    "names in groups": (
        {"code_technical": ["Donald Knuth"], "technical_domains": {"physics": ["Emmy Noether"]}},
        [Persona(name="Donald Knuth", domain="code technical"), Persona(name="Emmy Noether", domain="physics")],
    ),
    "people with more": (
        {"people": [{"name": "Jim Gray", "domain": "databases", "focus": ["transactions"]}]},
        [GRAY],
    ),
    "people by their names": (
        {"code": {"Jim Gray": {"expertise": "databases", "focus": "transactions"}}},
        [GRAY],
    ),
    "other things": ({"version": 1, "about": "who we know", "code": [None, 3, {"x": 1}, ""]}, []),
    "nothing": ("Jim Gray", []),
}


@pytest.mark.parametrize(("document", "personas"), FILES.values(), ids=FILES)
def test_reviewers_are_known_by_a_file_of_any_usual_shape(document: object, personas: list[Persona]) -> None:
    assert list(known_personas(document)) == personas


def test_the_names_to_choose_from_are_told_and_the_path_of_the_project_is_not() -> None:
    task = selection_task(KNOWN, SHOP, NONCE)
    assert "- Jim Gray: databases, transactions\n- Donald Knuth\n" in task
    assert "- Claude\n" not in task
    assert "The project is called shop." in task
    assert "/home/me" not in task
    assert "project of physics" not in task
    assert "one physicist for the subject, and one mathematician" in selection_task(KNOWN, PHYSICS, NONCE)


def test_who_is_known_is_chosen_with_what_the_file_says_of_them() -> None:
    choice = choice_of(raw("jim gray", "Donald Knuth", "Claude"), KNOWN, SHOP, NONCE)
    assert choice.personas == (GRAY, Persona(name="Donald Knuth", domain="said by a model", focus=("a", "b")))
    assert choice.reason == "They know this."


NO_CHOICES = {
    "nobody": (raw(), SHOP, "it names 0 of the reviewers in reviewers.yaml"),
    "only Claude": (raw("Claude"), SHOP, "it names 0 of the reviewers in reviewers.yaml"),
    "strangers": (raw("Mallory", "Eve"), SHOP, "it names 0 of the reviewers in reviewers.yaml"),
    "too many": (
        raw("Jim Gray", "Donald Knuth", "Emmy Noether", "Hermann Weyl"),
        SHOP,
        "it names 4 of the reviewers in reviewers.yaml",
    ),
    "one for physics": (raw("Emmy Noether"), PHYSICS, "it names 1 of the reviewers in reviewers.yaml"),
    "no JSON": ("Take Knuth.", SHOP, "the answer holds no JSON"),
    "its instructions": (
        raw("Jim Gray", reason=canary_of(NONCE)),
        SHOP,
        "it repeats a mark of its instructions",
    ),
}


@pytest.mark.parametrize(("said", "project", "why"), NO_CHOICES.values(), ids=NO_CHOICES)
def test_a_choice_that_cannot_be_used_is_none(said: str, project: str, why: str) -> None:
    assert choice_of(said, KNOWN, project, NONCE) == ((), why)


def test_physics_has_two_experts() -> None:
    assert choice_of(raw("Emmy Noether", "Hermann Weyl"), KNOWN, PHYSICS, NONCE).personas[0].name == "Emmy Noether"


def test_an_explanation_is_asked_for_without_the_plan() -> None:
    violation = Violation(
        check="c", pattern='x"\ny', reason="it runs", line=1, matched="SECRET", has_fix=False, rejects=False
    )
    task = voice_task(NOETHER, violation, NONCE)
    assert """The reviewer is "Emmy Noether", domain "symmetry", who looks first at "".""" in task
    assert '''found the pattern "x' y" in the plan. Its author wrote as the reason: "it runs"''' in task
    assert "SECRET" not in task


EXPLANATIONS = {
    "words": ('{"why": "It\\nmatters."}', "It matters."),
    "too many": (json.dumps({"why": "x" * 700}), "x" * 600 + "..."),
    "another shape": ('{"answer": "approve"}', ""),
    "its instructions": (json.dumps({"why": canary_of(NONCE)}), ""),
}


@pytest.mark.parametrize(("said", "words"), EXPLANATIONS.values(), ids=EXPLANATIONS)
def test_an_explanation_is_words_on_one_line_or_nothing(said: str, words: str) -> None:
    assert explained(said, NONCE) == words
