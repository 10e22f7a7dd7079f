"""Anthropic's SDK against a server on loopback: what is sent, how long it waits, and what only HTTP can do wrong."""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from loopback import Answer, Server, error, message, serving
from providing import QUICK, environ_of
from steps import GOOD, KEY, Step, ask, trouble

from review_gate.ports import NoReply, Reply, Usage
from review_gate.shell.process import Commands
from review_gate.shell.providers.anthropic_api import AnthropicApi
from review_gate.shell.providers.anthropic_wire import get_ready
from review_gate.shell.providers.deadline import Retries

LATE = 15.0


class Stage(NamedTuple):
    """The provider and the server that it talks to."""

    api: AnthropicApi
    server: Server


@contextlib.contextmanager
def stage(tmp_path: Path, *script: Step | Answer, retries: Retries = QUICK, **environ: str) -> Iterator[Stage]:
    get_ready()
    with serving(*script) as server:
        world = environ_of(tmp_path, **{"ANTHROPIC_BASE_URL": server.url, **environ})
        yield Stage(AnthropicApi(world, Commands(), model="claude-test-1", retries=retries), server)


def problem_of(api: AnthropicApi, seconds: float = 20.0) -> NoReply:
    said = api.ask(ask(seconds))
    assert isinstance(said, NoReply), said
    assert KEY not in repr(said)
    return said


def test_the_shared_part_comes_first_and_is_cached(tmp_path: Path) -> None:
    with stage(tmp_path, Step()) as (api, server):
        api.ask(ask(shared="SHARED", task="TASK"))
        (request,) = server.requests
    assert request.body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "SHARED", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "TASK"},
            ],
        }
    ]
    assert (request.body["model"], request.body["max_tokens"]) == ("claude-test-1", 1000)
    # Which of the two headers it is depends on the version of the SDK.
    assert KEY in request.headers.get("authorization", "") + request.headers.get("x-api-key", "")


def test_the_answer_is_asked_for_by_schema(tmp_path: Path) -> None:
    with stage(tmp_path, Step()) as (api, server):
        api.ask(ask())
        asked = server.requests[0].body["output_config"]["format"]
    assert asked["type"] == "json_schema"
    assert asked["schema"]["required"] == ["verdict", "lines", "note"]
    assert asked["schema"]["additionalProperties"] is False
    assert asked["schema"]["properties"]["verdict"]["enum"] == ["approve", "reject"]


def test_tokens_to_and_from_the_cache_are_part_of_the_input(tmp_path: Path) -> None:
    with stage(tmp_path, Step()) as (api, _):
        reply = api.ask(ask())
    assert isinstance(reply, Reply)
    assert reply.usage == Usage(input_tokens=17, cached_tokens=4, output_tokens=5)
    assert (reply.model, reply.usd) == ("claude-test-1-20260101", None)


FAR = "Thu, 31 Dec 2099 23:59:59 GMT"


def test_a_wait_that_fits_is_obeyed(tmp_path: Path) -> None:
    with stage(tmp_path, error(429, "slow down", retry_after="1"), Step()) as (api, _):
        started = time.monotonic()
        reply = api.ask(ask())
        assert (reply.attempts, isinstance(reply, Reply)) == (2, True)
        assert time.monotonic() - started >= 1.0


@pytest.mark.parametrize(("header", "seconds"), [("30", "30"), (FAR, "")])
def test_a_wait_that_does_not_fit_ends_the_question_at_once(tmp_path: Path, header: str, seconds: str) -> None:
    with stage(tmp_path, error(429, "slow down", retry_after=header), Step()) as (api, server):
        started = time.monotonic()
        problem = problem_of(api)
        assert time.monotonic() - started < LATE
        assert (problem.kind, problem.attempts, len(server.requests)) == ("quota", 1, 1)
    assert "the service answered with status 429: slow down; it asks to wait " in problem.why
    assert f"{seconds} seconds, and " in problem.why


@pytest.mark.parametrize("header", ["soon", ""])
def test_a_wait_that_makes_no_sense_is_ours_to_choose(tmp_path: Path, header: str) -> None:
    answer = error(529, "overloaded")._replace(headers={"retry-after": header})
    with stage(tmp_path, answer, Step()) as (api, _):
        assert isinstance(api.ask(ask()), Reply)


def test_retries_end_with_the_deadline(tmp_path: Path) -> None:
    patient = Retries(tries=1000, first_wait=0.1, longest_wait=0.1)
    with stage(tmp_path, trouble("overloaded"), retries=patient) as (api, server):
        started = time.monotonic()
        problem = problem_of(api, seconds=0.6)
        assert time.monotonic() - started < LATE
        assert problem.kind in ("overloaded", "timeout")
        # The last try may have ended before it reached the server.
        assert 1 < problem.attempts <= len(server.requests) + 1


def test_a_redirect_is_not_followed_with_the_key(tmp_path: Path) -> None:
    with (
        serving(Step()) as other,
        stage(tmp_path, Answer(307, b"", {"location": f"{other.url}/v1/messages"})) as (api, _),
    ):
        problem = problem_of(api)
        assert (problem.kind, other.requests) == ("unreachable", [])


def test_an_error_with_a_flood_behind_it_is_read_no_further(tmp_path: Path) -> None:
    with stage(tmp_path, Answer(400, b"x" * 50_000_000, {"content-type": "text/plain"})) as (api, _):
        problem = problem_of(api)
    assert (problem.kind, problem.why, len(problem.raw)) == ("refused", "the service answered with status 400", 20_000)


