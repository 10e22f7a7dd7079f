"""A review of a prompt, or the questions for a session's subagents, for programs."""

from __future__ import annotations

import json
from typing import Any

from review_gate.prompts.editor.contradiction import Conflict
from review_gate.prompts.editor.proposal import Proposal
from review_gate.prompts.outcome import Decided, HandOut, PromptReview
from review_gate.render import prompt_words as words

VERSION = 1
MERGE = "review-gate prompt-review merge {} FILE"
INSTRUCTIONS = (
    "Give each prompt, unchanged, to a subagent without tools, all at the same time. Write their answers, unchanged,"
    " into FILE as one JSON object by role, then run `next`. One that does not answer in time is left out."
)
DECIDE = "review-gate prompt-review decide {} yes|no|edit"


def review_json(review: PromptReview, *, waits: bool = True) -> str:
    """One review, with the next step where it waits for one."""
    return json.dumps(review_document(review, waits=waits), indent=2)


def review_document(review: PromptReview, *, waits: bool = True) -> dict[str, Any]:
    """The same before it is written."""
    return {
        "version": VERSION,
        "id": review.id,
        "status": review.status,
        "trigger": review.trigger,
        "mode": review.mode,
        "project": review.project,
        "prompt": review.prompt,
        "refined": review.refined,
        **_edits(review),
        "reviewers": [
            {
                "role": one.role.value,
                "standing": words.standing_of(one),
                "findings": []
                if one.critique is None
                else [item.model_dump(mode="json") for item in one.critique.findings],
                "dropped": 0 if one.critique is None else one.critique.dropped,
                "problem": one.problem,
            }
            for one in review.reviewers
        ],
        "passed_over": {role.value: why for role, why in review.passed_over},
        "severity_max": review.severity_max.value if review.severity_max is not None else None,
        "cost": review.cost.model_dump(mode="json"),
        "duration_ms": review.duration_ms,
        "is_cached": review.is_known,
        "notes": list(review.notes),
        "why": review.why,
        "next": DECIDE.format(review.id) if waits and review.status == "proposed" else "",
    }


def _edits(review: PromptReview) -> dict[str, Any]:
    edited = review.edited
    if edited is None:
        return {"changes": [], "conflicts": [], "said_already": [], "not_applied": []}
    return {
        "changes": [{"sign": one.sign, **_proposal(one.proposal)} for one in words.changes_of(edited)],
        "conflicts": [_conflict(one) for one in edited.conflicts],
        "said_already": [_proposal(one) for one in edited.known],
        "not_applied": [{**_proposal(one), "why": words.why_unplaced(one)} for one in edited.unplaced],
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "is_disagreement": conflict.is_disagreement,
        "summary": words.resolution(conflict),
        "first": _proposal(conflict.first),
        "second": _proposal(conflict.second),
    }


def _proposal(one: Proposal) -> dict[str, Any]:
    return {
        "reviewer": one.role.value,
        "also": [role.value for role in one.also],
        "finding": one.finding,
        "severity": one.severity.value,
        "op": one.op.value,
        "target": one.target.value,
        "value": one.value,
        "evidence": one.evidence,
    }


def questions_json(handed: HandOut) -> str:
    """What the subagents of a session are asked: each question whole, with the role that answers it."""
    name = handed.review.id
    return json.dumps(
        {
            "version": VERSION,
            "id": name,
            "status": "ask_reviewers",
            "reviewers": [
                {"role": task.role.value, "model": handed.model, "prompt": f"{handed.shared}\n\n{task.text}"}
                for task in handed.tasks
            ],
            "known": [one.role.value for one in handed.known],
            "seconds": handed.seconds,
            "instructions": INSTRUCTIONS,
            "next": MERGE.format(name),
        },
        indent=2,
    )


def decided_json(decided: Decided) -> str:
    """The prompt that goes on."""
    return json.dumps({"version": VERSION, **decided.model_dump(mode="json")}, indent=2)
