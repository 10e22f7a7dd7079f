"""What people decide about a review in rounds: another round is wanted, or it is over."""

from __future__ import annotations

from datetime import UTC, datetime

from review_gate.errors import MisuseError, ReviewGateError
from review_gate.shell.rounds_store import ReviewFolder
from review_gate.workflows.round_check import end_asking
from review_gate.workflows.round_state import open_state
from review_gate.workflows.round_times import now_text


def continued(folder: ReviewFolder) -> None:
    """Grant another round; once for each that was decided."""
    with folder.alone():
        state = open_state(folder)
        if folder.decision(state.round) is None:
            raise ReviewGateError(
                f"round {state.round} of {folder.id} is not decided yet",
                why="another round is granted to whoever knows what this one said",
                next_step=f"review-gate check {folder.id} --wait",
            )
        if state.granted_after < state.round:
            update = {"granted": state.granted + 1, "granted_after": state.round}
            folder.write_state(state.model_copy(update=update))
            folder.log("continued", now_text(datetime.now(UTC)), round=state.round)


def closed(folder: ReviewFolder, because: str) -> None:
    """End a review without an agreement."""
    if not because.strip():
        raise MisuseError(
            "--because says nothing",
            why="the reason for which a review ended is kept",
            next_step=f"review-gate rounds close {folder.id} --because TEXT",
        )
    with folder.alone():
        state = open_state(folder)
        end_asking(folder)
        consensus = state.consensus.model_copy(update={"outcome": "closed", "reason": because})
        folder.write_state(state.model_copy(update={"status": "resolved", "consensus": consensus}))
        folder.log("closed", now_text(datetime.now(UTC)), round=state.round, because=because)
