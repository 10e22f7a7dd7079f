"""One suite that every provider has to pass, the fake included."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from providing import NAMES, calls_of, staged
from running import wait_until_gone
from steps import GOOD, KEY, Step, Trouble, Verdict, ask, trouble

from review_gate.ports import ModelProvider, NoReply, Question, Reply, Usage

FENCED = f"Here it is:\n\n```json\n{GOOD}\n```\nGood luck!"
# A deadline that a test waits for, and one by which all is over even on a busy machine.
SOON = 0.4
LATE = 15.0
pytestmark = pytest.mark.parametrize("name", NAMES)


def answer(provider: ModelProvider, question: Question | None = None) -> Reply:
    reply = provider.ask(question or ask())
    assert isinstance(reply, Reply), reply
    return reply


def failure(provider: ModelProvider, question: Question | None = None) -> NoReply:
    """Why there is no answer, in words that can be shown."""
    problem = provider.ask(question or ask())
    assert isinstance(problem, NoReply), problem
    assert problem.why.isprintable()
    assert 0 < len(problem.why) <= 500
    assert problem.next_step
    assert KEY not in repr(problem)
    return problem


def test_an_answer_has_the_shape_that_was_asked_for(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, Step(GOOD)) as stage:
        assert stage.provider.unusable() is None
        reply = answer(stage.provider)
    assert reply.data == Verdict(verdict="approve", lines=(3, 5), note="grüße")
    assert Verdict.model_validate_json(reply.raw) == reply.data
    assert (reply.attempts, reply.model != "") == (1, True)
    assert reply.usage.input_tokens >= 10
    assert reply.usage.output_tokens == 5


def test_it_says_who_it_is(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, Step()) as stage:
        provider = stage.provider
        assert provider.name == name
        assert provider.family == {"codex": "openai", "gemini": "google"}.get(name, "anthropic")
        assert provider.model
        assert KEY not in repr(provider) + str(provider)


def test_a_fenced_answer_is_one_too(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, Step(FENCED), tries=1) as stage:
        if name == "claude":
            # It has a field for the answer: what is not there was not given.
            assert failure(stage.provider).why == "claude: the model gave no structured answer"
        else:
            assert answer(stage.provider).data == Verdict(verdict="approve", lines=(3, 5), note="grüße")


# What there is beside these is in tests/shell/test_answers.py.
MALFORMED = {
    "prose around": f"I think {GOOD} is right",
    "empty": "",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_anything_else_is_no_vote(name: str, tmp_path: Path, text: str) -> None:
    with staged(name, tmp_path, Step(text), tries=1) as stage:
        assert failure(stage.provider).kind == "malformed"


def test_a_wrong_shape_is_named_by_its_path_and_asked_for_once_more(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, Step('{"verdict": "approve", "lines": [1, "2"], "note": ""}')) as stage:
        problem = failure(stage.provider)
        assert (problem.kind, problem.attempts, stage.times_asked()) == ("malformed", 2, 2)
    assert "the answer has the wrong shape: lines.1: " in problem.why
    assert problem.usage.output_tokens == 10


def test_a_model_may_do_better_the_second_time(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, Step("LGTM"), Step(GOOD)) as stage:
        reply = answer(stage.provider)
    assert (reply.attempts, reply.usage.output_tokens) == (2, 10)


@pytest.mark.parametrize("step", [trouble("overloaded"), Step("LGTM")], ids=["overloaded", "malformed"])
def test_nobody_is_asked_again_against_an_objection(name: str, tmp_path: Path, step: Step) -> None:
    told: list[NoReply] = []

    def objection(said: NoReply) -> str:
        told.append(said)
        return "" if len(told) == 1 else "it would cost too much"

    with staged(name, tmp_path, step) as stage:
        problem = failure(stage.provider, replace(ask(), objection=objection))
        assert (problem.attempts, stage.times_asked()) == (2, 2)
    if step.trouble:
        assert problem.why.endswith("; not asked again: it would cost too much")
    assert [said.attempts for said in told] == ([1, 2] if step.trouble else [1])


def test_an_overload_passes(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, trouble("overloaded"), trouble("overloaded"), Step(GOOD)) as stage:
        assert answer(stage.provider).attempts == 3


ONCE = {
    "a key that is not accepted": (trouble("unauthorized"), "not_logged_in"),
    "a refusal": (Step(GOOD, ending="refusal"), "refused"),
    "a truncated answer": (Step(GOOD, ending="max_tokens"), "truncated"),
}


@pytest.mark.parametrize(("step", "kind"), ONCE.values(), ids=ONCE)
def test_what_cannot_pass_is_asked_once(name: str, tmp_path: Path, step: Step, kind: str) -> None:
    with staged(name, tmp_path, step, Step(GOOD)) as stage:
        problem = failure(stage.provider)
        assert (problem.kind, problem.attempts, stage.times_asked()) == (kind, 1, 1)


@pytest.mark.parametrize("what", ["login_page", "nothing", "flood"])
def test_an_output_of_another_kind_is_no_vote(name: str, tmp_path: Path, what: Trouble) -> None:
    with staged(name, tmp_path, trouble(what)) as stage:
        problem = failure(stage.provider)
    assert problem.kind == "malformed"
    assert len(problem.raw) <= 20_000
    assert (" more than " in problem.why) == (what == "flood")


@pytest.mark.parametrize("what", ["hang", "hang_midway", "drip"])
def test_the_deadline_holds_whatever_the_other_side_does(name: str, tmp_path: Path, what: Trouble) -> None:
    threads = set(threading.enumerate())
    with staged(name, tmp_path, trouble(what)) as stage:
        started = time.monotonic()
        problem = failure(stage.provider, ask(seconds=SOON))
        assert time.monotonic() - started < LATE
        assert (problem.kind, problem.attempts) == ("timeout", 1)
        assert wait_until_gone(*(call["pid"] for call in calls_of(tmp_path))) == []
    # The server's own threads end with it, ours have to have ended before.
    assert [one for one in set(threading.enumerate()) - threads if not one.daemon] == []


def test_a_key_is_in_no_message(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, trouble("tell_key")) as stage:
        problem = failure(stage.provider)
    assert KEY not in problem.model_dump_json()


def test_a_reviewer_starts_no_reviewers(name: str, tmp_path: Path) -> None:
    with staged(name, tmp_path, Step(), REVIEW_GATE_REVIEWING="1") as stage:
        problem = failure(stage.provider)
        assert problem == stage.provider.unusable()
        assert (problem.kind, problem.attempts, problem.usage, stage.times_asked()) == ("refused", 0, Usage(), 0)


def test_an_interrupt_of_the_run_ends_the_question(name: str, tmp_path: Path) -> None:
    if name == "scripted":
        pytest.skip("the fake never waits")
    said: list[NoReply] = []
    with staged(name, tmp_path, trouble("hang")) as stage:
        worker = threading.Thread(target=lambda: said.append(failure(stage.provider)))
        worker.start()
        while not stage.times_asked():
            time.sleep(0.01)
        stage.commands.end_all()
        worker.join(LATE)
        assert [problem.kind for problem in said] == ["crashed"]
