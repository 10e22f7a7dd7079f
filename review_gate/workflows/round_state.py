"""The state of a review that people may still change."""

from __future__ import annotations

from review_gate.consensus.schema import ReviewState
from review_gate.errors import ReviewGateError
from review_gate.shell.rounds_store import ReviewFolder


def open_state(folder: ReviewFolder) -> ReviewState:
    """The state of a review that is not over: what ended stays as it ended."""
    state = folder.state()
    if state.status == "resolved":
        raise ReviewGateError(
            f"the review {folder.id} is over ({state.consensus.outcome})",
            why="nothing that is said now changes how it ended",
            next_step=f"review-gate rounds show {folder.id}, or begin a new review",
        )
    return state
