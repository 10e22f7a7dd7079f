"""The three programs: how they are called, and what only a process can do wrong."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from providing import PROGRAMS, calls_of, environ_of, program
from running import wait_until_gone, written_numbers
from steps import GOOD, KEY, Step, ask, trouble

from review_gate.ports import NoReply, Question, Reply, Usage
from review_gate.shell.process import Commands
from review_gate.shell.providers.claude_cli import ClaudeCli
from review_gate.shell.providers.codex_cli import CodexCli
from review_gate.shell.providers.program import ProgramProvider

LATE = 15.0
every_program = pytest.mark.parametrize("name", PROGRAMS)


def reply_of(provider: ProgramProvider, question: Question | None = None) -> Reply:
    reply = provider.ask(question or ask())
    assert isinstance(reply, Reply), reply
    return reply


def problem_of(provider: ProgramProvider) -> NoReply:
    problem = provider.ask(ask())
    assert isinstance(problem, NoReply), problem
    return problem


def only_call(tmp_path: Path) -> dict[str, Any]:
    (call,) = calls_of(tmp_path)
    return call


@every_program
def test_the_prompt_comes_on_standard_input_and_not_as_an_argument(name: str, tmp_path: Path) -> None:
    shared = "x" * 300_000 + "\n--dangerous $(touch x) `y`"
    reply_of(program(name, tmp_path, Step()), ask(shared=shared, task="TASK ü"))
    call = only_call(tmp_path)
    assert call["prompt"].startswith(f"{shared}\n\nTASK ü")
    assert not [one for one in call["arguments"] if "TASK" in one]


@every_program
def test_it_works_in_an_empty_folder_that_is_gone_afterwards(name: str, tmp_path: Path) -> None:
    reply_of(program(name, tmp_path, Step()))
    call = only_call(tmp_path)
    assert call["found"] == []
    assert not Path(call["folder"]).parent.exists()


@every_program
def test_its_environment_has_what_it_needs_and_nothing_of_git(name: str, tmp_path: Path) -> None:
    provider = program(name, tmp_path, Step(), GIT_DIR="/somewhere", GIT_INDEX_FILE="/x", SOME_SETTING="kept")
    reply_of(provider)
    environ = only_call(tmp_path)["environ"]
    assert [variable for variable in environ if variable.startswith("GIT_")] == []
    assert (environ["REVIEW_GATE_REVIEWING"], environ["SOME_SETTING"]) == ("1", "kept")
    assert (environ["HOME"], environ["ANTHROPIC_API_KEY"]) == (os.environ["HOME"], KEY)
    if name == "claude":
        assert (environ["CLAUDE_CODE_MAX_RETRIES"], environ["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]) == ("1", "1000")


@every_program
def test_the_shape_of_the_answer_is_asked_for(name: str, tmp_path: Path) -> None:
    reply_of(program(name, tmp_path, Step()))
    call = only_call(tmp_path)
    asked = call["prompt"].partition("any other text:\n")[2] if name == "gemini" else call["schema"]
    schema = json.loads(asked)
    assert (schema["required"], schema["additionalProperties"]) == (["verdict", "lines", "note"], False)


@every_program
def test_tokens_are_counted_in_one_way(name: str, tmp_path: Path) -> None:
    reply = reply_of(program(name, tmp_path, Step()))
    assert reply.usage == Usage(input_tokens=17, cached_tokens=4, output_tokens=5)
    assert (reply.model, reply.usd) == (("claude-test-1", 0.25) if name == "claude" else (f"{name}-test", None))


@every_program
def test_an_answer_before_a_failure_is_no_vote(name: str, tmp_path: Path) -> None:
    problem = problem_of(program(name, tmp_path, trouble("exit_3")))
    assert (problem.kind, problem.attempts) == ("crashed", 1)
    assert problem.why == f"{name} ended with code 3: no reason given"


@every_program
def test_an_answer_before_a_deadly_signal_is_no_vote(name: str, tmp_path: Path) -> None:
    problem = problem_of(program(name, tmp_path, trouble("killed")))
    assert (problem.kind, problem.why) == ("crashed", f"{name}: it was ended by signal 9")


@every_program
def test_a_daemon_in_its_group_ends_with_it(name: str, tmp_path: Path) -> None:
    started = time.monotonic()
    reply_of(program(name, tmp_path, trouble("daemon")))
    assert time.monotonic() - started < LATE
    assert wait_until_gone(*written_numbers(tmp_path / "bin/daemon", 1)) == []


@every_program
def test_a_daemon_that_cannot_be_ended_is_reported(name: str, tmp_path: Path) -> None:
    started = time.monotonic()
    problem = problem_of(program(name, tmp_path, trouble("far_daemon")))
    (daemon,) = written_numbers(tmp_path / "bin/daemon", 1)
    try:
        assert time.monotonic() - started < LATE
        assert problem.kind == "crashed"
        assert problem.why == f"{name}: it left a process behind that holds its output open"
    finally:
        os.kill(daemon, signal.SIGKILL)


@every_program
def test_a_program_that_is_not_there_is_not_installed(name: str, tmp_path: Path) -> None:
    nowhere = PROGRAMS[name](environ_of(tmp_path, PATH=str(tmp_path)), Commands(), model="m")
    problem = problem_of(nowhere)
    assert problem == nowhere.unusable()
    assert (problem.kind, problem.why, problem.attempts) == ("not_installed", f"{name} is not on PATH", 0)
    assert problem.next_step.startswith(f"install {name} (npm install -g ")


@every_program
def test_a_program_in_the_current_folder_is_not_taken(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = program(name, tmp_path, Step(), PATH=f".{os.pathsep}{os.pathsep}bin")
    monkeypatch.chdir(tmp_path / "bin")
    assert problem_of(provider).kind == "not_installed"


@every_program
def test_a_program_that_cannot_run_has_crashed(name: str, tmp_path: Path) -> None:
    provider = program(name, tmp_path, Step())
    (tmp_path / "bin" / name).write_text("\x7fELF but not really")
    problem = problem_of(provider)
    assert (problem.kind, problem.next_step) == ("crashed", f"run {name} by hand to see what is wrong with it")


def printing(tmp_path: Path, name: str, output: object, *, code: int = 0, errors: str = "") -> ProgramProvider:
    """A program that prints this whatever it is asked."""
    provider = program(name, tmp_path, Step())
    (tmp_path / "output").write_text(output if isinstance(output, str) else json.dumps(output))
    (tmp_path / "errors").write_text(errors)
    script = (
        f"#!/bin/sh\ncat > '{tmp_path}/prompt'; cat '{tmp_path}/output'; cat '{tmp_path}/errors' >&2; exit {code}\n"
    )
    (tmp_path / "bin" / name).write_text(script)
    return provider


CLAUDE = {"type": "result", "subtype": "success", "is_error": False, "result": GOOD, "usage": {}, "total_cost_usd": 0.5}
STRUCTURED = {"structured_output": json.loads(GOOD)}
# The shapes were recorded with 2.1.325.
CLAUDE_RESULTS: dict[str, tuple[dict[str, Any], int, str]] = {
    "words only": (CLAUDE, 0, "malformed"),
    "an error that calls itself a success": (
        CLAUDE | STRUCTURED | {"is_error": True, "api_error_status": 529},
        1,
        "overloaded",
    ),
    "an error with exit code 0": (CLAUDE | STRUCTURED | {"is_error": True}, 0, "crashed"),
    "five invalid tries": (
        {
            "is_error": True,
            "terminal_reason": "structured_output_retry_exhausted",
            "errors": ["Failed to provide valid structured output after 5 attempts"],
        },
        1,
        "malformed",
    ),
    "not logged in": ({"is_error": True, "result": "Not logged in · Please run /login"}, 1, "not_logged_in"),
    "limit of the plan": ({"is_error": True, "result": "You've hit your usage limit"}, 1, "quota"),
}


@pytest.mark.parametrize(("result", "code", "kind"), CLAUDE_RESULTS.values(), ids=CLAUDE_RESULTS)
def test_claude_is_judged_by_code_error_and_structure(
    tmp_path: Path, result: dict[str, Any], code: int, kind: str
) -> None:
    assert problem_of(printing(tmp_path, "claude", result, code=code)).kind == kind


def test_claude_tells_what_its_unusable_answers_cost(tmp_path: Path) -> None:
    assert problem_of(printing(tmp_path, "claude", CLAUDE)).usd == 1.0


@pytest.mark.parametrize("provider", [ClaudeCli, CodexCli])
def test_without_a_model_the_program_chooses(provider: type[ProgramProvider], tmp_path: Path) -> None:
    arguments = provider(environ_of(tmp_path), Commands()).arguments(ask(), str(tmp_path))
    assert not {"-m", "--model"} & set(arguments)


def events(*more: dict[str, Any]) -> str:
    return "".join(json.dumps(event) + "\n" for event in ({"type": "thread.started"}, *more))


FAILED = {"type": "turn.failed", "error": {"message": "exceeded retry limit, last status: 429 Too Many Requests"}}
CODEX_RUNS: dict[str, tuple[str, int, str]] = {
    "no message": (events({"type": "turn.completed", "usage": {}}), 0, "malformed"),
    "no end": (events({"type": "turn.started"}), 0, "malformed"),
    "failed with exit code 0": (events(FAILED), 0, "quota"),
    "only an error": (events({"type": "error", "message": "stream disconnected: network"}), 1, "unreachable"),
}


@pytest.mark.parametrize(("output", "code", "kind"), CODEX_RUNS.values(), ids=CODEX_RUNS)
def test_codex_is_judged_by_code_and_turn(tmp_path: Path, output: str, code: int, kind: str) -> None:
    assert problem_of(printing(tmp_path, "codex", output, code=code)).kind == kind


def test_an_error_that_codex_got_over_does_not_count(tmp_path: Path) -> None:
    provider = printing(
        tmp_path, "codex", events({"type": "error", "message": "Reconnecting"}, {"type": "turn.completed"})
    )
    script = (tmp_path / "bin/codex").read_text()
    # The argument behind -o is where the answer goes.
    writing = f"#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; printf '%s' '{GOOD}' > \"$2\"\n"
    (tmp_path / "bin/codex").write_text(script.replace("#!/bin/sh\n", writing))
    assert reply_of(provider).raw == GOOD


GEMINI_RUNS: dict[str, tuple[object, int, str, str]] = {
    "no auth": ("", 41, "Please set an Auth method", "not_logged_in"),
    "401": ("", 145, "x", "not_logged_in"),
    "429": ("", 173, "x", "quota"),
    "a code in the error": ("", 1, '{"error": {"type": "Error", "message": "x", "code": 503}}', "overloaded"),
    "a good answer beside an error": ({"response": GOOD, "error": {"message": "quota exceeded"}}, 0, "", "quota"),
    "no answer": ({"response": None}, 0, "", "malformed"),
    "words before the result": (f"Loaded.\n{json.dumps({'response': GOOD})}", 0, "", "malformed"),
}


@pytest.mark.parametrize(("output", "code", "errors", "kind"), GEMINI_RUNS.values(), ids=GEMINI_RUNS)
def test_gemini_is_judged_by_code_and_error(tmp_path: Path, output: object, code: int, errors: str, kind: str) -> None:
    assert problem_of(printing(tmp_path, "gemini", output, code=code, errors=errors)).kind == kind
