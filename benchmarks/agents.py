"""The hook of a coding agent: what calls cost that are none of our business, and what a refused push costs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.repositories import published_repository
from benchmarks.results import Comparison, Measured
from benchmarks.startup import ISOLATED
from benchmarks.timing import Case

COMMAND = "a command that is none of our business"
GIT = "git status"
EDIT = "an edit of a source file"
PUSH = "git push, refused"
NAMED_PUSH = "git push origin main, refused"
MADE_PUSH = "git commit -m x && git push, left to git's hook"
STOP = "a stop without reviews in rounds"
MOST_UNRELATED = 2.5
MOST_REFUSED = 5.0
GATE = str(Path(sys.executable).with_name("review-gate"))
FIELDS = {
    "session_id": "00000000-0000-4000-8000-000000000000",
    "transcript_path": "/tmp/transcript.jsonl",
    "permission_mode": "default",
}


def measure(bench: Bench) -> Measured:
    """Against an interpreter that does nothing; the commit that would be pushed has no review."""
    repo = published_repository(bench.world, "agents")
    repo.gate("install")
    repo.commit("An unreviewed change", {"src/file_00000.py": "changed = True\n"})
    events: dict[str, dict[str, object]] = {
        COMMAND: _tool("Bash", {"command": "python -m pytest -q tests && ls -l | head"}),
        GIT: _tool("Bash", {"command": "git status --short"}),
        EDIT: _tool("Edit", {"file_path": str(repo.path / "src" / "a.py"), "old_string": "a", "new_string": "b"}),
        STOP: {"hook_event_name": "Stop", "background_tasks": []},
        PUSH: _tool("Bash", {"command": "git push"}),
        NAMED_PUSH: _tool("Bash", {"command": "git push origin main"}),
        MADE_PUSH: _tool("Bash", {"command": "git commit -m x && git push"}),
    }
    cases = [Case(ISOLATED, (sys.executable, "-I", "-c", "pass"), repo.path, repo.environ)]
    for name, event in events.items():
        data = json.dumps({**FIELDS, "cwd": str(repo.path), **event}).encode()
        cases.append(Case(name, (GATE, "hook", "claude"), repo.path, repo.environ, stdin=data))
    series = bench.time("agents", cases)
    targets = (
        Comparison(COMMAND, ISOLATED, MOST_UNRELATED),
        Comparison(EDIT, ISOLATED, MOST_UNRELATED),
        Comparison(GIT, ISOLATED),
        Comparison(STOP, ISOLATED),
        Comparison(PUSH, ISOLATED, MOST_REFUSED),
        Comparison(NAMED_PUSH, ISOLATED, MOST_REFUSED),
        Comparison(MADE_PUSH, ISOLATED),
    )
    return Measured("Coding agents", series, ISOLATED, targets)


def _tool(name: str, given: dict[str, str]) -> dict[str, object]:
    return {"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": given}
