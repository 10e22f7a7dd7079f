"""Findings from round to round: what is new, still open, fixed or back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from review_gate.consensus.ballot import by_weight, merged
from review_gate.consensus.schema import Ballot, Decision, Issue, Request, Vote

# Before the text of a line as it is shown come its number, a blank and its sign.
SIGN = 7


class PastRound(NamedTuple):
    """A round that was decided."""

    request: Request
    decision: Decision


class Tracked(NamedTuple):
    """The findings of a round, and what became of those that blocked the last one.

    Those that are `settled` were refuted, and no reviewer who saw the evidence told them again.
    """

    issues: tuple[Issue, ...]
    fixed: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()


def tracked(request: Request, ballots: Sequence[Ballot], past: Sequence[PastRound]) -> Tracked:
    """The findings of a round, each with the first round that had it."""
    tools = {issue.fingerprint: issue for issue in request.tools}.values()
    found = [_with_past(issue, past, request.round) for issue in (*merged(ballots), *tools)]
    open_before = past[-1].decision.blocking if past else ()
    unheard = {issue.fingerprint: issue for issue in _unheard(found, ballots, open_before)}
    heard = [issue for issue in found if issue.fingerprint not in unheard]
    issues = tuple(sorted([*heard, *unheard.values()], key=by_weight))
    told, refuted = ({one.fingerprint for one in issues}, {one.fingerprint for one in request.refutations})
    gone = [one.fingerprint for one in open_before if one.fingerprint not in told]
    return Tracked(
        issues,
        fixed=tuple(one for one in gone if one not in refuted),
        settled=tuple(one for one in gone if one in refuted),
    )


def _with_past(issue: Issue, past: Sequence[PastRound], number: int) -> Issue:
    seen = [
        (one.request.round, other)
        for one in past
        for other in one.decision.issues
        if other.fingerprint == issue.fingerprint
    ]
    if not seen:
        return issue.model_copy(update={"standing": "new", "since": number})
    last_round, last = seen[-1]
    is_back = last_round < past[-1].request.round
    standing = "came_back" if is_back else "open"
    return issue.model_copy(update={"standing": standing, "since": seen[0][0], "returned": last.returned + is_back})


def _unheard(found: Iterable[Issue], ballots: Sequence[Ballot], open_before: Sequence[Issue]) -> Iterator[Issue]:
    """What blocked the last round, and none of its finders has a vote in this one: only they can say it is fixed."""
    voters = {ballot.member for ballot in ballots if ballot.vote is not Vote.NONE}
    # The same finding as a mere warning of somebody else does not settle it.
    told = {issue.fingerprint for issue in found if issue.is_blocking}
    for issue in open_before:
        if issue.source == "model" and issue.fingerprint not in told and voters.isdisjoint(issue.reviewers):
            yield issue.model_copy(update={"standing": "unheard"})


def plain(line: str) -> str:
    """The words of a line as it is shown to reviewers."""
    return " ".join(line[SIGN + 1 :].split())


def is_quoted_from(quote: str, lines: Sequence[str]) -> bool:
    """Whether each line of a quote is part of one of some lines; an empty quote may be about any of them."""
    quoted = [" ".join(line.split()) for line in quote.split("\n")]
    return all(any(line in other for other in lines) for line in quoted)
