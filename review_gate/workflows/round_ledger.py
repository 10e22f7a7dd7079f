"""An agreement in rounds goes to the ledger, where a run can find it."""

from __future__ import annotations

from review_gate.consensus.agreement import agreement_of, entry_of
from review_gate.consensus.schema import Decision, Request, ReviewState
from review_gate.shell import ledger
from review_gate.shell.repository import Repository


def record_agreement(
    repository: Repository | None, state: ReviewState, request: Request, decision: Decision, now: str
) -> str:
    """Write down that a change was agreed on; the name of the entry, empty where there is nothing to write."""
    agreement = agreement_of(state, request, decision, now)
    if repository is None or agreement is None:
        return ""
    ref = ledger.AGREEMENTS + agreement.tree
    ledger.append(repository.git, ref, lambda _: entry_of(agreement))
    return ref
