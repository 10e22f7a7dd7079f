"""The document that `run --findings` takes, with nothing in it: every plan shows it, so it costs no model to import."""

from __future__ import annotations

from typing import Any

from review_gate.models import Subject

VERSION = 1
ANSWERS, POLICY = "answers", "policy"


def blank_document(subject: Subject, policy: str) -> dict[str, Any]:
    """The file with nothing answered yet: the ids say what it is about."""
    return {
        "version": VERSION,
        "commit": subject.commit,
        "tree": subject.tree,
        "base": subject.base,
        POLICY: policy,
        ANSWERS: [],
    }
