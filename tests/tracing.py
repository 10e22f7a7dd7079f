"""Which git commands a program of ours starts, as git itself tells."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from conftest import Result

VARIABLE = "GIT_TRACE2_EVENT"


def started(log: Path, run: Callable[..., Result]) -> list[str]:
    """The git commands that a program starts which ends well, in their order."""
    done = run(**{VARIABLE: str(log)})
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in log.read_text().splitlines()]
    log.unlink()
    return [" ".join(event["argv"]) for event in events if event["event"] == "start"]
