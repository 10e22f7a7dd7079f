"""Findings from round to round: which are new, still open, gone, or back; and what need not be settled any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from review_gate.consensus.ballot import merged, shown_lines, stands_in
from review_gate.consensus.schema import Ballot, Decision, Issue, Request, Settings, Vote
from review_gate.models import Severity

LATE = "new in round {} about lines that have not changed since the last one: only what is critical counts there now"


class PastRound(NamedTuple):
    """A round that was decided."""

    request: Request
    decision: Decision


class Tracked(NamedTuple):
    """The findings of a round in the light of those before, and which of the last round are gone."""

    issues: tuple[Issue, ...]
    fixed: tuple[str, ...]


def tracked(request: Request, ballots: Sequence[Ballot], past: Sequence[PastRound], settings: Settings) -> Tracked:
    """What the reviewers found, each finding with where it comes from."""
    found = [_with_past(issue, past, request.round) for issue in merged(ballots)]
    known = {issue.fingerprint for issue in found}
    last = past[-1].decision.issues if past else ()
    gone = [issue for issue in last if issue.fingerprint not in known]
    kept = list(_unseen(gone, ballots, request))
    held = {issue.fingerprint for issue in kept}
    unchanged = shown_lines(past[-1].request) if past else {}
    issues = [*(_waived(issue, unchanged, request.round, settings) for issue in found), *kept]
    fixed = tuple(issue.fingerprint for issue in gone if issue.is_blocking and issue.fingerprint not in held)
    return Tracked(tuple(issues), fixed)


def _with_past(issue: Issue, past: Sequence[PastRound], number: int) -> Issue:
    seen = [(one.request.round, other) for one in past for other in one.decision.issues if _is_same(issue, other)]
    if not seen:
        return issue.model_copy(update={"standing": "new", "since": number})
    last_round, last = seen[-1]
    is_back = last_round < past[-1].request.round
    return issue.model_copy(
        update={
            "standing": "came_back" if is_back else "open",
            "since": seen[0][0],
            "returned": last.returned + is_back,
        }
    )


def _is_same(one: Issue, other: Issue) -> bool:
    return one.fingerprint == other.fingerprint


def _unseen(gone: Sequence[Issue], ballots: Sequence[Ballot], request: Request) -> Iterator[Issue]:
    """Findings of the last round whose finders have no vote in this one, while what they are about still stands."""
    voters = {ballot.member for ballot in ballots if ballot.vote is not Vote.NONE}
    lines = shown_lines(request)
    for issue in gone:
        is_there = not issue.quote or stands_in(issue.quote, lines.get(issue.file or "", frozenset()))
        if issue.is_blocking and not voters.intersection(issue.reviewers) and is_there:
            yield issue.model_copy(update={"standing": "open"})


def _waived(issue: Issue, unchanged: dict[str, frozenset[str]], number: int, settings: Settings) -> Issue:
    """In a late round a new finding about old lines has to be critical."""
    is_late = number >= settings.late_round and issue.standing == "new" and issue.severity is not Severity.CRITICAL
    if not is_late or not stands_in(issue.quote, unchanged.get(issue.file or "", frozenset())):
        return issue
    return issue.model_copy(update={"waived": LATE.format(number)})
