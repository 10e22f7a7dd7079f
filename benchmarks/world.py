"""The scratch place of a run: its folders, an environment without personal settings, and programs started in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# PYTHON*: a caller's PYTHONDONTWRITEBYTECODE or PYTHONPATH would slow down some competitors and not others.
PERSONAL = ("GIT_", "PYTHON", "REVIEW_GATE", "PRE_COMMIT", "PREK", "LEFTHOOK", "SEMGREP", "RIPGREP", "VIRTUAL_ENV")
GIT_CONFIG = """[user]
\tname = A Developer
\temail = dev@example.org
[init]
\tdefaultBranch = main
"""
SET_UP_SECONDS = 600


class FailedToRunError(Exception):
    """A program that the benchmark depends on did not do its work."""


class World:
    """Folders below `.benchmarks/`: `work` is new in each run, everything else is kept for the next one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.work = root / "work"
        self.environ = self._clean_environment()

    def _clean_environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PERSONAL)}
        return kept | {
            "HOME": str(self.work / "home"),
            "XDG_CONFIG_HOME": str(self.work / "home" / "config"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(self.work / "home" / "gitconfig"),
            "GIT_TERMINAL_PROMPT": "0",
            "PRE_COMMIT_HOME": str(self.root / "pre-commit"),
            "PREK_HOME": str(self.root / "prek"),
            "LC_ALL": "C.UTF-8",
        }

    @property
    def installing_environ(self) -> dict[str, str]:
        """The same with the user's own home, where pip finds the settings that it needs to reach packages."""
        homes = {name: os.environ[name] for name in ("HOME", "XDG_CONFIG_HOME") if name in os.environ}
        return {name: value for name, value in self.environ.items() if name != "XDG_CONFIG_HOME"} | homes

    def open(self) -> None:
        """Make the folders, empty."""
        self.close()
        (self.work / "home").mkdir(parents=True)
        (self.work / "home" / "gitconfig").write_text(GIT_CONFIG)

    def close(self) -> None:
        """Remove the repositories of this run."""
        shutil.rmtree(self.work, ignore_errors=True)


def run_checked(
    argv: Sequence[str], folder: Path, environ: Mapping[str, str], *, stdin: bytes = b"", expected: int = 0
) -> bytes:
    """Everything that a program prints, once it ended with the expected code."""
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            env=environ,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SET_UP_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FailedToRunError(f"{argv[0]}: {error}") from None
    if done.returncode != expected:
        raise FailedToRunError(failure_text(argv, done.returncode, done.stdout))
    return done.stdout


def failure_text(argv: Sequence[str], code: int, output: bytes) -> str:
    """What ended how, with its last words on one line."""
    last = " / ".join(output.decode("utf-8", "replace").strip().splitlines()[-4:]) or "it said nothing"
    return f"{' '.join(argv)[:120]} ended with code {code}: {last}"
