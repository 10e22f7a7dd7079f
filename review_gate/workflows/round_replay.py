"""review-gate rounds replay: every decision once more, from what was asked and answered; it has to be the same."""

from __future__ import annotations

from typing import NamedTuple

from review_gate.consensus.schema import Decision
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import PastRound
from review_gate.shell.rounds_store import ReviewFolder


class Replayed(NamedTuple):
    """One round, and whether its decision comes out as it was kept."""

    round: int
    outcome: str
    agrees: bool


def decisions_of(folder: ReviewFolder) -> list[Decision]:
    """The decisions that were kept, in order."""
    found = (folder.decision(number) for number in range(1, folder.state().round + 1))
    return [one for one in found if one is not None]


def replayed(folder: ReviewFolder) -> list[Replayed]:
    """Each decision beside the one that follows from the archive alone: those before it are worked out too."""
    state, past = folder.state(), list[PastRound]()
    rounds: list[Replayed] = []
    for number in range(1, state.round + 1):
        kept = folder.decision(number)
        # The last round may be under way, or ended by a person before it was decided.
        if kept is None and number == state.round and state.consensus.outcome != "agreed":
            break
        request = folder.request(number)
        again = decide(request, folder.answers(request), past, state.settings)
        past.append(PastRound(request, again))
        rounds.append(Replayed(number, again.outcome, again == kept))
    return rounds
