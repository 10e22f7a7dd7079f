"""A coding agent at work in a repository: what it sends to its hook, and what it is answered."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from conftest import Repo, Result, make_world, place_repo

from review_gate.strict_json import parse


class Session:
    """One session of an agent, which asks us about each of its events."""

    def __init__(self, repo: Repo, agent: str = "claude", session: str = "") -> None:
        self.repo = repo
        self.agent = agent
        self.session = session or session_in(repo)

    def send(self, payload: str | dict[str, Any], *words: str, **environ: str) -> Result:
        """What comes of one event."""
        text = payload if isinstance(payload, str) else json.dumps(payload)
        return self.repo.run("review-gate", "hook", self.agent, *words, stdin=text, **environ)

    def payload(self, event: str, **fields: Any) -> dict[str, Any]:
        """What the agent sends of one event."""
        return {"session_id": self.session, "cwd": str(self.repo.path), "hook_event_name": event, **fields}

    def answered(self, event: str, **fields: Any) -> dict[str, Any]:
        """The answer to one event, empty where it goes on without a word."""
        done = self.send(self.payload(event, **fields))
        assert (done.returncode, done.stderr) == (0, "")
        # Stricter than any agent reads it.
        answer = parse(done.stdout.encode()) if done.stdout else {}
        assert isinstance(answer, dict)
        return answer

    def context(self, prompt: str, **fields: Any) -> str:
        """What is added to a prompt."""
        said = self.answered("UserPromptSubmit", prompt=prompt, **fields).get("hookSpecificOutput", {})
        return str(said.get("additionalContext", ""))

    def tool(self, name: str, **given: Any) -> str:
        """Why a tool may not be used, nothing where it may."""
        said = self.answered("PreToolUse", tool_name=name, tool_input=given, tool_use_id="toolu_1")
        output = said.get("hookSpecificOutput", {"permissionDecision": ""})
        assert output["permissionDecision"] in ("", "deny")
        return str(output.get("permissionDecisionReason", ""))

    def shell(self, command: str) -> str:
        """Why a command may not be run, nothing where it may."""
        return self.tool("Bash", command=command, description="x")

    def stop(self, **fields: Any) -> tuple[str, str]:
        """Why the session may not stop, and what its user is told."""
        said = self.answered("Stop", **{"stop_hook_active": False, "background_tasks": [], **fields})
        assert said.get("decision") in (None, "block")
        return str(said.get("reason", "")), str(said.get("systemMessage", ""))


def session_in(repo: Repo) -> str:
    """The id of a session that nobody else has: what is counted for sessions is kept for all tests in one place."""
    return str(uuid5(NAMESPACE_URL, str(repo.path)))


def at_work(repo: Repo) -> Session:
    """A session whose latest commit nobody has reviewed or pushed, and whose git hooks are gone: the door is left."""
    repo.push("-u", "origin", "main")
    repo.commit("second", {"app.py": "print('hello, you')\n"})
    assert repo.gate("install").returncode == 0
    rmtree(repo.path / ".git/hooks")
    return Session(repo)


def shared(folder: Path, templates: Path) -> Repo:
    """A repository for all tests of a module that only ask: whatever they are answered, nothing is written."""
    return place_repo(folder, make_world(folder), templates, start="first")
