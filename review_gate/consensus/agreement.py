"""What the ledger keeps of a review in rounds that has agreed: on which content, and who voted."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field, ValidationError

from review_gate.consensus.schema import Decision, Request, ReviewState, Time, Vote
from review_gate.gate.record import LOOP_COUNT, NOT_RUN
from review_gate.models import Frozen
from review_gate.ports import Family

POLICY = "rounds"


class Voter(Frozen):
    """One who passed."""

    name: str
    family: Family
    model: str = ""


class Agreement(Frozen):
    """An agreed review of a change: the content by its base and tree, and who has passed it."""

    id: str
    commit: str | None
    tree: str
    base: str
    finished: Time
    round: int = Field(ge=1)
    voters: tuple[Voter, ...]
    # Files of which nobody saw everything.
    unseen: tuple[str, ...] = ()

    def voices(self, *, independent_families: bool) -> int:
        """How many votes that is; of one family only one where independence is asked for."""
        return len({voter.family for voter in self.voters}) if independent_families else len(self.voters)


def agreement_of(state: ReviewState, request: Request, decision: Decision, now: str) -> Agreement | None:
    """What is to be kept of a review that agreed; nothing of a text, which is no part of a commit."""
    if decision.outcome != "agreed" or not request.subject.tree:
        return None
    members = {member.name: member for member in request.members}
    passed = [name for name, vote in decision.votes.items() if vote is Vote.PASS]
    return Agreement(
        id=state.id,
        commit=request.subject.commit,
        tree=request.subject.tree,
        base=request.subject.base,
        finished=now,
        round=request.round,
        voters=tuple(
            Voter(name=name, family=members[name].family, model=state.reviewers[name].model) for name in passed
        ),
        unseen=decision.unseen,
    )


def entry_of(agreement: Agreement) -> dict[str, object]:
    """An agreement as an entry of the ledger, in the shape of every review there; no loop was run for it."""
    fields = agreement.model_dump(mode="json")
    own = {name: fields.pop(name) for name in ("round", "voters", "unseen")}
    usual = {"policy": POLICY, "loops": [NOT_RUN] * LOOP_COUNT, "blockers": [], "blocker_count": 0}
    return {**fields, **usual, POLICY: own}


def agreement_in(entry: Mapping[str, object]) -> Agreement | None:
    """The agreement that an entry of the ledger holds, None where it holds none."""
    own = entry.get(POLICY)
    fields = {name: entry.get(name) for name in ("id", "commit", "tree", "base", "finished")}
    try:
        return Agreement.model_validate({**fields, **own}) if isinstance(own, dict) else None
    except (ValidationError, TypeError):
        return None