def test_an_encoding_that_nobody_asked_for_is_not_decoded(tmp_path: Path) -> None:
    with stage(tmp_path, Answer(200, b"\x1f\x8b", {"content-encoding": "gzip"})) as (api, server):
        assert problem_of(api).kind == "malformed"
        assert server.requests[0].headers["accept-encoding"] == "identity"


ODD_MESSAGES = {
    "a tool call": message(GOOD, stop="tool_use"),
    "no reason": message(GOOD, stop=None),
    "only thoughts": message("", content=[{"type": "thinking", "thinking": GOOD, "signature": "x"}]),
}


@pytest.mark.parametrize("answer", ODD_MESSAGES.values(), ids=ODD_MESSAGES)
def test_a_message_without_a_whole_answer_is_no_vote(tmp_path: Path, answer: Answer) -> None:
    with stage(tmp_path, answer) as (api, _):
        problem = problem_of(api)
    assert (problem.kind, problem.attempts) == ("malformed", 2)


ODD_BODIES = {
    "no JSON": b"{",
    "duplicate keys": b'{"model": "a", "model": "b"}',
    "wrong types": message(GOOD, usage={"input_tokens": "many"}).body,
    "an error with status 200": error(200, "no").body,
}


@pytest.mark.parametrize("body", ODD_BODIES.values(), ids=ODD_BODIES)
def test_a_body_that_is_no_message_is_no_vote(tmp_path: Path, body: bytes) -> None:
    with stage(tmp_path, Answer(200, body, {})) as (api, _):
        problem = problem_of(api)
    assert (problem.kind, problem.why) == ("malformed", "the service sent no message but application/json")


def test_a_service_that_is_not_there_is_unreachable(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with stage(tmp_path, Step(), ANTHROPIC_BASE_URL=url) as (api, _):
            problem = problem_of(api)
    assert (problem.kind, problem.attempts) == ("unreachable", QUICK.tries)
    assert problem.why.startswith("the service cannot be reached: ConnectError: ")


def test_a_connection_that_breaks_is_unreachable(tmp_path: Path) -> None:
    broken = Answer(200, b"{", {"content-length": "99", "connection": "close"})
    with stage(tmp_path, broken) as (api, _):
        assert problem_of(api, seconds=3.0).kind == "unreachable"


def test_a_name_server_that_never_answers_does_not_hold_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait() and [])
    with stage(tmp_path, Step(), ANTHROPIC_BASE_URL="http://some.where.invalid") as (api, _):
        started = time.monotonic()
        assert problem_of(api, seconds=0.4).kind == "timeout"
        assert time.monotonic() - started < LATE
    over.set()


NO_KEYS = {"": "ANTHROPIC_API_KEY is not set"} | dict.fromkeys(
    ["a key\n", "schlüssel"], "the key in the environment has characters that no key has"
)


@pytest.mark.parametrize(("key", "why"), NO_KEYS.items())
def test_without_a_key_nobody_is_asked(tmp_path: Path, key: str, why: str) -> None:
    with stage(tmp_path, Step(), ANTHROPIC_API_KEY=key) as (api, server):
        problem = problem_of(api)
        assert problem == api.unusable()
        assert (problem.kind, problem.why, problem.attempts, server.requests) == ("no_key", why, 0, [])
    assert problem.next_step == "set ANTHROPIC_API_KEY in the environment, or choose another provider"


def test_a_token_of_the_environment_does_as_well(tmp_path: Path) -> None:
    with stage(tmp_path, Step(), ANTHROPIC_API_KEY="", ANTHROPIC_AUTH_TOKEN="token-123456") as (api, server):
        assert isinstance(api.ask(ask()), Reply)
        assert server.requests[0].headers["authorization"] == "Bearer token-123456"


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from review_gate.shell.providers import anthropic_api

    monkeypatch.setattr(anthropic_api, "PACKAGE", "no_such_package_anywhere")
    with stage(tmp_path, Step()) as (api, _):
        problem = problem_of(api)
    assert (problem.kind, problem.next_step) == ("not_installed", "pip install 'review-gate[anthropic]'")


def test_the_package_is_imported_by_nobody_who_does_not_ask() -> None:
    code = (
        "import sys; from review_gate.shell.providers.anthropic_api import AnthropicApi\n"
        "from review_gate.shell.process import Commands\n"
        "assert AnthropicApi({}, Commands(), model='m').unusable().kind == 'no_key'\n"
        "sys.exit('anthropic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def open_things() -> tuple[int, int]:
    return len(os.listdir("/proc/self/fd")), threading.active_count()


def more_than(before: tuple[int, int]) -> bool:
    return any(now > then for now, then in zip(open_things(), before, strict=True))


def test_questions_leave_nothing_open(tmp_path: Path) -> None:
    get_ready()
    before = open_things()
    with stage(tmp_path, Step(), error(400, "no"), trouble("hang_midway")) as (api, _):
        for _ in range(3):
            api.ask(ask(seconds=0.4))
        gc.collect()
    end = time.monotonic() + LATE
    # The server closes its end of a connection when it has seen that ours is closed.
    while more_than(before) and time.monotonic() < end:
        time.sleep(0.01)
    assert not more_than(before)


def test_questions_asked_together_are_answered_together(tmp_path: Path) -> None:
    with stage(tmp_path, Step()) as (api, server):
        said: list[Reply | NoReply] = []
        workers = [threading.Thread(target=lambda: said.append(api.ask(ask()))) for _ in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(LATE)
        assert [type(one) for one in said] == [Reply] * 6
        assert len(server.requests) == 6
