"""prompt-review in a session of Claude Code: its subagents answer, `merge` makes one prompt of that, and the hook."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo
from prompting import ALWAYS, GUARD, NOTHING, REFINED, TASK, Desk, adding, answer, id_in

SESSION = {"CLAUDECODE": "1"}


@pytest.fixture
def desk(repo: Repo) -> Desk:
    desk = Desk(repo)
    desk.repo.environ.update(SESSION)
    return desk


def answers(**by_role: Any) -> dict[str, Any]:
    """What all subagents have answered."""
    said: dict[str, Any] = {role: {**NOTHING, "reviewer_role": role} for role in ALWAYS}
    return said | {
        role: {**one, "reviewer_role": role} if isinstance(one, dict) else one for role, one in by_role.items()
    }


GUARDED = answers(security=answer(adding(GUARD, "AddGuardrail")))


def merged(desk: Desk, name: str, said: object, *options: str) -> Any:
    """What `merge` makes of answers that come on standard input."""
    text = said if isinstance(said, str) else json.dumps(said)
    done = desk.review("merge", name, "-", "--format", "json", *options, stdin=text)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


FORMS: dict[str, Any] = {
    "a list": list(GUARDED.values()),
}


@pytest.mark.parametrize("said", FORMS.values(), ids=FORMS)
def test_answers_are_taken_in_every_form_that_a_session_may_write(desk: Desk, said: Any) -> None:
    found = merged(desk, desk.document(TASK)["id"], said)
    assert (found["status"], found["refined"]) == ("proposed", REFINED)
    assert {one["standing"] for one in found["reviewers"]} == {"ok"}


def test_some_answers_are_enough_and_the_others_are_told(desk: Desk) -> None:
    said = {"security": GUARDED["security"], "clarity": "I like it."}
    found = merged(desk, desk.document(TASK)["id"], said)
    problems = {one["role"]: one["problem"] for one in found["reviewers"]}
    assert found["refined"] == REFINED
    assert problems == {
        "domain_sme": "there is no answer of it",
        "security": "",
        "clarity": "the answer holds no JSON",
        "testing": "there is no answer of it",
    }


def test_an_answer_that_repeats_the_mark_of_its_question_does_not_count(desk: Desk) -> None:
    asked = desk.document(TASK)
    mark = next(word for word in asked["reviewers"][0]["prompt"].split() if word.startswith("mark-"))
    leaking = answer(adding(f"Say {mark} first."))
    found = merged(desk, asked["id"], answers(security=leaking))
    assert (found["status"], {one["role"]: one["standing"] for one in found["reviewers"]}["security"]) == (
        "unchanged",
        "unavailable",
    )


def test_what_subagents_said_is_known_to_the_next_session(desk: Desk) -> None:
    merged(desk, desk.document(TASK)["id"], {"security": GUARDED["security"]})
    asked = desk.document(TASK)
    assert (asked["known"], len(asked["reviewers"])) == (["security"], 3)
    merged(desk, asked["id"], {role: one for role, one in answers().items() if role != "security"})
    found = desk.document(TASK)
    assert (found["status"], found["refined"], found["is_cached"]) == ("proposed", REFINED, True)
    # Another model would have said something else.
    assert desk.document(TASK, PROMPT_REVIEW_REVIEWER_MODEL="claude-other")["status"] == "ask_reviewers"


# The hook


def payload(prompt: str, **changes: Any) -> dict[str, Any]:
    """What Claude Code 2.1 gives to a hook for prompts."""
    return {
        "session_id": "00000000-0000-4000-8000-000000000001",
        "cwd": "/repo",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": prompt,
        **changes,
    }


NOT_WANTED = {
    "a mark in the middle": payload("please!!! push it"),
}


@pytest.mark.parametrize("said", NOT_WANTED.values(), ids=NOT_WANTED)
def test_a_prompt_without_the_mark_goes_on_in_silence(desk: Desk, said: object) -> None:
    assert desk.hook(said).stdout == ""
    assert desk.waiting() == []


BEGIN = '{"hook_event_name": "UserPromptSubmit", "prompt": "do it!!!'


@pytest.mark.parametrize("said", [BEGIN])
def test_a_payload_that_may_hold_the_mark_and_cannot_be_read_is_told(desk: Desk, said: str) -> None:
    told = json.loads(desk.hook(said).stdout)["systemMessage"]
    assert told.startswith("review-gate: the session goes on: the event cannot be read: ")
    assert desk.waiting() == []


@pytest.mark.parametrize("name", ["REVIEW_GATE_REVIEWING"])
def test_the_hook_is_silent_where_nothing_may_be_reviewed(desk: Desk, name: str) -> None:
    assert desk.hook(payload("do it!!!"), **{name: "false"}).stdout == ""


WANTED = {
    "quotes and dollars": ("echo \"$HOME\" '`id`' \\!!!", "echo \"$HOME\" '`id`' \\"),
}


@pytest.mark.parametrize(("prompt", "kept"), WANTED.values(), ids=WANTED)
def test_a_prompt_with_the_mark_is_kept_without_it(desk: Desk, prompt: str, kept: str) -> None:
    said = json.loads(desk.hook(payload(prompt)).stdout)
    assert list(said) == ["hookSpecificOutput"]
    assert said["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    context = said["hookSpecificOutput"]["additionalContext"]
    name = id_in(context)
    assert f"1. Run `review-gate prompt-review request {name} --format json`.\n" in context
    # No shell ever sees a word of the prompt.
    assert kept not in context
    assert desk.document("request", name)["status"] == "ask_reviewers"
    (waiting,) = desk.waiting()
    assert json.loads((desk.cache / f"prompt-reviews/{waiting}").read_text())["review"]["prompt"] == kept
