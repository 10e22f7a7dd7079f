"""The settings of prompt review from files and the environment; a broken one lets the prompt go on, and says why."""

from __future__ import annotations

import json

import pytest
from conftest import Repo
from prompting import ALWAYS, ONE_GUARD, TASK, Desk, all_of, as_it_is

PROJECT = ".claude/prompt-review.json"


@pytest.fixture
def desk(repo: Repo) -> Desk:
    return Desk(repo).claude(ONE_GUARD)


@pytest.mark.parametrize(
    ("off", "why"),
    [
        ({"enabled": False}, "it is switched off"),
        ({"conditional": True}, "nothing in the prompt or the project asks for it"),
    ],
)
def test_a_project_that_does_without_security_does_so_openly(desk: Desk, off: dict[str, bool], why: str) -> None:
    desk.repo.write(PROJECT, json.dumps({"reviewers": {"security": off}}))
    desk.repo.write("a.md", TASK)
    told = f"the reviewer for security was not asked: {why}"
    found = desk.document(TASK)
    assert (found["notes"], "security" in found["passed_over"]) == ([told], True)
    assert desk.review("--file", "a.md").stderr == f"warning: {told}\n"


BROKEN = {
    "an unknown key": ('{\n"modle": "api"}', ':2: unknown key "modle"; did you mean "mode"?'),
}


@pytest.mark.parametrize(("text", "why"), BROKEN.values(), ids=BROKEN)
def test_broken_settings_let_the_prompt_go_on_and_name_the_place(desk: Desk, text: str, why: str) -> None:
    path = desk.repo.path / PROJECT
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="surrogateescape"))
    line = why[1]
    step = f"edit {PROJECT}:{line}, then: review-gate prompt-review --settings"
    assert all_of(desk.review(TASK)) == as_it_is(TASK, f"{PROJECT}{why} ({step})")
    assert (desk.calls(), [(one["outcome"], one["reason"]) for one in desk.log()]) == (
        [],
        [("not_reviewed", "broken_settings")],
    )


def test_every_mistake_is_shown_when_the_settings_are_looked_at(desk: Desk) -> None:
    desk.repo.write(PROJECT, '{"modle": "api",\n "budget": {"timeout_ms": 1}}')
    assert all_of(desk.review("--settings", PROMPT_REVIEW_MODEL="x")) == (
        2,
        "",
        'error: .claude/prompt-review.json:1: unknown key "modle"; did you mean "mode"?\n'
        "  why:   prompt review does not guess what was meant; also wrong:\n"
        "         .claude/prompt-review.json:2: budget.timeout_ms is the number 1; allowed: a whole number from 100 to"
        " 600000\n"
        "         environment PROMPT_REVIEW_MODEL: no setting has this name; did you mean PROMPT_REVIEW_MODE?\n"
        "  next:  edit .claude/prompt-review.json:1, then: review-gate prompt-review --settings\n",
    )


def test_a_folder_of_settings_that_is_a_link_is_not_followed(desk: Desk) -> None:
    elsewhere = desk.repo.path.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "prompt-review.json").write_text('{"enabled": false}')
    (desk.repo.path / ".claude").symlink_to(elsewhere)
    why = f"{PROJECT} cannot be read: its folder is a link (mend or remove that file)"
    assert all_of(desk.review(TASK)) == as_it_is(TASK, why)


def test_without_models_or_reviewers_nobody_is_asked(desk: Desk) -> None:
    why = "models are off (models.use in the configuration)"
    assert all_of(desk.review(TASK, REVIEW_GATE_MODELS__USE="off")) == as_it_is(TASK, why)
    off = {role: {"enabled": False} for role in ALWAYS}
    desk.repo.write(PROJECT, json.dumps({"reviewers": off}))
    why = "no reviewer is asked for it (every one is switched off)"
    assert all_of(desk.review(TASK)) == as_it_is(TASK, why)
    assert desk.calls() == []


def test_a_reviewer_does_not_start_reviewers(desk: Desk) -> None:
    why = (
        "no model can be asked: REVIEW_GATE_REVIEWING is set: this was started by a reviewer, and a reviewer must not"
        " start reviewers"
    )
    assert all_of(desk.review(TASK, REVIEW_GATE_REVIEWING="1")) == as_it_is(TASK, why)


ASKED = "{} of this project decides who is asked: mode subscription, claude-big-9"


@pytest.mark.parametrize(
    ("user", "project", "notes"),
    [
        ("{}", '{"models": {"reviewer": "claude-big-9"}}', [ASKED.format(PROJECT)]),
        ('{"models": {"reviewer": "claude-big-9"}}', '{"models": {"reviewer": "claude-big-9"}}', []),
        ("{}", '{"budget": {"timeout_ms": 7000}}', []),
    ],
    ids=["another model", "the user's own", "something else"],
)
def test_a_project_that_decides_who_is_asked_does_so_openly(
    desk: Desk, user: str, project: str, notes: list[str]
) -> None:
    desk.write_user_settings(user)
    desk.repo.write(PROJECT, project)
    assert desk.document(TASK)["notes"] == notes
