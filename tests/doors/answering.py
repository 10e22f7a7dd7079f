"""A session of a coding agent: it asks for the questions of a run, and hands its subagents' answers in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conftest import Repo, Result
from modelling import HEADING

Document = dict[str, Any]
# By reviewer.
Findings = dict[str, list[dict[str, Any]]]
CODE: dict[str, str | bytes] = {"src/app.py": "def total(a, b):\n    return a + b\n", "docs/guide.md": "# Guide\n"}
REVIEWERS = ["build-reviewer", "test-reviewer", "security-reviewer"]
SINCE = ("--base", "HEAD~1")
NOTHING: Mapping[str, str] = {}


def questions(repo: Repo, *options: str, **environ: str) -> Document:
    """What the session is asked, for programs."""
    done = repo.gate("run", *options, "--questions", "--format", "json", **environ)
    assert done.returncode == 0, done.stderr
    asked: Document = json.loads(done.stdout)
    return asked


def tokens(question: str) -> dict[str, str]:
    """Path -> token of each file that a question shows."""
    return {found["path"]: found["token"] for found in HEADING.finditer(question)}


def finding(**fields: Any) -> dict[str, Any]:
    """One finding of a subagent."""
    usual = {
        "rule": "other",
        "severity": "major",
        "message": "this is wrong",
        "file": "src/app.py",
        "line": 2,
        "quote": "    return a + b",
        "recommendation": "do it right",
        "confidence": 0.9,
    }
    return usual | fields


def answers(repo: Repo, *options: str, found: Findings | None = None, environ: Mapping[str, str] = NOTHING) -> Document:
    """A document in which every reviewer has read everything and found nothing but what is given."""
    asked = questions(repo, *options, **environ)
    document: Document = asked["findings"]
    document["answers"] = [
        {
            "reviewer": one["reviewer"],
            "findings": (found or {}).get(one["reviewer"], []),
            "files_read": [{"path": path, "token": token} for path, token in tokens(one["question"]).items()],
        }
        for one in asked["questions"]
    ]
    return document


def keep(repo: Repo, document: object) -> Path:
    """A file with a document, outside of the work tree."""
    path = repo.path.parent / "findings.json"
    path.write_text(json.dumps(document))
    return path


def submit(repo: Repo, document: object, *options: str, **environ: str) -> Result:
    """A run with these answers."""
    return repo.gate("run", *options, "--yes", "--findings", str(keep(repo, document)), **environ)


def answered(repo: Repo, *options: str, found: Findings | None = None, environ: Mapping[str, str] = NOTHING) -> Result:
    """A run since the commit before, for which the session answers everything."""
    document = answers(repo, *SINCE, found=found, environ=environ)
    return submit(repo, document, *SINCE, *options, **environ)
