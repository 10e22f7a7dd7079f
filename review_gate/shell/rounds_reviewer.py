"""The reviewer `rounds` of a run: it passes when reviewers in rounds have agreed on exactly this content."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import cached_property

from review_gate.config.schema import Rounds
from review_gate.consensus.agreement import Agreement, agreement_in
from review_gate.consensus.ballot import ballot_of
from review_gate.consensus.schema import Issue, Request, ReviewState
from review_gate.consensus.tracking import is_quoted_from, plain
from review_gate.embedded import ROUNDS
from review_gate.errors import ReviewGateError
from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject
from review_gate.ports import Outcome
from review_gate.reviewers.text import visible
from review_gate.safe_text import written_out
from review_gate.shell import ledger
from review_gate.shell.change_text import changed_texts
from review_gate.shell.changes import changed_between
from review_gate.shell.git import Git
from review_gate.shell.rounds_store import ReviewFolder, RoundsStore

SPAWN = "review-gate spawn-code-review {}, then review-gate check --wait"
MOST_NAMED = 3
OPEN = "{} has findings about what stands here that are not settled (review-gate check {})"
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
        """The reviews with something to be settled that stands here: another one that agreed does not settle it."""
        for folder, state in self._store.reviews():
            found: list[tuple[Request, Sequence[Issue]]] = []
            # One that is damaged tells nothing.
            with contextlib.suppress(ReviewGateError):
                found = list(_objections(folder, state))
            if any(self._stands_here(request, issues) for request, issues in found):
                yield folder.id

    def _stands_here(self, request: Request, issues: Sequence[Issue]) -> bool:
        """Whether what was found in a round is about this content, or about words that it still has."""
        if not issues or not request.subject.tree:
            return False
        if request.subject.tree == self._subject.tree:
            return True
        shown = {file.path for group in request.groups for file in group.files}
        # A finding in files that this run does not change says nothing about it.
        if not self._changed & {*shown, *(file.path for file in request.not_shown)}:
            return False
        return any(is_quoted_from(issue.quote, self._lines) for issue in issues)

    @cached_property
    def _changed(self) -> set[str]:
        return {written_out(path) for path in self._paths(self._subject.base, self._subject.tree)}

    @cached_property
    def _lines(self) -> list[str]:
        """The lines of the change as reviewers in rounds would be shown them."""
        changes = changed_between(self._git, self._subject.base, self._subject.tree)
        return [
            plain(visible(line)) for file in changed_texts(self._git, self._subject, changes) for line in file.lines
        ]

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


def _objections(folder: ReviewFolder, state: ReviewState) -> Iterator[tuple[Request, Sequence[Issue]]]:
    """What has to be settled of a review that is not over, and in what it was found.

    It stays so while the next round is under way, and what was said in that one counts before anybody collects it.
    """
    if state.status == "resolved":
        return
    if state.consensus.open:
        yield _objected(folder, state.consensus.round)
    if state.status == "pending":
        yield _objected(folder, state.round)


def _objected(folder: ReviewFolder, number: int) -> tuple[Request, Sequence[Issue]]:
    request, decision = folder.request(number), folder.decision(number)
    if decision is not None:
        return request, decision.blocking
    answers = folder.answers(request)
    ballots = (ballot_of(member, answers.get(member.name), request) for member in request.members)
    return request, [issue for ballot in ballots for issue in ballot.issues if issue.is_blocking]
