"""Three programs on PATH that vote as each is told, round by round: scripted reviewers for rounds."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from conftest import Repo

STAND_IN = Path(__file__).parents[1] / "contract/stand_in.py"
NAMES = ("codex", "gemini", "claude")


def finding(**changes: Any) -> dict[str, Any]:
    """One finding as a model puts it."""
    usual = {
        "severity": "major",
        "message": "The sum is wrong.",
        "file": "app.py",
        "line": 1,
        "quote": "x = 2",
        "replacement": None,
        "recommendation": "Add it up again.",
        "confidence": 0.9,
    }
    return {**usual, **changes}


def says(*findings: dict[str, Any], verdict: str = "") -> str:
    """An answer that read everything."""
    said = verdict or ("fail" if any(one["severity"] in ("major", "critical") for one in findings) else "pass")
    answer = {"verdict": said, "findings": list(findings), "files_read": "$FILES", "summary": "Looked at all of it."}
    return json.dumps(answer)


PASS = says()


class Voters:
    """The programs, each with a folder of its own, since each plays its own steps."""

    def __init__(self, repo: Repo, names: tuple[str, ...] = NAMES) -> None:
        self._home = repo.path.parent / "voters"
        self.names = names
        for name in names:
            folder = self._home / name
            folder.mkdir(parents=True)
            (folder / name).write_text(f"#!{sys.executable} -IS\n{STAND_IN.read_text()}")
            (folder / name).chmod(0o755)
            self.play(name, PASS)
        folders = [str(self._home / name) for name in names]
        self.path = os.pathsep.join([*folders, repo.environ["PATH"]])

    def play(self, name: str, *answers: str, **step: str) -> None:
        """What a program says the first time it is asked, the second, and so on; the last answer stays."""
        steps = [{"text": answer, "ending": "", "trouble": "", **step} for answer in answers or ("",)]
        folder = self._home / name
        (folder / "steps.json").write_text(json.dumps(steps))
        (folder / "calls.jsonl").unlink(missing_ok=True)

    def calls(self, name: str) -> list[dict[str, Any]]:
        """How a program was called, in order."""
        path = self._home / name / "calls.jsonl"
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        # The last one may be half written.
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def prompts(self, name: str) -> list[str]:
        """What a program was asked, in order."""
        return [call["prompt"] for call in self.calls(name)]

    def pids(self, name: str) -> list[int]:
        """The processes that it was."""
        return [call["pid"] for call in self.calls(name)]
