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
PUSH = "git push, left to git's hook"
QUOTED_PUSH = "git commit -m 'a b' && git push, left to git's hook"
REFUSED_PUSH = "git push, refused where git's hook is gone"
STOP = "a stop without reviews in rounds"
MOST_UNRELATED = 1.5
MOST_PUSH = 5.0
GATE = str(Path(sys.executable).with_name("review-gate"))
FIELDS = {
    "session_id": "00000000-0000-4000-8000-000000000000",
    "transcript_path": "/tmp/transcript.jsonl",
    "permission_mode": "default",
}


def measure(bench: Bench) -> Measured:
    """Against an interpreter that does nothing; the commit that would be pushed has no review."""
    repo, hookless = (published_repository(bench.world, name) for name in ("agents", "hookless"))
    for one in (repo, hookless):
        one.gate("install")
        one.commit("An unreviewed change", {"src/file_00000.py": "changed = True\n"})
    (hookless.path / ".git/hooks/pre-push").unlink()
    push = _tool("Bash", {"command": "git push"})
    events: dict[str, dict[str, object]] = {
        COMMAND: _tool("Bash", {"command": "python -m pytest -q tests && ls -l | head"}),
        GIT: _tool("Bash", {"command": "git status --short"}),
        EDIT: _tool("Edit", {"file_path": str(repo.path / "src" / "a.py"), "old_string": "a", "new_string": "b"}),
        STOP: {"hook_event_name": "Stop", "background_tasks": []},
        PUSH: push,
        QUOTED_PUSH: _tool("Bash", {"command": "git commit -m 'a b' && git push"}),
        REFUSED_PUSH: push,
    }
    cases = [Case(ISOLATED, (sys.executable, "-I", "-c", "pass"), repo.path, repo.environ)]
    for name, event in events.items():
        place = hookless if name == REFUSED_PUSH else repo
        data = json.dumps({**FIELDS, "cwd": str(place.path), **event}).encode()
        cases.append(Case(name, (GATE, "hook", "claude"), place.path, place.environ, stdin=data))
    series = bench.time("agents", cases)
    targets = (
        Comparison(COMMAND, ISOLATED, MOST_UNRELATED),
        Comparison(EDIT, ISOLATED, MOST_UNRELATED),
        Comparison(GIT, ISOLATED),
        Comparison(STOP, ISOLATED),
        Comparison(PUSH, ISOLATED, MOST_PUSH),
        Comparison(QUOTED_PUSH, ISOLATED),
        Comparison(REFUSED_PUSH, ISOLATED, MOST_PUSH),
    )
    return Measured("Coding agents", series, ISOLATED, targets)


def _tool(name: str, given: dict[str, str]) -> dict[str, object]:
    return {"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": given}
