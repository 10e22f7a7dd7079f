"""What a model on loopback says about plans: experts, the choice of a panel, explanations."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from modelling import Answer, Asked, Says

TOKEN = re.compile(r"^=== end of the plan \| token (?P<token>[0-9a-f]{8})$", re.MULTILINE)
NAME = re.compile(r"^- name: (?P<name>.*)$", re.MULTILINE)


def expert_of(asked: Asked) -> str:
    """Whose eyes a question asks for, nothing where it is not about a plan."""
    found = NAME.search(asked.task)
    return found["name"] if found else ""


def approves(asked: Asked, **fields: Any) -> Answer:
    """The whole plan was read, and nothing is wrong with it."""
    tokens = TOKEN.findall(asked.shared)
    usual: Answer = {"findings": [], "verified": "Each step can be checked.", "token": tokens[-1] if tokens else ""}
    return {**usual, **fields}


def finding(**fields: Any) -> dict[str, Any]:
    """One finding of an expert."""
    usual = {
        "severity": "major",
        "message": "Nobody can roll this back.",
        "line": 3,
        "quote": "Drop the old table.",
        "recommendation": "Keep the old table for a week.",
        "confidence": 0.9,
    }
    return {**usual, **fields}


def objects(asked: Asked, **fields: Any) -> Answer:
    """One thing has to change."""
    return approves(asked, findings=[finding(**fields)])


def chosen(*names: str) -> Answer:
    """A panel."""
    panel = [{"name": name, "domain": "its own", "focus": ["what matters"]} for name in names]
    return {"panel": panel, "reason": "They know this subject."}


def plan_model(
    expert: Callable[[Asked], Any] = approves,
    *,
    panel: Callable[[Asked], Any] = lambda _: chosen(),
    voice: str = "Whoever writes the text decides what runs.",
) -> Says:
    """A model that answers each kind of question about a plan."""

    def says(asked: Asked) -> Any:
        if expert_of(asked):
            return expert(asked)
        if "You choose who reviews" in asked.task:
            return panel(asked)
        return {"why": voice}

    return says
