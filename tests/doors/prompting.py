"""Reviews of prompts by real parts: critiques, a scripted `claude` that speaks by role, and what the log has of it."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from conftest import Repo, Result

TASK = "optimize the settings page"
GUARD = "Never print a token."
TESTS = "All tests pass."
ALWAYS = ("domain_sme", "security", "clarity", "testing")
ROLES = (*ALWAYS, "frontend_ux", "documentation")
ID = re.compile(r"prompt-[0-9a-f]{12}")
ROLE = re.compile(r'^- `reviewer_role`: "(.*)",$', re.MULTILINE)
# Says what its role has to say, writes down what it was asked, and ends.
CLAUDE = """#!{python} -IS
import json, os, re, sys, time
here = os.path.dirname(os.path.abspath(sys.argv[0]))
prompt = sys.stdin.read()
role = re.search(r'^- `reviewer_role`: "(.*)",$', prompt, re.M)[1]
call = {{"role": role, "prompt": prompt, "pid": os.getpid(), "model": sys.argv[sys.argv.index("--model") + 1]}}
with open(here + "/calls.jsonl", "a") as file:
    file.write(json.dumps(call) + "\\n")
with open(here + "/says.json") as file:
    says = json.load(file)
said = says.get(role, says["*"])
if said == "hang":
    time.sleep(600)
result = {{"type": "result", "subtype": "success", "is_error": False, "stop_reason": "tool_use", "result": "",
    "total_cost_usd": 0.25, "usage": {{"input_tokens": 1000, "output_tokens": 100}},
    "modelUsage": {{call["model"]: {{}}}}, "terminal_reason": "completed", "api_error_status": None}}
if isinstance(said, int):
    result |= {{"is_error": True, "api_error_status": said, "result": "API Error: %d" % said}}
elif isinstance(said, dict):
    result["structured_output"] = {{**said, "reviewer_role": said.get("reviewer_role", role)}}
else:
    result["result"] = said
print(json.dumps(result))
sys.exit(isinstance(said, int))
"""


def answer(*findings: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What a reviewer says; a scripted one adds its role."""
    worst = findings[0]["severity"] if findings else None
    usual = {"severity_max": worst, "confidence": 0.9, "findings": findings, "no_issues": not findings}
    return {**usual, **changes}


def finding(*operations: dict[str, str], **changes: Any) -> dict[str, Any]:
    """One finding."""
    usual = {"id": "X-001", "severity": "major", "confidence": 0.9, "issue": "It says too little.", "evidence": ""}
    return {**usual, "suggested_ops": operations, **changes}


def adding(value: str, op: str = "AddConstraint", **changes: Any) -> dict[str, Any]:
    """A finding with one addition."""
    return finding({"op": op, "target": "constraints", "value": value}, **changes)


def replacing(old: str, new: str, **changes: Any) -> dict[str, Any]:
    """A finding with other words for some of the prompt."""
    return finding({"op": "ReplaceVague", "target": "structure", "value": new}, evidence=old, **changes)


NOTHING = answer()
# What most tests need: one change, by the reviewer whose findings count most.
ONE_GUARD = {"security": answer(adding(GUARD, "AddGuardrail")), "*": NOTHING}
REFINED = f"{TASK}\n\nConstraints:\n- {GUARD}"


def packs_of(repo: Repo) -> list[Path]:
    """What is derived from our own packs: the same for all tests, and made by whichever is the first."""
    shared = Path(repo.environ["XDG_CACHE_HOME"], "review-gate")
    if not list(shared.glob("*.json")):
        assert repo.gate("scan", "--all").returncode == 0
    return list(shared.glob("*.json"))


class Desk:
    """A repository with a scripted claude on PATH, and a home and a cache of its own."""

    def __init__(self, repo: Repo) -> None:
        base = repo.path.parent
        self.bin, self.home, cache = base / "bin", Path(repo.environ["HOME"]), base / "cache"
        (cache / "review-gate").mkdir(parents=True)
        for pack in packs_of(repo):
            shutil.copy(pack, cache / "review-gate")
        changes = {"XDG_CACHE_HOME": str(cache), "TERM": "xterm"}
        self.repo = Repo(repo.path, {**repo.environ, **changes})
        self.cache = cache / "review-gate"
        self.logs = self.home / ".claude/plugins/prompt-review/logs"

    def claude(self, says: dict[str, Any]) -> Desk:
        """A claude that says this by role; * is everybody else."""
        self.bin.mkdir(exist_ok=True)
        path = self.bin / "claude"
        if not path.exists():
            path.write_text(CLAUDE.format(python=sys.executable))
            path.chmod(0o755)
            # In front, so that no other one is found.
            self.repo.environ["PATH"] = f"{self.bin}:{self.repo.environ['PATH']}"
        (self.bin / "says.json").write_text(json.dumps({"*": NOTHING, **says}))
        return self

    def run(self, *arguments: str, stdin: str | None = None, **environ: str) -> Result:
        """A command of ours."""
        return self.repo.run("review-gate", *arguments, stdin=stdin, **environ)

    def review(self, *arguments: str, stdin: str | None = None, **environ: str) -> Result:
        """A call of the verb."""
        done = self.run("prompt-review", *arguments, stdin=stdin, **environ)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def document(self, *arguments: str, stdin: str | None = None, **environ: str) -> dict[str, Any]:
        """The same for programs; it has to succeed."""
        done = self.review("--format", "json", *arguments, stdin=stdin, **environ)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def hook(self, payload: object, **environ: str) -> Result:
        """What an agent calls with each prompt."""
        text = payload if isinstance(payload, str) else json.dumps(payload)
        done = self.run("hook", "claude", stdin=text, **environ)
        assert (done.returncode, done.stderr) == (0, "")
        return done

    def calls(self) -> list[dict[str, Any]]:
        """How claude was called."""
        path = self.bin / "calls.jsonl"
        # The last one may be written in this moment.
        whole = path.read_text().rpartition("\n")[0] if path.exists() else ""
        return [json.loads(line) for line in whole.splitlines()]

    def log(self) -> list[dict[str, Any]]:
        """The audit log, every line of which is whole."""
        return [
            json.loads(line) for path in sorted(self.logs.glob("*.jsonl")) for line in path.read_text().splitlines()
        ]

    def outcomes(self) -> list[str]:
        """What became of the reviews in the log."""
        return [one["outcome"] for one in self.log()]

    def write_user_settings(self, text: str) -> Path:
        """The settings file of the user."""
        path = self.home / ".claude/plugins/prompt-review/config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def waiting(self) -> list[str]:
        """The files of what waits for somebody."""
        return sorted(path.name for path in (self.cache / "prompt-reviews").glob("*.json"))


def id_in(text: str) -> str:
    """The id that a text names."""
    found = ID.search(text)
    assert found is not None, text
    return found[0]


def as_it_is(prompt: str, why: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a review that did not take place."""
    return 0, prompt, f"prompt review: the prompt goes on as it is: {why}\n"


def all_of(done: Result) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    return done.returncode, done.stdout, done.stderr
