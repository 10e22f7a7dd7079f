"""From what a reviewer answered to a critique that counts: what is malformed is dropped and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from review_gate.pipeline.answers import Unusable, fitting, read_document
from review_gate.pipeline.question import REPEATS, repeats_instructions
from review_gate.prompts.schema import (
    MOST_FINDINGS,
    MOST_OPERATIONS_IN_ALL,
    Critique,
    CritiqueAnswer,
    PromptFinding,
    Role,
    Weight,
)
from review_gate.reviewers.text import visible

# What a reviewer of this role reports is never a matter of taste.
SECURITY_WEIGHTS = (Weight.BLOCKER, Weight.MAJOR)
CONTRADICTS_ITSELF = "it says no_issues beside findings"
ALL_DROPPED = "not one of its findings has the form that was asked for"
OTHER_ROLE = "it is the answer of another reviewer ({})"


class Refused(NamedTuple):
    """Why an answer is no critique."""

    why: str


def critique_in(role: Role, raw: str, nonce: str = "") -> Critique | Refused:
    """The critique in a text that a model has written."""
    if nonce and repeats_instructions((raw,), nonce):
        return Refused(REPEATS)
    document = read_document(raw)
    return Refused(document.why) if isinstance(document, Unusable) else critique_of(role, document)


def critique_of(role: Role, document: Mapping[str, object]) -> Critique | Refused:
    """The critique that a JSON object is; a finding that is malformed takes no other with it."""
    findings = document.get("findings")
    # Without its findings, which are judged one by one.
    answer = fitting({**document, "findings": []}, CritiqueAnswer)
    if not isinstance(answer, CritiqueAnswer):
        return Refused(getattr(answer, "why", "another shape"))
    if not isinstance(findings, list) or len(findings) > MOST_FINDINGS:
        return Refused(f"its findings are no list of up to {MOST_FINDINGS}")
    if answer.reviewer_role is not role:
        return Refused(OTHER_ROLE.format(answer.reviewer_role.value))
    if answer.no_issues and findings:
        return Refused(CONTRADICTS_ITSELF)
    kept = tuple(_within_limit(one for one in (_finding(role, said) for said in findings) if one is not None))
    if findings and not kept:
        return Refused(ALL_DROPPED)
    return Critique(role=role, findings=kept, confidence=answer.confidence, dropped=len(findings) - len(kept))


def _within_limit(findings: Iterable[PromptFinding]) -> Iterator[PromptFinding]:
    """The findings whose operations are not too many in all; each pair of them has to be compared."""
    count = 0
    for one in findings:
        count += len(one.suggested_ops)
        if count <= MOST_OPERATIONS_IN_ALL or not one.suggested_ops:
            yield one


def _finding(role: Role, said: object) -> PromptFinding | None:
    found = fitting(said, PromptFinding)
    if not isinstance(found, PromptFinding):
        return None
    if role is Role.SECURITY and found.severity not in SECURITY_WEIGHTS:
        return None
    return found if all(is_usable(operation.value) for operation in found.suggested_ops) else None


def is_usable(value: str) -> bool:
    """Whether a text may go into a prompt: there is some, and nothing in it that a reader would not see."""
    return bool(value.strip()) and visible(value.replace("\n", "")) == value.replace("\n", "")
