"""Findings from round to round: which are new, still open, gone, or back; and what need not be settled any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from review_gate.consensus.ballot import by_weight, merged
from review_gate.consensus.schema import Ballot, Decision, Issue, Request, Settings, Vote
from review_gate.consensus.shown import (
    Shown,
    is_old,
    is_out_of_sight,
    may_be_the_same,
    shown_in,
    stands_again,
    still_stands,
)
from review_gate.models import Severity

LATE = "new in round {} about lines that have not changed since the last one: only what is critical counts there now"


class PastRound(NamedTuple):
    """A round that was decided."""

    request: Request
    decision: Decision


class Tracked(NamedTuple):
    """The findings of a round in the light of those before, and which of the last round are gone.

    Those that are `settled` were refuted, and whoever saw the evidence did not tell them again.
    """

    issues: tuple[Issue, ...]
    fixed: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()


class _Rounds(NamedTuple):
    """What was decided before, and what the last round and this one have shown."""

    past: Sequence[PastRound]
    before: Shown
    now: Shown


def tracked(request: Request, ballots: Sequence[Ballot], past: Sequence[PastRound], settings: Settings) -> Tracked:
    """What the reviewers found, each finding with where it comes from."""
    tools = {issue.fingerprint: issue for issue in request.tools}.values()
    found = [_with_past(issue, past, request.round) for issue in sorted((*merged(ballots), *tools), key=by_weight)]
    if not past:
        return Tracked(tuple(found))
    rounds = _Rounds(past, shown_in(past[-1].request), shown_in(request))
    kept = {issue.fingerprint: issue for issue in _unheard(found, ballots, rounds)}
    weighed = [_waived(issue, rounds, request.round, settings) for issue in found if issue.fingerprint not in kept]
    issues = tuple(sorted([*weighed, *kept.values()], key=by_weight))
    told, refuted = ({one.fingerprint for one in issues}, {one.fingerprint for one in request.refutations})
    gone = [one.fingerprint for one in past[-1].decision.blocking if one.fingerprint not in told]
    return Tracked(
        issues,
        fixed=tuple(one for one in gone if one not in refuted),
        settled=tuple(one for one in gone if one in refuted),
    )


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


def _has_counted(issue: Issue, past: Sequence[PastRound]) -> bool:
    """Whether it kept a round from agreeing, in whatever words: no model tells a thing in the same ones each time."""
    known = (other for one in past for other in one.decision.blocking)
    return any(_is_same(issue, other) or may_be_the_same(issue, other) for other in known)


def _unheard(found: Sequence[Issue], ballots: Sequence[Ballot], rounds: _Rounds) -> Iterator[Issue]:
    """Findings of the last round whose finders have no vote in this one, or see it no more, while it still stands.

    Nobody else can take them back, not even by telling the same as something that matters less.
    """
    voters = {ballot.member for ballot in ballots if ballot.vote is not Vote.NONE}
    severe = {issue.fingerprint for issue in found if issue.severity.is_blocking}
    for issue in rounds.past[-1].decision.blocking:
        # A tool looks in every round.
        if issue.fingerprint in severe or issue.source == "tool":
            continue
        is_left = not _is_heard(issue, voters) and still_stands(issue, rounds.before, rounds.now)
        if is_left or is_out_of_sight(issue, rounds.before, rounds.now):
            yield issue.model_copy(update={"standing": "unheard"})
    yield from _back_unheard(severe, voters, rounds)


def _back_unheard(severe: set[str], voters: set[str], rounds: _Rounds) -> Iterator[Issue]:
    """What was mended once and stands again, while those who told it have no vote: it is as open as it was."""
    *earlier, last = rounds.past
    known = severe.union(issue.fingerprint for issue in last.decision.blocking)
    for one in reversed(earlier):
        told = [issue for issue in one.decision.blocking if issue.fingerprint not in known and issue.source != "tool"]
        known.update(issue.fingerprint for issue in told)
        left = [issue for issue in told if not _is_heard(issue, voters)]
        then = shown_in(one.request) if left else rounds.now
        found = (issue for issue in left if stands_again(issue, then, rounds.before, rounds.now))
        yield from (issue.model_copy(update={"standing": "unheard"}) for issue in found)


def _is_heard(issue: Issue, voters: set[str]) -> bool:
    """Whether its finders have a vote: one where they said the same, all where each may have meant something else."""
    finders = set(issue.reviewers)
    return finders <= voters if issue.also else bool(finders & voters)


def _have_looked(issue: Issue, last: Decision) -> bool:
    """Whether all who found something had a vote in the last round: who sees a line for the first time is not late."""
    return all(last.votes.get(name, Vote.NONE) is not Vote.NONE for name in issue.reviewers)


def _waived(issue: Issue, rounds: _Rounds, number: int, settings: Settings) -> Issue:
    """In a late round a finding that never counted before has to be critical, or about lines that are new."""
    is_sure = issue.severity is Severity.CRITICAL or issue.source == "tool"
    is_first_look = not _have_looked(issue, rounds.past[-1].decision)
    is_free = number < settings.late_round or is_sure or is_first_look or _has_counted(issue, rounds.past)
    if is_free or not issue.is_blocking or not is_old(issue, rounds.before, rounds.now):
        return issue
    return issue.model_copy(update={"waived": LATE.format(number)})
