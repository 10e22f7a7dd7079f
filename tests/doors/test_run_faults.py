"""The API in a run with all the faults that a network and a service have: no vote, a reason, an end in time."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from io import BufferedIOBase
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from faulting import CODE, assert_sound, review
from modelling import Asked, Misbehaviour, Raw, found, message, model, nothing_found, problem

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


def test_a_host_that_speaks_no_tls_is_no_vote(changed: Repo) -> None:
    with model() as server:
        url = server.environ["ANTHROPIC_BASE_URL"].replace("http:", "https:")
        told = review(changed, server, ANTHROPIC_BASE_URL=url)
    assert told.short == NO_VOTE
    assert told.detail.startswith("unreachable: the service cannot be reached: ")


def test_a_name_that_nobody_knows_is_no_vote(changed: Repo, tmp_path: Path) -> None:
    code = "import socket\ndef unknown(*_, **__):\n    raise socket.gaierror(-2, 'Name or service not known')\n"
    (tmp_path / "no_dns").mkdir()
    (tmp_path / "no_dns/sitecustomize.py").write_text(f"{code}socket.getaddrinfo = unknown\n")
    with model() as server:
        environ = {"PYTHONPATH": str(tmp_path / "no_dns"), "ANTHROPIC_BASE_URL": "http://nobody.invalid"}
        told = review(changed, server, **environ)
    assert told.short == NO_VOTE
    assert "Name or service not known" in told.detail


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted_is_no_vote(changed: Repo, status: int) -> None:
    with model(lambda _: status) as server:
        told = review(changed, server)
    assert told.short == NO_VOTE
    assert told.detail == (
        f"not logged in: the service answered with status {status}: no "
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


@pytest.mark.parametrize("wait", ["1", "soon", "-5", "Wed, 01 Jan 2020 00:00:00 GMT"])
def test_a_wait_that_fits_or_makes_no_sense_is_got_over(changed: Repo, wait: str) -> None:
    with model(after(problem(429, "slow down", retry_after=wait))) as server:
        assert review(changed, server).short == VOTE


LONG_WAITS = ["30", "86400", "4294967", "Thu, 31 Dec 2099 23:59:59 GMT"]


@pytest.mark.parametrize("wait", LONG_WAITS)
def test_a_wait_that_does_not_fit_ends_the_question_at_once(changed: Repo, wait: str) -> None:
    with model(after(problem(429, "slow down", retry_after=wait))) as server:
        told = review(changed, server, REVIEW_GATE_MODELS__ANSWER_SECONDS="20")
    assert told.short == NO_VOTE
    assert told.detail.startswith("quota: the service answered with status 429: slow down; it asks to wait ")


def test_only_the_answer_after_three_overloads_is_a_vote(changed: Repo) -> None:
    busy = problem(529, "overloaded")
    with model(after(busy, busy, busy)) as server:
        told = review(changed, server)
    assert (told.short, len(server.asked)) == (VOTE, 8)


def test_an_overload_that_does_not_pass_is_no_vote(changed: Repo) -> None:
    with model(lambda _: 529) as server:
        told = review(changed, server)
    assert (told.short, len(server.asked)) == (NO_VOTE, 8)
    assert told.detail.startswith("overloaded: the service answered with status 529: no (")


# No end.


def begin(out: BufferedIOBase, length: int) -> None:
    out.write(f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n".encode())


def hang(out: BufferedIOBase, over: threading.Event) -> None:
    over.wait()


def hang_after_headers(out: BufferedIOBase, over: threading.Event) -> None:
    begin(out, 1000)
    out.write(b'{"id": ')
    over.wait()


def drip_headers(out: BufferedIOBase, over: threading.Event) -> None:
    drip(out, over, b"HTTP/1.1 200 OK\r\nx-slow: ")


def drip_body(out: BufferedIOBase, over: threading.Event) -> None:
    begin(out, 1_000_000)
    drip(out, over, b"")


def drip(out: BufferedIOBase, over: threading.Event, start: bytes) -> None:
    """No byte is ever late, and the whole never comes."""
    for number in count():
        out.write(start[number : number + 1] or b" ")
        if over.wait(0.02):
            return


ENDLESS: list[Misbehaviour] = [hang, hang_after_headers, drip_headers, drip_body]


@pytest.mark.parametrize("fault", ENDLESS, ids=lambda fault: str(fault.__name__))
@pytest.mark.parametrize("limit", ["ANSWER_SECONDS", "MAX_SECONDS"])
def test_an_answer_that_never_ends_is_given_up(changed: Repo, fault: Misbehaviour, limit: str) -> None:
    use = "required" if limit == "ANSWER_SECONDS" else "auto"
    with model(lambda _: fault) as server:
        told = review(changed, server, use=use, **{f"REVIEW_GATE_MODELS__{limit}": "1.5"})
    assert told.short == NO_VOTE
    assert told.detail.startswith("timeout: the service gave no answer within 1") or "max_seconds" in told.detail


# Answers that are none.


def text(words: str) -> Callable[[Asked], str]:
    """A text around or instead of a passing answer."""
    return lambda asked: words.replace("{}", json.dumps(nothing_found(asked)))


def ended(reason: str | None, **changes: Any) -> Callable[[Asked], Raw]:
    """A passing answer whose message says that it is not whole."""
    return lambda asked: message(json.dumps(nothing_found(asked)), stop_reason=reason, **changes)


def page(_: Asked) -> Raw:
    """What a proxy says to everybody."""
    return Raw(200, b"<!DOCTYPE html><html>Please sign in</html>", {"content-type": "text/html"})


NO_ANSWERS: dict[str, tuple[Callable[[Asked], Raw | str], str]] = {
    "a login page": (page, "malformed: the service sent no message but text/html"),
    "an empty body": (lambda _: Raw(200, b""), "malformed: the service sent no message but application/json"),
    "an empty text": (text(""), "malformed: the answer is empty"),
    "only words": (text("LGTM, approve"), "malformed: the answer holds no JSON"),
    "prose around": (text("Sure! {} is it"), "malformed: the answer has words around its JSON"),
    "two objects": (text("{}\n{}"), "malformed: the answer is not one JSON object"),
    "two fences": (text("```json\n{}\n```\n```json\n{}\n```"), "malformed: the answer does not have exactly one"),
    "the same key twice": (text('{"findings": [], "findings": []}'), "malformed: the answer is not one JSON object"),
    "another shape": (text('{"verdict": "pass"}'), "malformed: the answer has the wrong shape"),
    "a verdict beside it": (
        lambda asked: json.dumps({**nothing_found(asked), "verdict": "pass"}),
        "malformed: the answer has the wrong shape: verdict",
    ),
    "a refusal": (ended("refusal"), "refused: the model refused to answer"),
    "too many tokens": (ended("max_tokens"), "truncated: the answer reached the limit"),
    "too much context": (ended("model_context_window_exceeded"), "truncated: question and answer together"),
    "a pause": (ended("pause_turn"), "malformed: the message ended with pause_turn"),
    "no reason": (ended(None), "malformed: the message ended with no reason"),
    "no content": (ended("end_turn", content=[]), "malformed: the answer is empty"),
}


@pytest.mark.parametrize(("says", "why"), NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_what_is_no_whole_answer_is_no_vote(changed: Repo, says: Callable[[Asked], Raw | str], why: str) -> None:
    with model(says) as server:
        told = review(changed, server)
    assert (told.short, told.detail[: len(why)]) == (NO_VOTE, why)


def test_one_fenced_block_is_an_answer(changed: Repo) -> None:
    with model(text("Here it is:\n```json\n{}\n```\n")) as server:
        assert review(changed, server).short == VOTE


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


def endless(out: BufferedIOBase, over: threading.Event) -> None:
    out.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    while not over.is_set():
        out.write(b" " * 1_000_000)


@pytest.mark.parametrize("fault", [flood, endless], ids=lambda fault: str(fault.__name__))
def test_a_flood_is_cut_off(changed: Repo, fault: Misbehaviour) -> None:
    with model(lambda _: fault) as server:
        told = review(changed, server)
    assert told.short == NO_VOTE
    assert told.detail.startswith("malformed: the service sent more than 8,000,000 bytes")


ESCAPES = "\x1b[31mred\x1b]0;title\x07\r\x08\x9b2J\u202e"


@pytest.mark.parametrize("form", ["text", "markdown", "github", "junit", "sarif", "html"])
def test_escapes_in_an_answer_reach_no_terminal(changed: Repo, form: str) -> None:
    odd = {"message": f"m {ESCAPES}", "quote": f"q {ESCAPES}", "recommendation": f"r {ESCAPES}"}
    with model(lambda asked: found(asked, **odd)) as server:
        options = ("run", "--base", "HEAD~1", "--yes", "--loops", "2", "--format", form)
        result = changed.gate(*options, **server.environ)
    assert result.returncode == 1
    assert_sound(result)


def test_escapes_in_a_complaint_reach_no_terminal(changed: Repo) -> None:
    with model(lambda _: problem(400, f"no {ESCAPES}")) as server:
        told = review(changed, server)
        assert_sound(changed.gate("run", "--base", "HEAD~1", "--yes", "--loops", "2", **server.environ))
    assert told.short == NO_VOTE
    assert told.detail.startswith("refused: the service answered with status 400: no red")


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
