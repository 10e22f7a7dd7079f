"""Steps of the tests about registration with coding agents."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from conftest import Repo, Result

from review_gate.registration.agents import AGENTS
from review_gate.shell.plugin_files import plugin_texts

PROJECT = Path(__file__).resolve().parents[2]
SETTINGS = {name: agent.project_file for name, agent in AGENTS.items()}
CLAUDE = SETTINGS["claude"]
# Settings of a user, in a form that no program gives them.
OWN = """\
{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "./log.sh"}]}
        ]
    },
    "permissions": {"allow": ["Bash(ls *)"], "deny": []}
}
"""
TEXTS = tuple(f".claude/{name}" for name in plugin_texts())


def done(result: Result) -> Result:
    """The result of a command that has to work."""
    assert result.returncode == 0, result.stdout + result.stderr
    return result


def register(repo: Repo, *options: str, **environ: str) -> Result:
    """An installation that has to work."""
    return done(repo.gate("install", *options, **environ))


def take_out(repo: Repo, *options: str, **environ: str) -> Result:
    """The same backwards."""
    return done(repo.gate("uninstall", *options, **environ))


def files_in(folder: Path) -> dict[str, bytes]:
    """Every path below a folder but git's own, a folder with no content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not name.startswith(".git" + os.sep) and name != ".git":
            found[name] = b"" if path.is_dir() else path.read_bytes()
    return found


def settings_in(repo: Repo, file: str = CLAUDE) -> dict[str, Any]:
    """What a settings file says."""
    settings = json.loads((repo.path / file).read_bytes())
    assert isinstance(settings, dict)
    return settings
