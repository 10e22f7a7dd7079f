"""The decision of a round, from its archive alone: agreed, to be fixed, or something for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from review_gate.consensus.ballot import ballot_of
from review_gate.consensus.schema import Answer, Ballot, Decision, Issue, Request, Settings, Vote
from review_gate.consensus.tracking import PastRound, Tracked, tracked

# So often a finding may be gone and come back before somebody has to look at it.
MOST_RETURNS = 2


class Outcome(NamedTuple):
    """How a round ends, why in one word, and in words."""

    outcome: Literal["agreed", "fix", "needs_person"]
    because: Literal["agreed", "findings", "no_quorum", "oscillation", "opposites", "disputed"]
    reason: str


class Ground(NamedTuple):
    """What a decision rests on besides the answers."""

    request: Request
    past: Sequence[PastRound]
    settings: Settings


def decide(request: Request, answers: Mapping[str, Answer], past: Sequence[PastRound], settings: Settings) -> Decision:
    """What a round comes to; no order of the answers makes a difference."""
    ballots = [ballot_of(member, answers.get(member.name), request) for member in request.members]
    found = tracked(request, ballots, past, settings)
    votes = {ballot.member: _vote(ballot, found) for ballot in ballots}
    end = _outcome(ballots, found, votes, Ground(request, past, settings))
    return Decision(
        round=request.round,
        outcome=end.outcome,
        because=end.because,
        reason=end.reason,
        votes=votes,
        problems={ballot.member: ballot.problem for ballot in ballots if ballot.vote is Vote.NONE},
        quorum=settings.quorum,
        issues=found.issues,
        fixed=found.fixed,
    )


def voices(ballots: Sequence[Ballot], votes: Mapping[str, Vote], settings: Settings) -> int:
    """How many have voted; of one family only one counts where independence is asked for."""
    voters = [ballot for ballot in ballots if votes[ballot.member] is not Vote.NONE]
    return len({ballot.family for ballot in voters}) if settings.independent_families else len(voters)


def _vote(ballot: Ballot, found: Tracked) -> Vote:
    """A reviewer whose findings need not be settled any more has passed."""
    if ballot.vote is not Vote.FAIL:
        return ballot.vote
    blocking = {issue.fingerprint for issue in found.issues if issue.is_blocking}
    return Vote.FAIL if any(issue.fingerprint in blocking for issue in ballot.issues) else Vote.PASS


def _outcome(ballots: Sequence[Ballot], found: Tracked, votes: Mapping[str, Vote], ground: Ground) -> Outcome:
    request, past, settings = ground
    blocking = [issue for issue in found.issues if issue.is_blocking]
    heard = voices(ballots, votes, settings)
    if blocking:
        return _stuck(request, blocking, past) or Outcome("fix", "findings", f"{_count(len(blocking))} to be settled")
    if heard < settings.quorum:
        return Outcome("needs_person", "no_quorum", _no_quorum(ballots, votes, heard, settings))
    return Outcome("agreed", "agreed", f"all {heard} that voted pass")


def _stuck(request: Request, blocking: Sequence[Issue], past: Sequence[PastRound]) -> Outcome | None:
    """Why another round would only go round in a circle."""
    refuted = {one.fingerprint for one in request.refutations}
    disputed = [issue for issue in blocking if issue.fingerprint in refuted]
    if disputed:
        return Outcome("needs_person", "disputed", f"a finding that was refuted was told again: {disputed[0].message}")
    last = [issue for issue in past[-1].decision.issues if issue.severity.is_blocking] if past else []
    pair = next(filter(_are_opposite, combinations([*blocking, *last], 2)), None)
    if pair is not None:
        told = f"what one wants the other takes back: {pair[0].message} | {pair[1].message}"
        return Outcome("needs_person", "opposites", told)
    back = [issue for issue in blocking if issue.returned >= MOST_RETURNS]
    if back:
        return Outcome(
            "needs_person", "oscillation", f"a finding came back {back[0].returned} times: {back[0].message}"
        )
    same = [one.request.round for one in past[:-1] if one.request.content == request.content]
    if same and past[-1].request.content != request.content:
        return Outcome("needs_person", "oscillation", f"the content is that of round {same[-1]} again")
    return None


def _are_opposite(pair: tuple[Issue, Issue]) -> bool:
    """Whether each wants the words that the other objects to."""
    one, other = pair
    if one.fingerprint == other.fingerprint or one.file != other.file or not one.quote or not other.quote:
        return False
    return _words(one.replacement) == _words(other.quote) and _words(other.replacement) == _words(one.quote)


def _words(text: str | None) -> list[str] | None:
    return None if text is None else text.split()


def _no_quorum(ballots: Sequence[Ballot], votes: Mapping[str, Vote], heard: int, settings: Settings) -> str:
    families = " of different families" if settings.independent_families else ""
    silent = [f"{ballot.member}: {ballot.problem}" for ballot in ballots if votes[ballot.member] is Vote.NONE]
    told = f"; {'; '.join(silent)}" if silent else ""
    return f"{heard} of {settings.quorum} reviewers{families} have voted that have to{told}"


def _count(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"
