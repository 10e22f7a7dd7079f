"""What the review of a plan goes by and remembers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from review_gate.models import Frozen

MOST_EDITS = 10
MOST_RETRIES = 3
# Far more than a review can make; a file that holds more was not written by one.
MOST_HISTORY = 1_000
Count = Annotated[int, Field(ge=0, strict=True)]


class Phase(StrEnum):
    """Where a review stands; the last three are its ends."""

    CHECKING = "checking"
    FIXING = "fixing"
    ASKING = "asking"
    REVIEWING = "reviewing"
    APPROVED = "approved"
    REJECTED = "rejected"
    INCOMPLETE = "incomplete"

    @property
    def is_end(self) -> bool:
        """Whether nothing follows."""
        return self in (Phase.APPROVED, Phase.REJECTED, Phase.INCOMPLETE)


class Edit(Frozen):
    """One edit of the plan: the check that wanted it, what it did, and the line on which it was made."""

    check: str
    fix: str
    line: Annotated[int, Field(ge=1, strict=True)]


class Begun(Frozen):
    """A fix that was counted and may not be in the plan yet: digests of the plan before it and after it."""

    check: str
    before: str
    after: str
    is_by_person: bool = False


class Asked(Frozen):
    """A question that waits for an answer: the check and its pattern, and the digest of the plan that it was about."""

    check: str
    plan: str
    pattern: str = ""


class PlanState(Frozen):
    """What is remembered between two calls: state.yaml."""

    edits: Count = 0
    retries: dict[str, Count] = Field(default_factory=dict)
    history: tuple[Edit, ...] = Field(default=(), max_length=MOST_HISTORY)
    approved: tuple[str, ...] = ()
    begun: Begun | None = None
    asked: Asked | None = None

    def retried(self, check: str) -> int:
        """How often a check was tried to be mended."""
        return self.retries.get(check, 0)


class Violation(Frozen):
    """The first thing that a plan does not pass, and where: a check, or what an expert objects to."""

    check: str
    pattern: str
    reason: str
    line: int = Field(ge=1)
    matched: str
    has_fix: bool
    rejects: bool
    # Of an expert: who says it, and what to do instead.
    voice: str = ""
    advice: str = ""


class Answer(Frozen):
    """What a person says to a question."""

    kind: Literal["approve", "abort", "replace"]
    text: str = ""
