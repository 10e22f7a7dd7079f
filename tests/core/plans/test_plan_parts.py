"""Which plan is meant, who reviews it, and what a marker is worth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_gate.errors import MisuseError
from review_gate.plans.marker import Marker, Wanted, standing_of
from review_gate.plans.panel import ANTI_PATTERNS, USUAL_PANEL, PanelError, Persona, panel_of
from review_gate.plans.target import Target, target_of

PLAN, CHECKS, OTHER = "a" * 64, "b" * 64, "c" * 64

TARGETS = {
    "a path": ("plans/my-plan.md", Target(path="plans/my-plan.md")),
    "a session": ("session://20260101-120000-ab12cd34", Target(session="20260101-120000-ab12cd34")),
    "a prompt with a session": ("Review: session://abc", Target(session="abc")),
    "a prompt with a path": ("review:  /tmp/a b.md \n", Target(path="/tmp/a b.md")),
}


@pytest.mark.parametrize(("text", "target"), TARGETS.values(), ids=TARGETS)
def test_what_a_text_names(text: str, target: Target) -> None:
    assert target_of(text) == target


@pytest.mark.parametrize(
    "session",
    [
        "../x",
        "/etc",
        "a/b",
        "a\\b",
        "%2e%2e",
        ".",
        "..",
        "a..b",
        "a\n",
        "",
        "a\0",
        "x" * 300,
        "con",
        "NUL.txt",
        "~",
        "é",
    ],
)
def test_an_id_never_leads_out_of_the_sessions(session: str) -> None:
    with pytest.raises(MisuseError) as raised:
        target_of(f"session://{session}")
    assert raised.value.why == (
        "it names one folder among the sessions: letters, digits, dashes, underscores and single dots"
    )


def test_one_persona_reviews_alone() -> None:
    panel = panel_of({"reviewer_persona": " Senior security engineer "})
    assert (panel.names, panel.warnings, panel.is_chosen) == ("Senior security engineer", (), True)


def test_a_panel_has_somebody_who_looks_for_anti_patterns() -> None:
    panel = panel_of({"reviewer_personas": [{"name": "Liskov", "domain": "types", "focus": ["substitution"]}]})
    assert panel.personas == (Persona(name="Liskov", domain="types", focus=("substitution",)), ANTI_PATTERNS)
    assert panel.warnings == ("Claude was added to the panel: somebody has to look for anti-patterns",)
    own = panel_of({"reviewer_personas": ["Knuth", {"name": "Claude (self-review)"}]})
    assert (own.names, own.warnings) == ("Knuth, Claude (self-review)", ())


def test_of_both_the_panel_counts() -> None:
    panel = panel_of({"reviewer_persona": "one", "reviewer_personas": ["Claude"]})
    assert (panel.names, panel.warnings) == (
        "Claude",
        ("reviewer_persona is redundant beside reviewer_personas, which counts",),
    )


def test_without_either_the_usual_panel_reviews() -> None:
    panel = panel_of({})
    assert (panel.personas, panel.is_chosen) == (USUAL_PANEL, False)
    assert panel.warnings == ("context.yaml names no reviewer, so the usual panel reviews",)


KNOWN = (Persona(name="Barbara Liskov", domain="types", focus=("substitution",)), Persona(name="Jim Gray"))


def test_a_persona_that_is_only_named_is_looked_up() -> None:
    panel = panel_of({"reviewer_personas": ["barbara liskov", {"name": "Jim Gray", "domain": "locks"}]}, KNOWN)
    assert panel.experts == (KNOWN[0], Persona(name="Jim Gray", domain="locks"))
    assert panel_of({"reviewer_persona": "Barbara Liskov"}, KNOWN).personas == (KNOWN[0],)


def test_a_persona_that_nobody_knows_reviews_by_its_name_and_is_told() -> None:
    panel = panel_of({"reviewer_personas": ["Barbra Liskov", "Xi", "Claude"]}, KNOWN)
    assert [persona.name for persona in panel.experts] == ["Barbra Liskov", "Xi"]
    said = "is not in reviewers.yaml, so only its name says what it looks at"
    assert panel.warnings == (f'"Barbra Liskov" {said}', f'"Xi" {said}')
    # Whoever has no such file says all there is to say.
    assert panel_of({"reviewer_personas": ["Xi", "Claude"]}).warnings == ()


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no text": ({"reviewer_persona": 3}, "reviewer_persona must be a text of 1 to 500 characters"),
    "an empty list": ({"reviewer_personas": []}, "reviewer_personas must be a list of 1 to 12 reviewers"),
    "the same twice": (
        {"reviewer_personas": ["Knuth", {"name": "knuth"}]},
        'reviewer_personas names "Knuth" twice',
    ),
    "an unknown key": (
        {"reviewer_personas": [{"name": "a", "focsu": []}]},
        "reviewer_personas[0].focsu: Extra inputs are not permitted",
    ),
}


@pytest.mark.parametrize(("context", "what"), WRONG.values(), ids=WRONG)
def test_a_panel_that_cannot_be_used_is_an_error(context: dict[str, Any], what: str) -> None:
    with pytest.raises(PanelError) as raised:
        panel_of(context)
    assert str(raised.value) == what


TIME = "2026-01-02T03:04:05Z"
WANTED = Wanted(plan=PLAN, checks=CHECKS, panel=("Claude",))


def marker(**changes: Any) -> bytes:
    usual = Marker(
        plan=PLAN, checks=CHECKS, reviewers=("checks", "Claude"), panel=("Claude",), approved=TIME
    ).model_dump()
    return json.dumps({**usual, **changes}).encode()


STANDINGS: dict[str, tuple[bytes | None, str, str]] = {
    "no marker": (None, "missing", "the plan was not approved"),
    "this plan": (marker(), "approved", "approved by checks, Claude at 2026-01-02T03:04:05Z"),
    "another plan": (marker(plan=OTHER), "stale", "the plan was changed after it was approved"),
    "other checks": (marker(checks=OTHER), "stale", "the checks were changed after the plan was approved"),
    "another panel": (marker(panel=["Knuth"]), "stale", "the reviewers were changed after the plan was approved"),
    "an empty file": (b"", "missing", "the marker is not one that a review has written"),
    "a marker of another kind": (b'{"plan": true}', "missing", "the marker is not one that a review has written"),
    "another version": (marker(version=2), "missing", "the marker is not one that a review has written"),
    "a digest cut short": (marker(plan="a" * 63), "missing", "the marker is not one that a review has written"),
}


@pytest.mark.parametrize(("data", "status", "reason"), STANDINGS.values(), ids=STANDINGS)
def test_a_marker_counts_for_the_text_that_it_names(data: bytes | None, status: str, reason: str) -> None:
    assert standing_of(data, WANTED) == (status, reason)


def test_an_approval_without_the_experts_does_not_do_where_models_are_required() -> None:
    wanted = WANTED._replace(panel=("Knuth", "Claude"), required=("Knuth",))
    alone = standing_of(marker(panel=["Knuth", "Claude"]), wanted)
    assert alone == ("stale", "models are required, and the plan was approved without Knuth")
    together = standing_of(marker(panel=["Knuth", "Claude"], reviewers=["checks", "Claude", "Knuth"]), wanted)
    assert together.status == "approved"


def test_an_expert_who_is_called_like_the_checks_has_not_looked_when_they_have() -> None:
    wanted = WANTED._replace(panel=("checks", "Claude"), required=("checks",))
    alone = standing_of(marker(panel=["checks", "Claude"]), wanted)
    assert alone == ("stale", "models are required, and the plan was approved without checks")
