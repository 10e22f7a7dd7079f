"""Scripted codex, gemini and claude side by side on PATH, and calls of `review-gate generate` with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from conftest import Repo, Result
from faulting import assert_sound

STAND_IN = Path(__file__).parents[1] / "contract/stand_in.py"
NAMES = ("codex", "gemini", "claude")
SETTINGS = {"models": {"names": {name: f"{name}-test" for name in NAMES}}}
CODE = {
    "README.md": "# Shop\n\nIt sells things.\n",
    "src/price.py": "def total(prices):\n    return sum(prices)\n",
    "src/app.py": "from price import total\n\nprint(total([]))\n",
}


def draft(text: str) -> dict[str, str]:
    """A step that brings a draft."""
    return {"text": json.dumps({"draft": text}), "ending": "", "trouble": ""}


def said(text: str) -> dict[str, str]:
    """A step that says just this."""
    return {"text": text, "ending": "", "trouble": ""}


def trouble(kind: str) -> dict[str, str]:
    """A step that goes wrong so."""
    return {**draft("x"), "trouble": kind}


class Pool:
    """The programs of one test, each in a folder of its own."""

    def __init__(self, repo: Repo, **settings: Any) -> None:
        self.repo = repo
        self.folder = repo.path.parent / "bin"
        repo.commit("a shop", {".review-gate.yaml": json.dumps({**SETTINGS, **settings}), **CODE})

    def put(self, name: str, *steps: dict[str, str]) -> None:
        """A program that plays these steps, the last one again and again."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"#!{sys.executable} -IS\n{STAND_IN.read_text()}")
        (folder / name).chmod(0o755)
        (folder / "steps.json").write_text(json.dumps(steps))

    def put_all(self) -> None:
        """All three, each with a draft that tells who wrote it."""
        for name in NAMES:
            self.put(name, draft(f"What {name[::-1]} saw."))

    @property
    def path(self) -> str:
        """PATH with those that are there."""
        folders = [str(self.folder / name) for name in NAMES if (self.folder / name).is_dir()]
        return os.pathsep.join([*folders, self.repo.environ["PATH"]])

    def calls(self, name: str) -> list[dict[str, Any]]:
        """How a program was called."""
        log = self.folder / name / "calls.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def generate(self, *options: str, kind: str = "healthcheck", **environ: str) -> Result:
        """Ask for drafts."""
        result = self.repo.gate("generate", "--type", kind, *options, PATH=self.path, **environ)
        assert_sound(result)
        return result

    def generated(self, *options: str, **environ: str) -> dict[str, Any]:
        """The same for programs; it has to succeed."""
        result = self.generate("--format", "json", *options, **environ)
        assert result.returncode == 0, result.stderr
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    def archive(self, number: int = 1, kind: str = "healthcheck") -> Path:
        """The folder of a call."""
        return self.repo.path / f".git/review-gate/drafts/{kind}/{number:02}"

    def metadata(self, number: int = 1) -> dict[str, Any]:
        """Who wrote what."""
        found: dict[str, Any] = json.loads((self.archive(number) / "metadata.json").read_text())
        return found

    def log(self) -> list[dict[str, Any]]:
        """What happened."""
        return [json.loads(line) for line in (self.archive() / "log.jsonl").read_text().splitlines()]

    def started(self) -> subprocess.Popen[str]:
        """A call that goes on meanwhile, and obeys interrupts as one from a person's terminal does."""
        return subprocess.Popen(
            [sys.executable, "-IS", "-c", START],
            cwd=self.repo.path,
            env={**self.repo.environ, "PATH": self.path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


# A shell's background job, as the tests may be one, ignores interrupts, and so does what it starts.
START = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp("review-gate", ["review-gate", "generate", "--type", "healthcheck"])
"""
