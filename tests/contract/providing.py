"""Each provider on a stage of its own, where the model behind it does what a test says."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from fakes import ScriptedProvider
from loopback import serving
from steps import KEY, LOGIN_PAGE, REASON, Step

from review_gate.ports import Failure, ModelProvider
from review_gate.shell.process import Commands
from review_gate.shell.providers.anthropic_api import AnthropicApi
from review_gate.shell.providers.anthropic_wire import get_ready
from review_gate.shell.providers.claude_cli import ClaudeCli
from review_gate.shell.providers.codex_cli import CodexCli
from review_gate.shell.providers.deadline import Retries
from review_gate.shell.providers.gemini_cli import GeminiCli
from review_gate.shell.providers.program import ProgramProvider

QUICK = Retries(first_wait=0.02, longest_wait=0.05)
STAND_IN = Path(__file__).with_name("stand_in.py")
PROGRAMS: dict[str, type[ProgramProvider]] = {"claude": ClaudeCli, "codex": CodexCli, "gemini": GeminiCli}
NAMES = ("scripted", "anthropic", *PROGRAMS)


class Staged(NamedTuple):
    """A provider, the run it is part of, and how to see how often the model was asked."""

    provider: ModelProvider
    commands: Commands
    times_asked: Callable[[], int]


def environ_of(tmp_path: Path, **changes: str) -> dict[str, str]:
    """The environment of a provider: a key, and the stand-ins before everything else."""
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "REVIEW_GATE"))}
    return {**kept, "PATH": path, "ANTHROPIC_API_KEY": KEY, **changes}


def calls_of(tmp_path: Path) -> list[dict[str, Any]]:
    """How the stand-ins were called."""
    calls = tmp_path / "bin/calls.jsonl"
    return [json.loads(line) for line in calls.read_text().splitlines()] if calls.exists() else []


def put_on_path(tmp_path: Path, name: str, steps: Sequence[Step]) -> None:
    """A stand-in that will play these steps."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    program = folder / name
    # Without the packages of the tests it starts in a tenth of the time.
    program.write_text(f"#!{sys.executable} -IS\n{STAND_IN.read_text()}")
    program.chmod(0o755)
    (folder / "steps.json").write_text(json.dumps([step.as_json() for step in steps]))


def program(
    name: str, tmp_path: Path, *steps: Step, commands: Commands | None = None, tries: int = 4, **environ: str
) -> ProgramProvider:
    """A provider whose program is a stand-in."""
    put_on_path(tmp_path, name, steps)
    world = environ_of(tmp_path, **environ)
    return PROGRAMS[name](world, commands or Commands(), model=f"{name}-test", retries=replace(QUICK, tries=tries))


@contextlib.contextmanager
def staged(name: str, tmp_path: Path, *steps: Step, tries: int = 4, **environ: str) -> Iterator[Staged]:
    """A provider of this name."""
    commands, retries = Commands(), replace(QUICK, tries=tries)
    if name in PROGRAMS:
        provider = program(name, tmp_path, *steps, commands=commands, tries=tries, **environ)
        yield Staged(provider, commands, lambda: len(calls_of(tmp_path)))
    elif name == "anthropic":
        # The import alone takes longer than the deadlines of these tests.
        get_ready()
        with serving(*steps) as server:
            world = environ_of(tmp_path, ANTHROPIC_BASE_URL=server.url, **environ)
            api = AnthropicApi(world, commands, model="claude-test-1", retries=retries)
            yield Staged(api, commands, lambda: len(server.requests))
    else:
        script = [in_the_script(step) for step in steps]
        fake = ScriptedProvider(script, environ=environ_of(tmp_path, **environ), retries=retries)
        yield Staged(fake, commands, lambda: len(fake.asked))


def in_the_script(step: Step) -> str | tuple[Failure, str]:
    """A step in the words of the fake."""
    failures: dict[str, tuple[Failure, str]] = {
        "overloaded": ("overloaded", REASON),
        "limited": ("quota", REASON),
        "unauthorized": ("not_logged_in", REASON),
        "tell_key": ("refused", f"the key {KEY} is not good"),
        "hang": ("timeout", REASON),
        "hang_midway": ("timeout", REASON),
        "drip": ("timeout", REASON),
        "refusal": ("refused", REASON),
        "max_tokens": ("truncated", REASON),
    }
    what = step.trouble or step.ending
    if what == "flood":
        return " " * 50_000_000
    return failures.get(what) or {"login_page": LOGIN_PAGE, "nothing": ""}.get(what, step.text)
