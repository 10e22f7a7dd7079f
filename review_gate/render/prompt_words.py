"""The words for what happened to a prompt, the same in every form of a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from review_gate.prompts.editor.contradiction import Conflict
from review_gate.prompts.editor.edit import Edited
from review_gate.prompts.editor.proposal import Proposal
from review_gate.prompts.outcome import PromptReview, Reviewed
from review_gate.prompts.schema import Op

THOUSAND = 1_000
SIGNS = {"Added": "+", "Replaced": "~", "Removed": "-", "Restructured": "~"}
NOT_THERE = "what it is about is not in the prompt as it quotes it"
NO_SENTENCES = "its outline is not made of the prompt's own sentences"


class Change(NamedTuple):
    """One edit as it is told."""

    verb: str
    proposal: Proposal

    @property
    def sign(self) -> str:
        """What stands before it."""
        return SIGNS[self.verb]

    @property
    def who(self) -> str:
        """Who proposed it."""
        return ", ".join(role.label for role in (self.proposal.role, *self.proposal.also))

    @property
    def what(self) -> str:
        """The words that it is about."""
        one = self.proposal
        if self.verb == "Replaced":
            return f'"{_flat(one.evidence)}" -> "{_flat(one.new)}"'
        if self.verb == "Restructured":
            return "the whole prompt, in another order" if one.is_outline else f'heading "{_flat(one.new)}"'
        return f'"{_flat(one.old[0] if one.old else one.new)}"'


def changes_of(edited: Edited) -> tuple[Change, ...]:
    """Every edit that was made, by priority."""
    return tuple(Change(_verb(one), one) for one in edited.applied)


def _verb(one: Proposal) -> str:
    if one.op is Op.REFACTOR_STRUCTURE:
        return "Restructured"
    return {Op.REPLACE_VAGUE: "Replaced", Op.REMOVE_CONSTRAINT: "Removed"}.get(one.op, "Added")


def said_of(one: Proposal) -> str:
    """A proposal in a few words."""
    change = Change(_verb(one), one)
    return f"[{change.who}] {one.op.value} {change.what}"


def resolution(conflict: Conflict) -> str:
    """Two proposals of which the stronger one was applied, or between which nothing decides."""
    first, second = said_of(conflict.first), said_of(conflict.second)
    if conflict.is_disagreement:
        return f"REVIEWER DISAGREEMENT: {first} against {second}; neither was applied"
    return f"{first} stands against {second}"


def why_unplaced(one: Proposal) -> str:
    """Why a proposal could not be carried out."""
    return NO_SENTENCES if one.is_outline else NOT_THERE


def standing_of(one: Reviewed) -> str:
    """How a reviewer did, in a word."""
    return "unavailable" if one.critique is None else "known" if one.is_known else "ok"


def cost_of(review: PromptReview) -> str:
    """What a review took, as the block tells it."""
    cost = review.cost
    price = (
        "unknown price" if cost.usd is None else f"${cost.usd:.2f}" if not 0 < cost.usd < 0.005 else f"${cost.usd:.4f}"
    )
    told = f"Cost: {price} ({'subscription' if review.mode == 'subscription' else 'API'})"
    count = cost.input_tokens + cost.output_tokens
    tokens = f"{count / THOUSAND:.1f}K tokens" if count >= THOUSAND else f"{count} tokens"
    # What the subagents of a session use is counted there.
    is_counted = review.is_known or count > 0
    return f"{told} | {tokens if is_counted else 'tokens not known'}{' | from the cache' if review.is_known else ''}"


def remarks_of(review: PromptReview) -> Iterator[str]:
    """What has to be said besides: who failed, what was dropped, and what stands in the notes."""
    failed = review.failed
    if failed:
        yield f"{len(failed)} reviewer{'s' if len(failed) > 1 else ''} unavailable."
        yield from (f"{one.role.label}: {one.problem}" for one in failed)
    if review.dropped:
        yield f"{review.dropped} malformed finding{'s were' if review.dropped > 1 else ' was'} dropped."
    yield from review.notes


def _flat(text: str) -> str:
    return " ".join(text.split())
