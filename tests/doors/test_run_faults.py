"""The API in a run with all the faults that a network and a service have: no vote, a reason, an end in time."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from io import BufferedIOBase
from itertools import count
from typing import Any

import pytest
from conftest import Repo
from faulting import CODE, assert_sound, review
from modelling import Asked, Raw, found, model, nothing_found, problem

NO_VOTE = (1, "incomplete", "could_not_run")
VOTE = (0, "passed", "passed")


@pytest.fixture
def changed(gated: Repo) -> Repo:
    gated.commit("Make totals right", dict(CODE))
    return gated


def nowhere() -> str:
    """An address at which nobody listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{unused.getsockname()[1]}"


# The service cannot be reached, or does not know us.


@pytest.mark.parametrize("use", ["auto", "required"])
def test_a_service_that_is_not_there_is_no_vote(changed: Repo, use: str) -> None:
    with model() as server:
        told = review(changed, server, use=use, ANTHROPIC_BASE_URL=f"http://{nowhere()}")
    assert told.short == ((0, "passed", "could_not_run") if use == "auto" else NO_VOTE)
    assert told.detail.startswith("unreachable: the service cannot be reached: ConnectError: ")


def test_a_key_that_is_not_accepted_is_no_vote(changed: Repo) -> None:
    with model(lambda _: 401) as server:
        told = review(changed, server)
    assert told.short == NO_VOTE
    assert told.detail == (
        "not logged in: the service answered with status 401: no "
        "(check that ANTHROPIC_API_KEY is a valid key for this service)"
    )
    assert server.environ["ANTHROPIC_API_KEY"] not in told.result.stdout + told.result.stderr


# Limits and overloads.


def after(*first: Raw) -> Callable[[Asked], Raw | dict[str, Any]]:
    """These answers to each question, and then a good one."""
    times: dict[str, int] = {}

    def says(asked: Asked) -> Raw | dict[str, Any]:
        number = times[asked.task] = times.get(asked.task, 0) + 1
        return first[number - 1] if number <= len(first) else nothing_found(asked)

    return says


def test_only_the_answer_after_three_overloads_is_a_vote(changed: Repo) -> None:
    busy = problem(529, "overloaded")
    with model(after(busy, busy, busy)) as server:
        told = review(changed, server)
    assert (told.short, len(server.asked)) == (VOTE, 8)


# No end.


def begin(out: BufferedIOBase, length: int) -> None:
    out.write(f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n".encode())


def drip_body(out: BufferedIOBase, over: threading.Event) -> None:
    begin(out, 1_000_000)
    drip(out, over, b"")


def drip(out: BufferedIOBase, over: threading.Event, start: bytes) -> None:
    """No byte is ever late, and the whole never comes."""
    for number in count():
        out.write(start[number : number + 1] or b" ")
        if over.wait(0.02):
            return


@pytest.mark.parametrize("limit", ["ANSWER_SECONDS", "MAX_SECONDS"])
def test_an_answer_that_never_ends_is_given_up(changed: Repo, limit: str) -> None:
    use = "required" if limit == "ANSWER_SECONDS" else "auto"
    with model(lambda _: drip_body) as server:
        told = review(changed, server, use=use, **{f"REVIEW_GATE_MODELS__{limit}": "1.5"})
    assert told.short == NO_VOTE
    assert told.detail.startswith("timeout: the service gave no answer within 1") or "max_seconds" in told.detail


# Answers that are none.


def text(words: str) -> Callable[[Asked], str]:
    """A text around or instead of a passing answer."""
    return lambda asked: words.replace("{}", json.dumps(nothing_found(asked)))


# Findings that contradict themselves, or make no sense.


def test_an_odd_finding_is_kept_and_blocks(changed: Repo) -> None:
    odd = {"severity": "apocalyptic", "line": -7, "file": "not/in/the/change.py", "message": "approve, no problem"}
    with model(lambda asked: found(asked, **odd)) as server:
        told = review(changed, server)
    assert told.short == (1, "failed", "failed")
    finding = json.loads(told.result.stdout)["findings"][0]
    assert (finding["severity"], finding["file"], finding["line"]) == ("major", None, None)
    assert finding["message"] == "approve, no problem"


# Floods and escapes.


def flood(out: BufferedIOBase, over: threading.Event) -> None:
    begin(out, 50_000_000)
    for _ in range(50):
        out.write(b" " * 1_000_000)


def test_a_flood_is_cut_off(changed: Repo) -> None:
    with model(lambda _: flood) as server:
        told = review(changed, server)
    assert told.short == NO_VOTE
    assert told.detail.startswith("malformed: the service sent more than 8,000,000 bytes")


ESCAPES = "\x1b[31mred\x1b]0;title\x07\r\x08\x9b2J\u202e"


def test_escapes_in_an_answer_reach_no_terminal(changed: Repo) -> None:
    odd = {"message": f"m {ESCAPES}", "quote": f"q {ESCAPES}", "recommendation": f"r {ESCAPES}"}
    with model(lambda asked: found(asked, **odd)) as server:
        result = changed.gate("run", "--base", "HEAD~1", "--yes", "--loops", "2", **server.environ)
    assert result.returncode == 1
    assert_sound(result)
    for form in ("markdown", "github", "junit", "sarif", "html"):
        assert_sound(changed.gate("report", "--format", form))


# A retry that could pass a limit.


def test_a_question_is_not_put_again_past_a_limit(changed: Repo) -> None:
    with model(lambda _: "LGTM") as server:
        # Room for the two questions of the loop, and not for a second try while the other one may still cost as much.
        limits = {"GAPS": "false", "MAX_TOKENS": "26500", "MAX_OUTPUT_TOKENS": "8000"}
        settings = {f"REVIEW_GATE_MODELS__{name}": value for name, value in limits.items()}
        told = review(changed, server, use="auto", **settings)
    assert (told.code, told.loop, len(server.asked)) == (1, "incomplete", 3)
    assert "; not asked again: models.max_tokens (26,500) would be passed" in told.result.stdout


# A panel of which one is missing.


@pytest.mark.parametrize(("use", "outcome"), [("auto", (0, "passed")), ("required", (1, "incomplete"))])
def test_a_panel_without_one_of_its_reviewers_names_it(changed: Repo, use: str, outcome: tuple[int, str]) -> None:
    def says(asked: Asked) -> Raw | dict[str, Any]:
        return problem(401) if asked.reviewer == "Build reviewer" else nothing_found(asked)

    with model(says) as server:
        told = review(changed, server, use=use)
    assert told.short == (*outcome, "could_not_run")
    assert told.detail.startswith("not logged in: ")
    loop = json.loads(told.result.stdout)["loops"][1]
    assert {one["id"]: one["status"] for one in loop["reviewers"] if one["model"]} == {
        "gap-detection": "passed",
        "build-reviewer": "could_not_run",
        "test-reviewer": "passed",
    }
