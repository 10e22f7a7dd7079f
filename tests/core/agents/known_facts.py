"""Facts that are written down instead of looked up, and events of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from review_gate.agents.event import Edits, Event
from review_gate.agents.facts import INTACT, GateAnswer, Round
from review_gate.agents.here import Here

if TYPE_CHECKING:
    from review_gate.agents.event import Kind

CLOSED = GateAnswer(
    is_open=False,
    text="blocked: No review state found. Run /review before shipping.\n  why:   x\n  next:  review-gate run",
    document={
        "allowed": False,
        "message": "No review state found. Run /review before shipping.",
        "why": "commit 1111 was never reviewed",
        "next": "review-gate run",
        "commit": "1" * 40,
        "reviewed_commit": None,
        "blockers": ["No review state found. Run /review before shipping."],
    },
)
OPEN = GateAnswer(
    is_open=True,
    text="approved: Commit 11111111 passed its review.",
    document={"allowed": True, "message": "Commit 11111111 passed its review.", "commit": "1" * 40},
)
HERE = "/repo"


class KnownFacts(Here):
    """What the tests say is so; `pushes` are the pushes that the gate was asked about."""

    def __init__(
        self,
        *,
        gate: GateAnswer | None = CLOSED,
        lost: Sequence[str] = (),
        unregistered: Sequence[str] = (),
        guarded: Mapping[str, str] | None = None,
        aliases: Mapping[str, str] | None = None,
        approved: str | None = None,
        rounds: Sequence[Round] = (),
        stops: int = 0,
        hooks: str = INTACT,
    ) -> None:
        super().__init__("claude", {})
        self.hooks = hooks
        self.gate = gate
        self.lost = lost
        self.unregistered = unregistered
        self.guarded = guarded or {}
        self.known_aliases = aliases or {}
        self.approved = approved
        self.known_rounds = rounds
        self.counted = stops
        self.pushes: list[tuple[str, tuple[str, ...]]] = []

    def head_gate(self, folder: str) -> GateAnswer | None:
        return self.gate

    def push_gate(self, folder: str, arguments: Sequence[str]) -> GateAnswer | None:
        self.pushes.append((folder, tuple(arguments)))
        return self.gate

    def push_hook(self, folder: str) -> str:
        return self.hooks

    def open_submodules(self, folder: str) -> Sequence[str]:
        return ()

    def aliases(self, folder: str) -> Mapping[str, str]:
        return self.known_aliases

    def guarded_name(self, path: str, folder: str) -> str:
        return self.guarded.get(path, "")

    def keeps_registration(self, path: str, edits: Edits, folder: str) -> bool:
        return bool(edits.whole and "review-gate" in edits.whole)

    def plan_problem(self, plan: str, path: str, folder: str) -> tuple[str, str]:
        if plan == self.approved:
            return "", ""
        return "the plan was not approved", f"review-gate expert-review {path}"

    def rounds(self, folder: str, session: str) -> Sequence[Round]:
        return self.known_rounds

    def stops(self, session: str, last_words: str) -> int:
        return self.counted

    def stop_limit(self, folder: str) -> int:
        return 5

    def review_scope(self, folder: str, base: str) -> Mapping[str, object]:
        return {"commit": "1" * 40, "base": base or None, "files": ["a.py"], "file_count": 1}

    def lost_protection(self, folder: str) -> Sequence[str]:
        return self.lost

    def lost_registration(self, folder: str) -> Sequence[str]:
        return self.unregistered

    def reviews_prompts(self) -> bool:
        return True

    def prompt_name(self, session: str, turn: str, prompt: str) -> str:
        return "prompt-0123456789ab"


def event(kind: Kind, **fields: Any) -> Event:
    """An event of Claude Code in the repository."""
    return Event(kind, **{"agent": "claude", "session": "s", "folder": HERE, **fields})


def reviewed(outcome: str, *, review: str = "code-0011aabb", open_findings: int = 2) -> Round:
    return Round(review, outcome=outcome, round=1, open_findings=open_findings, place="code")
