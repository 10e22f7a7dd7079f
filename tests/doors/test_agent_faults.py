"""Whatever breaks: what has to be guarded is refused with a word, and everything else goes on with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from deciding import Session, at_work, session_in, shared

from review_gate.registration.agents import CLAUDE, PROGRAM, command_of


@pytest.fixture
def session(repo: Repo) -> Session:
    return Session(repo)


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """One in which a push is refused, for all tests that only ask."""
    return at_work(shared(tmp_path_factory.mktemp("refused"), templates))


def event(repo: Repo, name: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": session_in(repo), "cwd": str(repo.path), "hook_event_name": name, **fields}


def push(repo: Repo, **fields: Any) -> dict[str, Any]:
    return event(repo, "PreToolUse", **{"tool_name": "Bash", "tool_input": {"command": "git push"}, **fields})


OPEN = {
    "a prompt": ("claude", '{"hook_event_name": "UserPromptSubmit", "prompt": "do'),
    "a stop": ("codex", '{"hook_event_name": "Stop", '),
    "a start": ("gemini", '{"hook_event_name":"SessionStart"'),
    "the end of a turn": ("gemini", '{"hook_event_name":"AfterAgent"'),
    "a stop of Cursor": ("cursor", '{"hook_event_name":"stop"'),
    "a stop of Copilot CLI": ("copilot", "{", "agentStop"),
}


@pytest.mark.parametrize("told", OPEN.values(), ids=OPEN)
def test_what_cannot_be_read_goes_on_where_it_is_open_and_the_user_is_told(repo: Repo, told: tuple[str, ...]) -> None:
    agent, payload, *words = told
    done = Session(repo, agent).send(payload, *words)
    assert done.returncode == 0
    notice = "review-gate: the session goes on: the event cannot be read: "
    said = json.loads(done.stdout) if done.stdout else {}
    assert (said.get("systemMessage") or done.stderr).startswith(notice)


@pytest.mark.parametrize("event_name", ["preToolUse", "someEventOfTomorrow"])
def test_what_copilot_calls_us_for_decides_and_not_what_a_broken_payload_holds(repo: Repo, event_name: str) -> None:
    done = Session(repo, "copilot").send('{"toolName": "agentStop", ', event_name)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_command_that_was_not_sent_is_refused(session: Session) -> None:
    odd: tuple[object, ...] = ({}, {"command": 7}, {"command": []}, None)
    for given in odd:
        said = session.answered("PreToolUse", tool_name="Bash", tool_input=given)["hookSpecificOutput"]
        assert said["permissionDecision"] == "deny"
        assert said["permissionDecisionReason"].startswith("blocked: the command was not sent along")


def test_an_unknown_event_is_none_of_our_business(session: Session) -> None:
    done = session.send(push(session.repo) | {"hook_event_name": "PostToolUse"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_event_that_does_not_say_what_it_is_may_be_a_tool(session: Session) -> None:
    payload = push(session.repo)
    del payload["hook_event_name"]
    done = session.send(payload)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "blocked: review-gate could not judge this: the event does not say what it is\n  next:  review-gate doctor\n"
    )


def test_an_unknown_agent_is_told_with_those_that_are_known(repo: Repo) -> None:
    done = repo.run("review-gate", "hook", "eliza", stdin="{}")
    assert done.returncode == 2
    assert done.stderr == (
        "error: there is no hook eliza\n"
        "  why:   review-gate has pre-commit, commit-msg, pre-push, reference-transaction, claude, codex, gemini, "
        "cursor, copilot\n"
        "  next:  review-gate hook pre-push\n"
    )


def broken_settings(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "limits: [\n")


def test_settings_that_cannot_be_read_block_ship(session: Session) -> None:
    broken_settings(session.repo)
    said = session.answered("UserPromptSubmit", prompt="/ship")
    assert said["decision"] == "block"
    assert said["reason"].startswith("blocked: review-gate could not judge this: .review-gate.yaml:")


def test_ship_that_cannot_even_be_answered_is_refused_by_the_registered_command(session: Session) -> None:
    payload = json.dumps(event(session.repo, "UserPromptSubmit", prompt="/ship"))
    command = command_of(CLAUDE, CLAUDE.hooks[0], PROGRAM)
    done = session.repo.run("sh", "-c", f"exec >&-; {command}", stdin=payload)
    assert done.returncode == 2
    assert done.stderr.startswith("blocked: review-gate could not judge this: ")


def test_settings_that_cannot_be_read_let_a_prompt_and_a_stop_through(session: Session) -> None:
    broken_settings(session.repo)
    assert session.context("do it") == ""
    assert session.stop() == ("", "")


def test_a_full_disk_behind_standard_output_refuses(refused: Session) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has a disk that is always full")
    done = refused.repo.run("sh", "-c", "review-gate hook claude >/dev/full", stdin=json.dumps(push(refused.repo)))
    assert done.returncode == 2
    assert done.stderr.startswith("blocked: review-gate could not judge this: ")


def test_a_prompt_that_cannot_be_kept_goes_on(session: Session, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder belongs")
    payload = event(session.repo, "UserPromptSubmit", prompt="do it !!!")
    done = session.send(payload, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 0
    assert json.loads(done.stdout)["systemMessage"].startswith("review-gate: the prompt goes on as it is: ")


def test_a_reviewer_of_ours_starts_no_review(refused: Session) -> None:
    payload = event(refused.repo, "UserPromptSubmit", prompt="do it !!!")
    assert refused.send(payload, REVIEW_GATE_REVIEWING="1").stdout == ""
    assert refused.send(push(refused.repo), REVIEW_GATE_REVIEWING="1").stdout != ""
