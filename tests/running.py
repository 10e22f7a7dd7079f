"""Steps of the tests about `review-gate run`: plans, reports, commands, and the processes they leave."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from conftest import Repo, Result

BROKEN = "def broken(:\n"
MARK = "echo ran >> ../ran"
PATIENCE = 20.0


def plan_of(repo: Repo, *options: str) -> dict[str, Any]:
    """The preview for programs."""
    done = repo.gate("run", "--plan-only", "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    plan: dict[str, Any] = json.loads(done.stdout)
    return plan


def report_of(repo: Repo, *options: str, **environ: str) -> dict[str, Any]:
    """The result of a run for programs."""
    done = repo.gate("run", "--yes", "--format", "json", *options, **environ)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def statuses(report: dict[str, Any]) -> list[str]:
    """How each loop ended."""
    return [loop["status"] for loop in report["loops"]]


def files_found(report: dict[str, Any]) -> list[str]:
    """The files that the findings are about, worst first."""
    return [one["file"] for one in report["findings"]]


def outcome(report: dict[str, Any], name: str = "check") -> tuple[str, str, str]:
    """Status and detail of a reviewer, and the status of its loop."""
    for loop in report["loops"]:
        for one in loop["reviewers"]:
            if one["id"] == name:
                return one["status"], one["detail"], loop["status"]
    raise AssertionError(f"{name} took no part")


def said(done: Result) -> tuple[int, str]:
    """Exit code and standard error of a command that said nothing else."""
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return done.returncode, done.stderr


def refusal(done: Result) -> tuple[int, str]:
    """Exit code of a refused command and the last three lines of its standard error, where the refusal stands."""
    code, text = said(done)
    return code, "\n".join(text.splitlines()[-3:])


def state_not_written(problem: str) -> str:
    """The warning of a run whose review is recorded and whose state file is not."""
    state = ".claude/skills/code-review/loop-state.json"
    return (
        f"warning: {state} cannot be written: {problem}\n"
        "  why:   the review itself is in the ledger; the view of it is the old one\n"
        f"  next:  see what stands at {state}, and whether the disk is full; review-gate status\n"
    )


def nothing_recorded(repo: Repo) -> bool:
    """Whether neither ledger nor state file knows of a review."""
    return repo.git("for-each-ref", "refs/review-gate") == "" and not repo.state_file.exists()


def upload(repo: Repo, branch: str = "main") -> str:
    """Push HEAD past any gate, with an upstream; its id."""
    repo.git("push", "--quiet", "--no-verify", "--set-upstream", "origin", f"HEAD:refs/heads/{branch}")
    return repo.head


def sh(script: str, **fields: Any) -> dict[str, Any]:
    """A command that runs a script with sh."""
    return {"name": "check", "run": ["sh", "-c", script], **fields}


def python(code: str, **fields: Any) -> dict[str, Any]:
    """A command that runs Python code."""
    return {"name": "check", "run": [sys.executable, "-IS", "-c", code], **fields}


def times_run(repo: Repo) -> int:
    """How often commands with MARK in their script ran."""
    path = repo.path.parent / "ran"
    return len(path.read_text().split()) if path.exists() else 0


def hide_state(repo: Repo) -> None:
    """Keep the state file out of later commits, as `review-gate install` does."""
    repo.write(".git/info/exclude", ".claude\n")


def configure(
    repo: Repo, *commands: dict[str, Any], files: dict[str, str | bytes] | None = None, **settings: Any
) -> None:
    """Commit a configuration with these commands; JSON is YAML."""
    hide_state(repo)
    config = json.dumps({"commands": list(commands), **settings})
    repo.commit("configured", {".review-gate.yaml": config, **(files or {})})


def is_running(pid: int) -> bool:
    """Whether a process is alive; a zombie that nobody reaps is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(*pids: int) -> list[int]:
    """The processes that are still alive after some patience."""
    end = time.monotonic() + PATIENCE
    while (alive := [pid for pid in pids if is_running(pid)]) and time.monotonic() < end:
        time.sleep(0.01)
    return alive


def written_numbers(path: Path, count: int) -> list[int]:
    """The numbers a command writes to a file, once they are all there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        text = path.read_text() if path.exists() else ""
        if text.endswith("\n") and len(text.split()) >= count:
            return [int(word) for word in text.split()]
        time.sleep(0.01)
    raise AssertionError(f"{path} was not written")


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler of its own for a signal that it has been ready for."""
    words = Path(f"/proc/{pid}/status").read_text().split("SigCgt:")[1].split()
    return bool(int(words[0], 16) >> (number - 1) & 1)
