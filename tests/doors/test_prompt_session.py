"""prompt-review in a session of Claude Code: its subagents answer, `merge` makes one prompt of that, and the hook."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo
from prompting import ALWAYS, GUARD, NOTHING, ONE_GUARD, REFINED, TASK, Desk, adding, all_of, answer, id_in

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


def refusal(what: str, name: str) -> tuple[int, str, str]:
    return (
        2,
        "",
        f"error: {what}\n"
        "  why:   nothing is lost: the questions still wait for their answers\n"
        f"  next:  review-gate prompt-review merge {name} FILE, with a JSON object such as"
        ' {"security": {"reviewer_role": "security", ...}, "clarity": {...}}\n',
    )


def merged(desk: Desk, name: str, said: object, *options: str) -> Any:
    """What `merge` makes of answers that come on standard input."""
    text = said if isinstance(said, str) else json.dumps(said)
    done = desk.review("merge", name, "-", "--format", "json", *options, stdin=text)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


def test_the_questions_are_handed_out_and_nobody_is_asked(desk: Desk) -> None:
    desk.claude(ONE_GUARD)
    asked = desk.document(TASK)
    name = asked["id"]
    assert desk.calls() == []
    assert (asked["status"], [one["role"] for one in asked["reviewers"]]) == (
        "ask_reviewers",
        [
            "security",
            "testing",
            "domain_sme",
            "clarity",
        ],
    )
    assert {one["model"] for one in asked["reviewers"]} == {"claude-haiku-4-5"}
    assert (asked["known"], asked["seconds"]) == ([], 8.0)
    assert asked["next"] == f"review-gate prompt-review merge {name} FILE"
    assert all(f"\n{TASK}\nprompt " in one["prompt"] for one in asked["reviewers"])
    assert (desk.waiting(), desk.log()) == ([f"{name}.asked.json"], [])
    # Whatever the form is called: only a program can do something with it.
    assert json.loads(desk.review(TASK).stdout)["status"] == "ask_reviewers"


def test_answers_from_a_file_become_a_proposal_that_is_decided(desk: Desk) -> None:
    name = desk.document(TASK)["id"]
    desk.repo.write("answers.json", json.dumps(GUARDED))
    done = desk.review("merge", name, "answers.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("+-- Prompt Review ---")
    assert "| Cost: $0.00 (subscription) | tokens not known " in done.stdout
    assert done.stdout.endswith(f"\nnext:  review-gate prompt-review decide {name} yes (or no, or edit --text FILE)\n")
    assert all_of(desk.review("decide", name, "yes")) == (0, REFINED, "")
    assert [(one["outcome"], one["mode"]) for one in desk.log()] == [("approved", "subscription")]


FORMS: dict[str, Any] = {
    "a list": list(GUARDED.values()),
}


@pytest.mark.parametrize("said", FORMS.values(), ids=FORMS)
def test_answers_are_taken_in_every_form_that_a_session_may_write(desk: Desk, said: Any) -> None:
    found = merged(desk, desk.document(TASK)["id"], said)
    assert (found["status"], found["refined"]) == ("proposed", REFINED)
    assert {one["standing"] for one in found["reviewers"]} == {"ok"}


MALFORMED = {
    "an unknown role": (
        '{"securty": {}}',
        "there is no reviewer 'securty'; there are domain_sme, security, clarity, testing, frontend_ux, documentation",
    ),
}


@pytest.mark.parametrize(("text", "what"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_answers_leave_the_questions_waiting(desk: Desk, text: str, what: str) -> None:
    name = desk.document(TASK)["id"]
    assert all_of(desk.review("merge", name, "-", stdin=text)) == refusal(what, name)
    assert merged(desk, name, GUARDED)["refined"] == REFINED


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


def test_answers_are_merged_once(desk: Desk) -> None:
    name = desk.document(TASK)["id"]
    merged(desk, name, GUARDED)
    again = desk.review("merge", name, "-", stdin=json.dumps(GUARDED))
    assert again.stderr.startswith(f'error: no review of a prompt waits under the id "{name}"\n')
    assert desk.review("decide", name, "no").stdout == TASK


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


def test_the_whole_path_from_the_mark_to_the_refined_prompt(desk: Desk) -> None:
    context = json.loads(desk.hook(payload(f"{TASK} !!!")).stdout)["hookSpecificOutput"]["additionalContext"]
    name = id_in(context)
    asked = desk.document("request", name)
    assert asked["id"] == name
    assert desk.review("request", name).returncode == 2
    merged(desk, name, GUARDED)
    shown = desk.review("show", name)
    assert (shown.returncode, f"| - {GUARD}\n" in shown.stdout) == (0, True)
    assert all_of(desk.review("decide", name, "yes")) == (0, REFINED, "")
    assert [(one["trigger"], one["outcome"]) for one in desk.log()] == [("!!!", "approved")]
    assert desk.waiting() == []
