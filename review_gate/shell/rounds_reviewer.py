"""A reviewer of a run that asks nobody: it looks whether reviewers in rounds have agreed on exactly this content."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from review_gate.config.schema import Rounds
from review_gate.consensus.agreement import Agreement, agreement_in
from review_gate.consensus.ballot import ballot_of
from review_gate.consensus.schema import ReviewState
from review_gate.embedded import ROUNDS
from review_gate.errors import ReviewGateError
from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject
from review_gate.ports import Outcome
from review_gate.shell import ledger
from review_gate.shell.changes import changed_between
from review_gate.shell.git import Git
from review_gate.shell.rounds_store import ReviewFolder, RoundsStore

SPAWN = "review-gate spawn-code-review {}, then review-gate check --wait"
MOST_NAMED = 3
OPEN = "{} has findings about this very content that are not settled (review-gate check {})"
NONE = "no reviewers have agreed in rounds on this content ({})"


class RoundsReviewer:
    """Passes with an agreement on this tree that begins where the run begins, or before, unless others object."""

    id = ROUNDS
    is_required = True

    def __init__(self, git: Git, subject: Subject, settings: Rounds, store: RoundsStore) -> None:
        self._git = git
        self._subject = subject
        self._settings = settings
        self._store = store

    def review(self) -> Outcome:
        """Look into the ledger, and for reviews of the same that have not agreed."""
        try:
            disagreeing = next(self._disagreeing(), None)
            found = next((one for one in self._agreements() if self._counts(one)), None)
        except ReviewGateError as error:
            return Outcome(could_not_run=error.what)
        if disagreeing is not None:
            return Outcome(could_not_run=OPEN.format(disagreeing, disagreeing))
        if found is None:
            return Outcome(could_not_run=NONE.format(SPAWN.format(self._scope())))
        names = ", ".join(voter.name for voter in found.voters)
        more = f" and {len(found.unseen) - MOST_NAMED} more" if len(found.unseen) > MOST_NAMED else ""
        unseen = f"; nobody saw all of {', '.join(found.unseen[:MOST_NAMED])}{more}" if found.unseen else ""
        return Outcome(detail=f"{found.id} agreed in round {found.round}: {names}{unseen}")

    def _disagreeing(self) -> Iterator[str]:
        """The reviews of this tree with something to be settled: another one that agreed does not settle it."""
        for folder, state in self._store.reviews():
            # One that is damaged tells nothing.
            with contextlib.suppress(ReviewGateError):
                if self._is_unsettled(folder, state) or self._is_objected_to(folder, state):
                    yield folder.id

    def _is_unsettled(self, folder: ReviewFolder, state: ReviewState) -> bool:
        """Whether a review has open findings about this tree; they stay so while its next round is under way."""
        is_open = state.status != "resolved" and state.consensus.open > 0
        return is_open and folder.request(state.consensus.round).subject.tree == self._subject.tree

    def _is_objected_to(self, folder: ReviewFolder, state: ReviewState) -> bool:
        """Whether somebody objects to this tree in answers that nobody has collected yet."""
        request = folder.request(state.round)
        if state.status != "pending" or request.subject.tree != self._subject.tree:
            return False
        answers = folder.answers(request)
        ballots = (ballot_of(member, answers.get(member.name), request) for member in request.members)
        return any(issue.is_blocking for ballot in ballots for issue in ballot.issues)

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
        if base == ours or ours in EMPTY_TREES:
            return base == ours
        if base not in EMPTY_TREES and self._git.try_run("merge-base", "--is-ancestor", base, ours)[0] != 0:
            return False
        # Of a file that changed before this run and in it, whoever began earlier did not see what is taken back.
        return not self._paths(base, ours) & self._paths(ours, self._subject.tree)

    def _paths(self, base: str, tree: str) -> set[str]:
        return {change.path for change in changed_between(self._git, base, tree)}

    def _scope(self) -> str:
        if self._subject.is_staged:
            return "--uncommitted"
        return f"{self._subject.base[:12]}..{(self._subject.commit or '')[:12]}"
