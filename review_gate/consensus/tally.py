"""The decision of a round, from its archive alone: agreed, to be fixed, or something for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from review_gate.consensus.ballot import ballot_of
from review_gate.consensus.schema import Answer, Ballot, Because, Decision, Issue, Request, Settings, Vote
from review_gate.consensus.tracking import PastRound, Tracked, tracked

# So often a finding may be gone and come back before somebody has to look at it.
MOST_RETURNS = 2
# Of a finding a reason tells so much; all of it stands among the findings.
LONGEST_TOLD = 160


class Outcome(NamedTuple):
    """How a round ends, why in one word, and in words."""

    outcome: Literal["agreed", "fix", "needs_person"]
    because: Because
    reason: str


class Ground(NamedTuple):
    """What a decision rests on besides the answers."""

    request: Request
    past: Sequence[PastRound]
    settings: Settings


def decide(request: Request, answers: Mapping[str, Answer], past: Sequence[PastRound], settings: Settings) -> Decision:
    """What a round comes to; no order of the answers makes a difference."""
    ballots = [ballot_of(member, answers.get(member.name), request) for member in request.members]
    found = tracked(request, ballots, past)
    votes = {ballot.member: ballot.vote for ballot in ballots}
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
        settled=found.settled,
        unseen=_unseen(request),
    )


def voices(ballots: Sequence[Ballot], votes: Mapping[str, Vote], settings: Settings) -> int:
    """How many have voted, nobody twice; of one family only one counts where independence is asked for."""
    voters = [ballot for ballot in ballots if votes[ballot.member] is not Vote.NONE]
    return len({ballot.family if settings.independent_families else ballot.member for ballot in voters})


def _unseen(request: Request) -> tuple[str, ...]:
    cut = (file.path for group in request.groups for file in group.files if file.hidden_lines)
    withheld = (one.path for one in request.withheld if one.path is not None)
    return tuple(dict.fromkeys((*cut, *(one.path for one in request.not_shown), *withheld)))


def _outcome(ballots: Sequence[Ballot], found: Tracked, votes: Mapping[str, Vote], ground: Ground) -> Outcome:
    blocking = [issue for issue in found.issues if issue.is_blocking]
    told = [issue for issue in blocking if issue.standing != "unheard"]
    heard = voices(ballots, votes, ground.settings)
    if told:
        return _circle(told, ground) or Outcome("fix", "findings", f"{_count(len(blocking))} to be settled")
    if heard < ground.settings.quorum:
        return Outcome("needs_person", "no_quorum", _no_quorum(votes, heard, ground.settings))
    if blocking:
        return _for_person("unheard", f"no reviewer who found it has voted again: {_short(blocking[0])}")
    if ground.request.tool_problem:
        return _for_person("tools", f"the checks could not look: {ground.request.tool_problem}")
    return Outcome("agreed", "agreed", f"all {heard} that voted pass")


def _circle(told: Sequence[Issue], ground: Ground) -> Outcome | None:
    """Why another round would only go round in a circle."""
    request, past, _ = ground
    refuted = {one.fingerprint for one in request.refutations}
    disputed = [issue for issue in told if issue.fingerprint in refuted]
    if disputed:
        return _for_person("disputed", f"a finding that was refuted was told again: {_short(disputed[0])}")
    back = [issue for issue in told if issue.returned >= MOST_RETURNS]
    if back:
        return _for_person("oscillation", f"a finding came back {back[0].returned} times: {_short(back[0])}")
    same = [one.request.round for one in past[:-1] if one.request.content == request.content]
    if same and past[-1].request.content != request.content:
        return _for_person("oscillation", f"the content is that of round {same[-1]} again")
    return None


def _for_person(because: Because, reason: str) -> Outcome:
    return Outcome("needs_person", because, reason)


def _no_quorum(votes: Mapping[str, Vote], heard: int, settings: Settings) -> str:
    """Nobody is named: this is read by whoever mends what was found."""
    families = " of different families" if settings.independent_families else ""
    silent = sum(vote is Vote.NONE for vote in votes.values())
    told = f", {silent} could not" if silent else ""
    return f"{heard} of {settings.quorum} reviewers{families} have voted that have to{told}"


def _short(issue: Issue) -> str:
    words = " ".join(issue.message.split())
    return words if len(words) <= LONGEST_TOLD else f"{words[:LONGEST_TOLD]}..."


def _count(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"
