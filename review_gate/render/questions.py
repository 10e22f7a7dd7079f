"""What the subagents of a session are asked: as text to be read, and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from review_gate.models import Subject
from review_gate.pipeline.question import ReviewAnswer
from review_gate.pipeline.session_file import SessionQuestion, blank_document
from review_gate.safe_text import safe

SEPARATOR = "----- {} (loop {}) -----"
NOBODY = "No reviewer of the loops that were asked for looks at this change.\n"


def questions_text(questions: Sequence[SessionQuestion]) -> str:
    """The questions as they are; where there are several, each under the name of its reviewer."""
    if len(questions) == 1:
        return safe(questions[0].question)
    parts = [f"{SEPARATOR.format(one.reviewer, one.loop)}\n{one.question}" for one in questions]
    return safe("\n".join(parts)) or NOBODY


def questions_json(questions: Sequence[SessionQuestion], subject: Subject, policy: str) -> str:
    """The questions, the shape of each answer, and the document that `run --findings` takes, to be filled in."""
    document = {
        "questions": [one.model_dump(mode="json") for one in questions],
        "answer": ReviewAnswer.model_json_schema(),
        "findings": blank_document(subject, policy),
    }
    return json.dumps(document, indent=2)
