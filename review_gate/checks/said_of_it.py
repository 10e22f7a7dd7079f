"""Whether a later clause rejects a match that it calls "it": "we looked at eval but ruled it out"."""

from __future__ import annotations

from review_gate.checks.clause_words import CLAUSE_WORDS, NEGATIONS, PREPOSITIONS, REJECTING, STOP, words
from review_gate.checks.use_words import DETERMINERS, bases

# What is only weighed, or used by others, is not yet used by the author.
_WEIGHING = words(
    "assessed compared considered discussed evaluated examined explored investigated looked reviewed studied tested "
    "tried weighed"
)
_ASIDE = DETERMINERS | words("about also at both into using")
_OTHERS = words("many most others people some they")
_USING = words("adopt advocate call favor favour love prefer recommend run suggest swear use")
_SPEAKERS = words("i we")
_COPULAS = words("is are was were")
_JOINTS = words("and but so yet") | {STOP}
_AUXILIARY = words("can could do may must shall should will would")
_THINGS = words("it that them this both these those")
_REFUSED = words("adopt allow choose employ introduce recommend support use want")
# Behind the rejection nothing may limit it or take it back.
_ENDS = words("because since") | {STOP}
_TURNING = words(
    "although anyhow anyway but except however if later nevertheless only still though unless until when yet"
)
_LONGEST_PRAISE = 3


def is_rejected_as_it(clause: list[str], right: list[str]) -> bool:
    """Whether what is said of a match goes on with "but we avoid it", and the match is all that "it" can be."""
    if not NEGATIONS.isdisjoint(clause) or not REJECTING.isdisjoint(clause):
        return False
    at = _praised(clause, right)
    if at < 0 and _is_left_open(clause, right):
        at = _joint(right, 0)
        if at >= 0 and _is_both(right, at + 1):
            at = _joint(right, at + 1)
    return at >= 0 and _is_refused(right[at:])


def _is_both(right: list[str], at: int) -> bool:
    """Whether one more thing was weighed, and both were rejected: "eval and exec but ruled both out"."""
    return "ruled_both_out" in right[at + 1 : at + 4]


def _joint(right: list[str], at: int) -> int:
    """Where the later clause begins behind a comma, a semicolon or an "and"; -1 where there is none."""
    begun = at
    while right[at : at + 1] != [] and (right[at] in _JOINTS or right[at] == ","):
        at += 1
    return at if at > begun and not _JOINTS.isdisjoint(right[begun:at]) else -1


def _praised(clause: list[str], right: list[str]) -> int:
    """Where the later clause begins behind a short "is fast", of which the match is the subject; -1 where it is not."""
    since = max((at for at, word in enumerate(clause) if word == "that"), default=-1) + 1
    if right[:1] == [] or right[0] not in _COPULAS or any(word not in DETERMINERS for word in clause[since:]):
        return -1
    for at in range(2, min(len(right), _LONGEST_PRAISE + 2)):
        if right[at] in _JOINTS or right[at] == ",":
            return _joint(right, at)
        if right[at] in PREPOSITIONS or right[at] in CLAUSE_WORDS or right[at] in NEGATIONS or right[at] in DETERMINERS:
            return -1
    return -1


def _is_left_open(clause: list[str], right: list[str]) -> bool:
    """Whether a clause only weighs the match, or says that others use it."""
    weighed = max((at for at, word in enumerate(clause) if word in _WEIGHING), default=-1)
    if weighed >= 0:
        return _ASIDE.issuperset(clause[weighed + 1 :]) or ("and" in clause and "ruled_both_out" in right)
    return not _OTHERS.isdisjoint(clause[:2]) and any(not _USING.isdisjoint(bases(word)) for word in clause)


def _is_refused(later: list[str]) -> bool:
    """Whether a clause is a plain "we avoid it", "do not use it" or "ruled it out", with nothing behind it."""
    told = later[1:] if later[:1] != [] and (later[0] in _SPEAKERS or later[0] == "please") else later
    if told[:1] in (["ruled_it_out"], ["ruled_both_out"]):
        return _is_final(told[1:])
    at = 1 if told[:1] != [] and told[0] in _AUXILIARY else 0
    if told[at : at + 1] in (["not"], ["never"]):
        verb, rest = told[at + 1 : at + 2], told[at + 2 :]
        is_meant = verb != [] and verb[0] in _REFUSED
    else:
        is_meant, rest = told[:1] in (["avoid"], ["avoided"], ["decided_against"], ["get_rid_of"]), told[1:]
    return is_meant and rest[:1] != [] and rest[0] in _THINGS and _is_final(rest[1:])


def _is_final(rest: list[str]) -> bool:
    return (rest[:1] == [] or rest[0] in _ENDS) and _TURNING.isdisjoint(rest)
