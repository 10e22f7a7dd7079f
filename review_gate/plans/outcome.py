"""How a call of a plan review ends: with a verdict, or with a question that waits for an answer."""

from __future__ import annotations

from typing import NamedTuple

from review_gate.plans.experts import EXPERT, HAVE_VOTED, Opinion
from review_gate.plans.machine import Review
from review_gate.plans.panel import Panel
from review_gate.plans.schema import Phase, Violation


class PersonQuestion(NamedTuple):
    """What a person is asked, by whom and why, and whether that is the question of the last call."""

    voice: str
    violation: Violation
    # Why a fix, or an earlier answer, could not be made.
    why: str = ""
    # The words of the persona, where a model gave some.
    explanation: str = ""
    is_same: bool = False


class PlanOutcome(NamedTuple):
    """The review as it stands when a call ends, and who had a part in it."""

    review: Review
    panel: Panel
    checks: int
    warnings: tuple[str, ...]
    opinions: tuple[Opinion, ...] = ()
    # What waits for an answer, or, of a rejected plan, why it cannot be accepted.
    question: PersonQuestion | None = None
    # What the models took, in words.
    took: str = ""
    # The checks that an incomplete review leaves open; None where they are not what it ended with.
    failing: tuple[str, ...] | None = None

    @property
    def not_asked(self) -> tuple[str, ...]:
        """The experts of the panel that nobody asked, or not yet."""
        asked = {one.expert for one in self.opinions if not one.is_unasked}
        return tuple(persona.name for persona in self.panel.experts if persona.name not in asked)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """What a review without approval leaves open."""
        if self.review.phase is Phase.APPROVED:
            return ()
        if self.failing is not None:
            return self.failing
        if self.review.violation is not None:
            return (self.review.violation.check,)
        return tuple(f"{EXPERT}{one.expert}" for one in self.opinions if one.stance not in HAVE_VOTED)
