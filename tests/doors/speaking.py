"""The five agents' own words: how each tells of an event, and how it reads what it is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conftest import Repo, Result
from deciding import session_in

Said = dict[str, Any]
EVENTS: dict[str, dict[str, str]] = {
    "claude": {"prompt": "UserPromptSubmit", "tool": "PreToolUse", "stop": "Stop", "start": "SessionStart"},
    "codex": {"prompt": "UserPromptSubmit", "tool": "PreToolUse", "stop": "Stop", "start": "SessionStart"},
    "gemini": {"prompt": "BeforeAgent", "tool": "BeforeTool", "stop": "AfterAgent", "start": "SessionStart"},
    "cursor": {
        "prompt": "beforeSubmitPrompt",
        "tool": "preToolUse",
        "shell": "beforeShellExecution",
        "stop": "stop",
        "start": "sessionStart",
    },
    "copilot": {
        "prompt": "userPromptSubmitted",
        "tool": "preToolUse",
        "stop": "agentStop",
        "start": "sessionStart",
    },
}
# The name of the tool that writes a file, of the argument that names it, and of that with the text.
WRITERS = {
    "claude": ("Write", "file_path", "content"),
    "gemini": ("write_file", "file_path", "content"),
    "cursor": ("Write", "path", "contents"),
    "copilot": ("create", "path", "file_text"),
}
# What is heard where nobody objects: silence, which only Cursor takes for a failure.
LEAVE: dict[str, Said] = {"cursor": {"permission": "allow"}}
NOTHING: Mapping[str, str] = {}


class Speaker:
    """A session of one agent in a repository."""

    def __init__(self, agent: str, repo: Repo) -> None:
        self.agent = agent
        self.repo = repo
        self.session = session_in(repo)
        self.leave = LEAVE.get(agent, {})

    def send(self, text: str, name: str = "", environ: Mapping[str, str] = NOTHING) -> Result:
        """What comes of some text on standard input; the command of Copilot CLI names the event."""
        words = (name,) if self.agent == "copilot" and name else ()
        return self.repo.run("review-gate", "hook", self.agent, *words, stdin=text, **environ)

    def told(self, kind: str, **fields: Any) -> Said:
        """The answer to an event that it knows."""
        done = self.send(json.dumps(self.payload(EVENTS[self.agent][kind], fields)), EVENTS[self.agent][kind])
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout) if done.stdout else {}
        assert isinstance(answer, dict)
        return answer

    def payload(self, name: str, fields: Mapping[str, Any]) -> Said:
        """An event as the agent spells it."""
        place = str(self.repo.path)
        if self.agent == "copilot":
            return {"sessionId": self.session, "timestamp": 1, "cwd": place, **fields}
        if self.agent == "cursor":
            common = {"conversation_id": self.session, "generation_id": "g", "workspace_roots": [place]}
            return {**common, "hook_event_name": name, **fields}
        return {"session_id": self.session, "transcript_path": "/t", "cwd": place, "hook_event_name": name, **fields}

    def tool(self, name: str, given: object) -> Said:
        """The answer to the use of a tool."""
        if self.agent == "copilot":
            return self.told("tool", toolName=name, toolArgs=json.dumps(given))
        return self.told("tool", tool_name=name, tool_input=given)

    def shell(self, command: str) -> Said:
        """The answer to a command of the shell."""
        if self.agent == "cursor":
            return self.told("shell", command=command, cwd=str(self.repo.path))
        name = {"gemini": "run_shell_command", "copilot": "bash"}.get(self.agent, "Bash")
        return self.tool(name, {"command": command, "description": "x"})

    def write(self, path: str, text: str) -> Said:
        """The answer to writing a whole file."""
        if self.agent == "codex":
            patch = f"*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch"
            return self.tool("apply_patch", {"command": patch})
        name, key, content = WRITERS[self.agent]
        return self.tool(name, {key: path, content: text})

    def prompt(self, text: str) -> Said:
        """The answer to a prompt."""
        return self.told("prompt", prompt=text)

    def stop(self) -> Said:
        """The answer to the end of a turn."""
        endings: dict[str, Said] = {
            "cursor": {"status": "completed", "loop_count": 0},
            "copilot": {"stopReason": "end_turn"},
        }
        return self.told("stop", **endings.get(self.agent, {"stop_hook_active": False}))

    def refusal(self, reason: str) -> Said:
        """How a tool is refused in the agent's words."""
        if self.agent == "gemini":
            return {"decision": "deny", "reason": reason}
        if self.agent == "cursor":
            return {"permission": "deny", "user_message": reason, "agent_message": reason}
        decision = {"permissionDecision": "deny", "permissionDecisionReason": reason}
        return (
            decision if self.agent == "copilot" else {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}
        )

    def keeping(self, reason: str) -> Said:
        """How it is told to go on working."""
        return {"followup_message": reason} if self.agent == "cursor" else {"decision": "block", "reason": reason}

    def context(self, kind: str, text: str) -> Said:
        """How something is told to the model."""
        if self.agent in ("cursor", "copilot"):
            return {"additional_context" if self.agent == "cursor" else "additionalContext": text}
        name = EVENTS[self.agent][kind]
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
