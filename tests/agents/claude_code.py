"""The real Claude Code in a repository: prompts go in, a user who allows everything sits before it, and all is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conftest import Repo
from scripted import Part, Script, Step, playing

PROGRAM = os.environ.get("REVIEW_GATE_TEST_CLAUDE", "")
assert PROGRAM, "REVIEW_GATE_TEST_CLAUDE has to name the program: make test-agents does"
SECONDS = 120
# Nothing that is not asked of the scripted model, and no key but one that opens nothing.
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_BUG_COMMAND": "1",
    "NO_COLOR": "1",
    "ANTHROPIC_API_KEY": "dummy",
}


def agent_environ(environ: Mapping[str, str], url: str) -> dict[str, str]:
    """The environment of a session, without what a session around these tests has left there."""
    kept = {name: value for name, value in environ.items() if not name.startswith("CLAUDE")}
    return {**kept, **QUIET, "ANTHROPIC_BASE_URL": url}


def installed(repo: Repo) -> Repo:
    """The repository with the git hooks and ours for Claude Code, as a user puts them in, and a commit to be pushed."""
    repo.git("push", "--quiet", "-u", "origin", "main")
    repo.commit("second", {"app.py": "print('hello, you')\n"})
    done = repo.gate("install", "--git", "--claude")
    assert done.returncode == 0, done.stderr
    return repo


class Talk:
    """What a session said, message by message, and what its model was asked."""

    def __init__(self, messages: Sequence[dict[str, Any]], script: Script, errors: str) -> None:
        self.messages = messages
        self.script = script
        self.errors = errors

    @property
    def results(self) -> list[str]:
        """What each tool call of the main agent came to, in order."""
        return [text for message in self.messages for text in _results_in(message)]

    @property
    def answers(self) -> list[str]:
        """How each turn ended."""
        return [str(one.get("result", "")) for one in self.messages if one.get("type") == "result"]

    def hooks(self, event: str) -> list[dict[str, Any]]:
        """What our hooks answered to an event."""
        said = [one for one in self.messages if one.get("subtype") == "hook_response" and one["hook_event"] == event]
        return [json.loads(one["stdout"]) if one["stdout"].strip() else {} for one in said]


def _results_in(message: Mapping[str, Any]) -> Iterator[str]:
    if message.get("type") != "user" or message.get("parent_tool_use_id"):
        return
    content = message["message"]["content"]
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "tool_result":
            said = block.get("content", "")
            yield said if isinstance(said, str) else "\n".join(one.get("text", "") for one in said)


def talk(
    repo: Repo, prompts: Sequence[str], *parts: Part | Sequence[Step], options: Sequence[str] = (), until: str = ""
) -> Talk:
    """A whole session; it goes on, where background work begins new turns, until a turn ends with certain words."""
    named = [part if isinstance(part, Part) else Part(part) for part in parts]
    with playing(*named) as script:
        argv = [PROGRAM, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        argv += ["--include-hook-events", "--permission-prompt-tool", "stdio", *options]
        with subprocess.Popen(
            argv,
            cwd=repo.path,
            env=agent_environ(repo.environ, script.url),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as child:
            timer = threading.Timer(SECONDS, os.killpg, (child.pid, signal.SIGKILL))
            timer.start()
            try:
                messages = list(_driven(child, list(prompts), until))
                assert child.stderr is not None
                errors = child.stderr.read()
            finally:
                timer.cancel()
        assert not script.broken, script.broken
        return Talk(messages, script, errors)


def _driven(child: subprocess.Popen[str], prompts: list[str], until: str) -> Iterator[dict[str, Any]]:
    """Everything that is said; each turn that ends is followed by the next prompt, each question by a yes."""
    assert child.stdin is not None and child.stdout is not None
    _send(child, _prompt(prompts.pop(0)))
    for line in child.stdout:
        message = json.loads(line)
        yield message
        if message["type"] == "control_request" and message["request"]["subtype"] == "can_use_tool":
            _send(child, _yes(message))
        elif message["type"] == "result" and prompts:
            _send(child, _prompt(prompts.pop(0)))
        elif message["type"] == "result" and message.get("result", "").startswith(until):
            child.stdin.close()


def _send(child: subprocess.Popen[str], message: Mapping[str, Any]) -> None:
    assert child.stdin is not None
    child.stdin.write(json.dumps(message) + "\n")
    child.stdin.flush()


def _prompt(text: str) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def _yes(message: Mapping[str, Any]) -> dict[str, Any]:
    allowed = {"behavior": "allow", "updatedInput": message["request"].get("input", {})}
    answer = {"subtype": "success", "request_id": message["request_id"], "response": allowed}
    return {"type": "control_response", "response": answer}


def claude(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of the program that asks no model."""
    return subprocess.run(
        [PROGRAM, *arguments],
        cwd=repo.path,
        env=agent_environ(repo.environ, "http://127.0.0.1:9"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


PLUGIN = Path(__file__).resolve().parents[2] / "plugin"
