"""A reviewer of a run that asks nobody: it looks whether reviewers in rounds have agreed on exactly this content."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.config.schema import Rounds
from review_gate.consensus.agreement import Agreement, agreement_in
from review_gate.embedded import ROUNDS
from review_gate.errors import GitError
from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject
from review_gate.ports import Outcome
from review_gate.shell import ledger
from review_gate.shell.git import Git

SPAWN = "review-gate spawn-code-review {}, then review-gate check --wait"
MOST_NAMED = 3
NONE = "no reviewers have agreed in rounds on this content ({})"


class RoundsReviewer:
    """Passes with an agreement on this tree that begins where the run begins, or before."""

    id = ROUNDS
    is_required = True

    def __init__(self, git: Git, subject: Subject, settings: Rounds) -> None:
        self._git = git
        self._subject = subject
        self._settings = settings

    def review(self) -> Outcome:
        """Look into the ledger."""
        try:
            found = next((one for one in self._agreements() if self._counts(one)), None)
        except GitError as error:
            return Outcome(could_not_run=error.what)
        if found is None:
            return Outcome(could_not_run=NONE.format(SPAWN.format(self._scope())))
        names = ", ".join(voter.name for voter in found.voters)
        more = f" and {len(found.unseen) - MOST_NAMED} more" if len(found.unseen) > MOST_NAMED else ""
        unseen = f"; nobody saw all of {', '.join(found.unseen[:MOST_NAMED])}{more}" if found.unseen else ""
        return Outcome(detail=f"{found.id} agreed in round {found.round}: {names}{unseen}")

    def _agreements(self) -> Iterator[Agreement]:
        """All of this tree, the newest first."""
        for entry in reversed(ledger.whole_reviews(self._git, ledger.AGREEMENTS + self._subject.tree)):
            found = agreement_in(entry)
            if found is not None:
                yield found

    def _counts(self, agreement: Agreement) -> bool:
        voices = agreement.voices(independent_families=self._settings.independent_families)
        return voices >= self._settings.quorum and self._covers(agreement.base)

    def _covers(self, base: str) -> bool:
        """Whether a review from there on has seen all that this run is about."""
        ours = self._subject.base
        if base == ours or base in EMPTY_TREES:
            return True
        if ours in EMPTY_TREES:
            return False
        return self._git.try_run("merge-base", "--is-ancestor", base, ours)[0] == 0

    def _scope(self) -> str:
        if self._subject.is_staged:
            return "--uncommitted"
        return f"{self._subject.base[:12]}..{(self._subject.commit or '')[:12]}"
