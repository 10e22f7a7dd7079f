"""prompt-review by API: the real SDK against a model on loopback, which answers for each reviewer, well or badly."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from conftest import Repo
from modelling import Asked, Model, Says, model
from prompting import (
    ALWAYS,
    GUARD,
    NOTHING,
    REFINED,
    ROLE,
    ROLES,
    TASK,
    Desk,
    adding,
    answer,
    id_in,
    replacing,
)

from review_gate.prompts.schema import CritiqueAnswer

API = {"PROMPT_REVIEW_MODE": "api"}
KEY = "AKIAIOSFODNN7EXAMPLB"
NO_CRITIQUE = "no reviewer gave a critique: Domain SME, Security, Clarity, Testing: "


@pytest.fixture
def desk(repo: Repo) -> Desk:
    return Desk(repo)


def role_of(asked: Asked) -> str:
    """Which reviewer is asked; polish where it is the editor."""
    found = ROLE.search(asked.task)
    return found[1] if found else "polish"


def saying(**by_role: Any) -> Says:
    """A model that says this by role, and finds nothing otherwise."""

    def says(asked: Asked) -> Any:
        said = by_role.get(role_of(asked), NOTHING)
        return {**said, "reviewer_role": role_of(asked)} if isinstance(said, dict) and "findings" in said else said

    return says


GUARDED = {"security": answer(adding(GUARD, "AddGuardrail"))}


def environ(server: Model) -> dict[str, str]:
    return {**server.environ, **API}


def test_six_reviewers_are_asked_at_the_same_time_by_a_small_model(desk: Desk) -> None:
    together = threading.Barrier(len(ROLES))

    def says(asked: Asked) -> Any:
        # Nobody gets past this before all six are here.
        together.wait(30)
        return saying(**GUARDED)(asked)

    with model(says) as server:
        found = desk.document("--preset", "all", TASK, **environ(server), PROMPT_REVIEW_TIMEOUT="30000")
    assert sorted(map(role_of, server.asked)) == sorted(ROLES)
    assert {asked.model for asked in server.asked} == {"claude-haiku-4-5"}
    schemas = [asked.body["output_config"]["format"]["schema"] for asked in server.asked]
    assert [schema["required"] for schema in schemas] == [[*CritiqueAnswer.model_fields]] * len(ROLES)
    assert (found["refined"], found["mode"], found["notes"]) == (REFINED, "api", [])
    assert {one["standing"] for one in found["reviewers"]} == {"ok"}


def test_what_it_cost_is_in_the_block_and_in_the_log(desk: Desk) -> None:
    with model(saying(**GUARDED)) as server:
        done = desk.review(TASK, **environ(server))
        # Four thousand tokens at 1.25 dollars a million, as some may go into a cache, and four hundred at five.
        assert "| Cost: $0.01 (API) | 4.4K tokens " in done.stdout
        again = desk.review(TASK, **environ(server))
        assert "| Cost: $0.00 (API) | 0 tokens | from the cache " in again.stdout
    assert len(server.asked) == 4
    desk.review("decide", id_in(done.stdout), "yes")
    (line,) = desk.log()
    assert line["mode"] == "api"
    assert line["cost"] == {"input_tokens": 4000, "output_tokens": 400, "usd": pytest.approx(0.007)}


FAULTS: dict[str, Any] = {
    "a rate limit": 429,
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_service_that_fails_lets_the_prompt_go_on(desk: Desk, fault: Any) -> None:
    with model(lambda _: fault) as server:
        done = desk.review(TASK, **environ(server), PROMPT_REVIEW_TIMEOUT="4000")
    assert (done.returncode, done.stdout) == (0, TASK)
    start = f"prompt review: the prompt goes on as it is: {NO_CRITIQUE}"
    assert (done.stderr[: len(start)], done.stderr.count("\n")) == (start, 1)
    assert [(one["outcome"], one["mode"]) for one in desk.log()] == [("not_reviewed", "api")]


def hang(_: object, over: threading.Event) -> None:
    """Say nothing until the test is over."""
    over.wait()


def test_one_that_hangs_is_not_waited_for(desk: Desk) -> None:
    with model(saying(**GUARDED, clarity=hang)) as server:
        found = desk.document(TASK, **environ(server), PROMPT_REVIEW_TIMEOUT="3000")
    assert found["refined"] == REFINED
    assert {one["role"] for one in found["reviewers"] if one["standing"] == "unavailable"} == {"clarity"}


# --polish


def polishing(*texts: str) -> dict[str, Any]:
    """What the editor's model says."""
    return {"passages": [{"number": number, "text": text} for number, text in enumerate(texts, 1)]}


CHANGED = {**GUARDED, "clarity": answer(replacing("optimize", "halve the load time of", severity="minor"))}


def test_a_polished_prompt_has_other_words_only_where_something_was_put_in(desk: Desk) -> None:
    with model(saying(**CHANGED, polish=polishing("never print any token"))) as server:
        found = desk.document("--polish", TASK, **environ(server))
    asked = [one for one in server.asked if role_of(one) == "polish"]
    assert [one.model for one in asked] == ["claude-sonnet-4-6"]
    assert found["refined"] == "halve the load time of the settings page\n\nConstraints:\n- never print any token"
    assert found["notes"] == ["claude-sonnet-4-6 gave other words to 1 of 2 passages that were put in"]
    assert found["cost"]["input_tokens"] == 5000


def test_a_prompt_with_a_secret_is_not_sent_to_be_polished(desk: Desk) -> None:
    prompt = f"{TASK} with {KEY}"
    with model(saying(**GUARDED, polish=polishing("x"))) as server:
        found = desk.document("--polish", prompt, **environ(server))
    assert {role_of(asked) for asked in server.asked} == {*ALWAYS}
    assert not any(KEY in asked.shared + asked.task for asked in server.asked)
    assert found["refined"] == f"{prompt}\n\nConstraints:\n- {GUARD}"
    assert found["notes"] == [
        "secrets were withheld from the reviewers in 1 line",
        "not polished: the prompt holds a key, which must not leave this machine",
    ]
