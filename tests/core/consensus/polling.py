"""Rounds as tests need them: a request for some files, answers to it, and what they come to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from review_gate.consensus.schema import (
    Answer,
    Decision,
    Issue,
    Member,
    Mode,
    Refutation,
    Request,
    ReviewerState,
    ReviewState,
    Settings,
    ShownGroup,
)
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound
from review_gate.pipeline.exhibit import USUAL, Budget, FileText, exhibits

NONCE = "0123456789abcdef"
WHEN = "2026-01-02T03:04:05.678Z"
ANN = Member(name="claude", family="anthropic")
BOB = Member(name="codex", family="openai")
CEE = Member(name="gemini", family="google")
DAN = Member(name="anthropic", family="anthropic")
ALL = (ANN, BOB, CEE)
# So little that each file is a group of its own.
APART = Budget(per_file=40_000, per_group=1)
Files = Mapping[str, Sequence[str]]
FILES: Files = {"app.py": ("x = 2", "y = 3")}


def settings(**changes: Any) -> Settings:
    usual = {"quorum": 2, "independent_families": False, "max_rounds": 5, "answer_seconds": 60.0}
    return Settings.model_validate({**usual, **changes})


def request(files: Files = FILES, budget: Budget = USUAL, **changes: Any) -> Request:
    """A round about some files; a line is new unless it begins with its sign."""
    texts = [FileText(path, "changed", tuple(_numbered(lines))) for path, lines in files.items()]
    groups, not_shown = exhibits(texts, NONCE, budget)
    fields = {
        "round": 1,
        "began": WHEN,
        "deadline": WHEN,
        "nonce": NONCE,
        "content": sha256(json.dumps([(path, list(lines)) for path, lines in files.items()]).encode()).hexdigest(),
        "members": ALL,
        "groups": tuple(ShownGroup(text=group.text, files=group.files) for group in groups),
        "not_shown": not_shown,
    }
    return Request.model_validate({**fields, **changes})


def _numbered(lines: Sequence[str]) -> list[str]:
    signed = [line if line[:1] in ("+", "-", " ") else f"+{line}" for line in lines]
    return [f"{'' if line[0] == '-' else number:>6} {line}" for number, line in enumerate(signed, start=1)]


def said(**changes: Any) -> dict[str, Any]:
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


def text(group: ShownGroup, *findings: Mapping[str, Any], **changes: Any) -> str:
    """What a reviewer says about one group; it has read everything unless told otherwise."""
    is_bad = any(one["severity"] in ("critical", "major") for one in findings)
    usual = {
        "verdict": "fail" if is_bad else "pass",
        "findings": list(findings),
        "files_read": [{"path": file.path, "token": file.token} for file in group.files],
        "summary": "Looked at all of it.",
    }
    return json.dumps({**usual, **changes})


def answer(asked: Request, name: str, *findings: Mapping[str, Any], **changes: Any) -> Answer:
    """What one reviewer says: all findings are of the first group."""
    raw = [text(group, *(findings if number == 0 else ()), **changes) for number, group in enumerate(asked.groups)]
    return Answer(member=name, raw=tuple(raw), finished=WHEN)


def silent(name: str, problem: str = "timeout: no answer") -> Answer:
    return Answer(member=name, problem=problem, finished=WHEN)


# What each reviewer finds; None is no answer at all.
Told = Mapping[str, Sequence[Mapping[str, Any]] | None]
PASSES: Told = {"claude": (), "codex": (), "gemini": ()}


def answers(asked: Request, told: Told) -> dict[str, Answer]:
    return {
        name: silent(name) if findings is None else answer(asked, name, *findings) for name, findings in told.items()
    }


def decided(asked: Request, told: Told, past: Sequence[PastRound] = (), by: Settings | None = None) -> Decision:
    """What a round comes to; whoever is not named passes."""
    return decide(asked, answers(asked, {**PASSES, **told}), past, by or settings())


def played(*rounds: tuple[Files, Told], by: Settings | None = None, **last: Any) -> tuple[Decision, list[PastRound]]:
    """Some rounds one after the other: the decision of the last, and those before it."""
    past: list[PastRound] = []
    for number, (files, told) in enumerate(rounds, start=1):
        changes = last if number == len(rounds) else {}
        asked = request(files, round=number, **changes)
        past.append(PastRound(asked, decided(asked, told, past, by)))
    return past[-1].decision, past[:-1]


def refutation(issue: Issue, **changes: Any) -> Refutation:
    usual = {
        "fingerprint": issue.fingerprint,
        "because": "y makes up for it",
        "file": "app.py",
        "line": 2,
        "evidence": "y = 3",
        "quote": issue.quote or issue.message,
        "made": WHEN,
    }
    return Refutation.model_validate({**usual, **changes})


CODE = Mode(type="code-diff", scope="base", value="main", diff_args="--base main")


def state(**changes: Any) -> ReviewState:
    fields = {
        "id": "code-0a1b2c3d",
        "status": "pending",
        "trigger_source": "code-review-iterative",
        "mode": CODE,
        "settings": settings(),
        "created": WHEN,
        "round": 1,
        "reviewers": {one.name: ReviewerState(status="asked", family=one.family) for one in ALL},
    }
    return ReviewState.model_validate({**fields, **changes})
