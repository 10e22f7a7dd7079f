"""Which git commands a program of ours starts, as git itself tells."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from conftest import Result

# Git starts others itself, and a test may have started git.
OURS = "git --no-pager --no-optional-locks "
VARIABLE = "GIT_TRACE2_EVENT"


def started(log: Path, run: Callable[..., Result], code: int = 0) -> list[str]:
    """The git commands that we start while a program runs, which ends with this code."""
    done = run(**{VARIABLE: str(log)})
    assert done.returncode == code, done.stderr
    events = [json.loads(line) for line in log.read_text().splitlines()]
    log.unlink()
    commands = [" ".join(event["argv"]) for event in events if event["event"] == "start"]
    return [command for command in commands if OURS in command]
