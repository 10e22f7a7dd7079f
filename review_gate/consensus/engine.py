"""What comes next in a review: wait, ask again, decide, have something mended, ask a person, or end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_gate.consensus.schema import Answer, Decision, Refutation, Request, ReviewState


class Facts(NamedTuple):
    """What a look at a review finds; `content` is the digest of what is there now, empty where it cannot be read."""

    state: ReviewState
    request: Request
    answers: Mapping[str, Answer]
    decision: Decision | None
    is_asking: bool
    # Seconds until the deadline of the round, below 0 when it is over.
    left: float
    content: str = ""
    # Why the content cannot be read.
    unreadable: str = ""
    refutations: Sequence[Refutation] = ()


class Wait(NamedTuple):
    """Some reviewers are still at work."""

    missing: tuple[str, ...]


class AskAgain(NamedTuple):
    """Whoever asked is gone: ask those who have not answered."""

    missing: tuple[str, ...]


class GiveUp(NamedTuple):
    """The deadline is over: whoever has not answered could not run."""

    missing: tuple[str, ...]


class Decide(NamedTuple):
    """Everybody has spoken."""


class NextRound(NamedTuple):
    """What was found is mended, or refuted: everything is looked at anew."""

    number: int


class Mend(NamedTuple):
    """There are findings to settle, and nothing has changed since."""


class AskPerson(NamedTuple):
    """No further round would help by itself, and why."""

    reason: str
    # Nobody can be shown what cannot be read, whoever grants another round.
    may_continue: bool = True


class Agreed(NamedTuple):
    """The review is over: everybody passes."""


class Moved(NamedTuple):
    """The round agreed, on something else than what is there now."""


class Closed(NamedTuple):
    """The review was ended by a person."""


NextStep = Wait | AskAgain | GiveUp | Decide | NextRound | Mend | AskPerson | Agreed | Moved | Closed
LIMIT = "the limit of {} rounds is reached"


def next_step(facts: Facts) -> NextStep:
    """The next step of a review, from what a look at it finds."""
    if facts.state.consensus.outcome == "closed":
        return Closed()
    if facts.decision is None:
        return _before_decision(facts)
    if facts.decision.outcome == "agreed":
        return _agreed(facts)
    if facts.unreadable:
        return AskPerson(facts.unreadable, may_continue=False)
    return _again(facts) if _is_granted(facts) else _by_itself(facts, facts.decision)


def _by_itself(facts: Facts, decision: Decision) -> NextStep:
    """What comes after a round that did not agree, as long as nobody grants another one."""
    if decision.outcome == "needs_person":
        return AskPerson(decision.reason)
    return _again(facts) if _has_moved(facts) else Mend()


def _before_decision(facts: Facts) -> NextStep:
    names = (member.name for member in facts.request.members)
    missing = tuple(name for name in names if name not in facts.answers)
    if not missing:
        return Decide()
    if facts.left < 0:
        return GiveUp(missing)
    return Wait(missing) if facts.is_asking else AskAgain(missing)


def _agreed(facts: Facts) -> NextStep:
    """An agreement is about what was shown, and about nothing that came after it."""
    if facts.state.status == "resolved" or facts.content == facts.request.content:
        return Agreed()
    if facts.unreadable:
        return AskPerson(facts.unreadable, may_continue=False)
    return _again(facts) if _is_granted(facts) else Moved()


def _again(facts: Facts) -> NextStep:
    allowed = facts.state.settings.max_rounds + facts.state.granted
    number = facts.request.round + 1
    return NextRound(number) if number <= allowed else AskPerson(LIMIT.format(allowed))


def _has_moved(facts: Facts) -> bool:
    known = {_word(one) for one in facts.request.refutations}
    is_refuted = any(_word(one) not in known for one in facts.refutations)
    return facts.content != facts.request.content or is_refuted


def _word(refutation: Refutation) -> tuple[str, ...]:
    """What a refutation says; to say the same once more is nothing new, wherever its line has moved."""
    return refutation.fingerprint, refutation.because, refutation.file, refutation.evidence


def _is_granted(facts: Facts) -> bool:
    """Whether a person wants another round whatever the last one said."""
    return facts.state.granted_after >= facts.request.round
