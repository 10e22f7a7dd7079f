"""Whether the statement around a rejection is itself against it: "no secret that", "a mistake not to", "is wrong"."""

from __future__ import annotations

from itertools import takewhile

from review_gate.checks.clause_words import (
    AUXILIARIES,
    BROKEN,
    CLAUSE_WORDS,
    HARD,
    NEGATIONS,
    NOT_WORDS,
    REJECTING,
    STOP,
    SUBJECTS,
    words,
)
from review_gate.checks.governed import is_gerund
from review_gate.checks.use_words import DETERMINERS

# What it is to leave out a thing that is wanted.
_BAD = words(
    "absurd childish counterproductive crazy dangerous error folly fool foolish fools harmful insane irresponsible "
    "madness mistake mistaken negligent pity reckless ridiculous shame shortsighted silly stupid unwise waste wrong"
)
_REFUTED = words(
    "absurd bogus false incorrect misguided mistaken myth nonsense obsolete outdated overblown silly superstition "
    "unfounded untrue wrong"
)
_AMISS = _BAD | _REFUTED
# "An error that" is a message, and what it says is meant.
_UNTRUE = _AMISS - {"error"}
_CLAIMING = words("argue assume believe claim insist pretend say suggest suppose teach tell think")
# Who ends a rejection, or rejects it, has the thing: "stop avoiding eval", "instead of avoiding eval".
_ENDING = words("cease ceased ceases quit quits quitting regret regrets regretted stop stopped stopping stops")
_GIVING = words("gave give given gives giving")
_REFUSING = words("forbid refuse refused refuses refusing")
_URGING = words("advising asking begging ordering telling urging")
# With these before it, "hard" is how much somebody tries.
_STRIVING = words("fight fought pushed pushing tried tries try trying work worked working works")
_OMITTING = words("avoiding forbidding refusing")
_DISMISSING = words("disregard disregards dismiss dismisses ignore ignores ignoring")
# "It is no secret that", "there is no denying that": what follows is so.
_STATING = words("accident chance coincidence denying disputing hiding mystery news secret")
# Whose rejection is not the author's once the author goes on with "we".
_OTHERS = words("critics many most others people purists some they")
_AUTHOR = words("i we")
_OPPOSING = words("differ disagree disagreed disagrees ignore ignored")
# Whoever does one of these to it has it; "like" has become "such_as" by then.
_LIKING = words(
    "adopt adopts adore adores allow allows call calls embrace embraces employ employs enjoy enjoys keep keeps kept "
    "likes love loves need needed needs prefer prefers recommend recommends require requires run runs such_as trust "
    "trusts use used uses want wants"
)
_THINGS = words("it one them")
# Who says that this is not so, or that he does not so, takes it back.
_SO = words("agree agreed agrees care correct follow right so true")
# What is good to be without: "without eval there is no risk", "without eval we do not need a sandbox".
_RELIEVING = words(
    "attack attacks danger dangers harm hole holes issue issues need needed needs problem problems require required "
    "requires risk risks threat threats worry"
)
# How far a word for a false claim may be from the rejection in it, and a harm from the match that is left out.
_FARTHEST_CLAIM = 7
_FARTHEST_HARM = 8
_LATER = words("be do in later once soon when")
_ENDS = (STOP, ",", ")", "")


def is_stated(negation: str, between: list[str]) -> bool:
    """Whether a negated noun is followed by what is so: "no secret that we", but not "no secret is read with"."""
    is_noun = negation == "no" and between[:1] != [] and between[0] in _STATING
    follows = between[1] if len(between) > 1 else ""
    return is_noun and (follows == "that" or follows in SUBJECTS or follows in DETERMINERS)


def is_bad_to_omit(clause: list[str], at: int) -> bool:
    """Whether a "not to" or "to avoid" follows a word for a mistake, or one for what can hardly be done."""
    before = at - 1 if clause[at - 1 : at] == ["to"] else at
    is_infinitive = before < at or clause[at + 1 : at + 2] == ["to"]
    if not is_infinitive:
        return False
    return is_hard(clause, before - 1) or any(word in _AMISS for word in clause[max(0, before - 2) : before])


def is_hard(said: list[str], at: int) -> bool:
    """Whether something is said to be hard; who "tries very hard" says nothing of that."""
    return at >= 0 and said[at] in HARD and _STRIVING.isdisjoint(said[max(0, at - 2) : at])


def is_withdrawn(clause: list[str], at: int) -> bool:
    """Whether a rejection is ended or rejected in its turn: "stop avoiding", "refuse to stop using"."""
    before = clause[:at]
    if clause[at] == "anything_but":
        return not REJECTING.isdisjoint(before)  # "we refuse anything but"
    if before[-1:] == ["to"]:
        return not _REFUSING.isdisjoint(before[-2:-1]) or _is_urging_ended(before[:-1])
    return _is_ended(before)


def _is_ended(before: list[str]) -> bool:
    """Whether the last of some words ends or rejects what follows them."""
    if before[-1:] == ["up"]:
        return not _GIVING.isdisjoint(before[-2:-1])
    return before[-1:] != [] and (before[-1] in _ENDING or before[-1] in REJECTING)


def _is_urging_ended(before: list[str]) -> bool:
    """Whether nobody is to be told so any more: "stop telling people (to avoid)"."""
    return any(word in _URGING and _is_ended(before[:at]) for at, word in enumerate(before))


def is_restored(clause: list[str]) -> bool:
    """Whether the last word of a clause is an act that should not be, or no longer is: "stop replacing"."""
    last = len(clause) - 1
    return is_withdrawn(clause, last) or is_bad_to_omit(clause, last)


def is_denounced(clause: list[str], at: int) -> bool:
    """Whether a rejection is what somebody wrongly claims: "a myth that you should not", "wrong to say that"."""
    for place in range(max(0, at - _FARTHEST_CLAIM), at):
        if clause[place] in _UNTRUE and NEGATIONS.isdisjoint(clause[:place]):
            follows = clause[place + 1 : at]
            is_claim = follows[:1] == ["to"] and not _CLAIMING.isdisjoint(follows[1:2])
            if follows[:1] == ["that"] or is_claim:
                return True
    return False


def is_omission(clause: list[str]) -> bool:
    """Whether what is spoken of is to do without the match: "not using eval", "avoiding eval", "anything but eval"."""
    if clause[:1] == ["anything_but"]:
        return True
    is_negated = clause[:1] != [] and clause[0] in NOT_WORDS and any(map(is_gerund, clause[1:2]))
    return is_negated or is_doing_without(clause)


def is_doing_without(clause: list[str]) -> bool:
    """Whether a clause begins with an act that leaves the match out: "avoiding", "going without"."""
    is_gone_without = clause[1:2] == ["without"] and is_gerund(clause[0])
    return is_gone_without or (clause[:1] != [] and clause[0] in _OMITTING)


def is_missed(clause: list[str], right: list[str]) -> bool:
    """Whether only the match will do: "without eval nothing works", "anything but eval fails"."""
    told = list(takewhile(lambda word: word != STOP and word not in CLAUSE_WORDS, right))[:_FARTHEST_HARM]
    if "without" in clause and clause[: clause.index("without")][-1:] in ([], ["and"], ["that"]):
        return any(word in BROKEN or _is_hindered(told, at) for at, word in enumerate(told))
    is_subject = "anything_but" in clause[:2] and (clause[0] == "anything_but" or is_gerund(clause[0]))
    told = list(takewhile(lambda word: word not in (",", "and", "or"), told))
    return is_subject and not (BROKEN.isdisjoint(told) and NEGATIONS.isdisjoint(told))


def _is_hindered(told: list[str], at: int) -> bool:
    """Whether a negation is a loss: "we cannot start", but not "there is no risk"."""
    return told[at] in NEGATIONS and _RELIEVING.isdisjoint(told[at + 1 : at + 4])


def is_opposed(clause: list[str], right: list[str]) -> bool:
    """Whether the author does not share a rejection that others make: "the claim that … is wrong", "others avoid"."""
    if right[:1] != [] and right[0] in AUXILIARIES and _is_amiss(right[1:5]):
        return True
    if clause[:1] != [] and clause[0] in _DISMISSING:
        return True
    if right[:1] == ["enough"]:
        return True  # "I cannot recommend eval enough"
    is_of_others = not _OTHERS.isdisjoint(clause[:2])
    return is_of_others and right[:1] in ([STOP], [","]) and not _AUTHOR.isdisjoint(right[1:2])


def _is_amiss(said: list[str]) -> bool:
    """Whether something is called wrong, and not "never a mistake"."""
    meant = takewhile(lambda word: word not in NEGATIONS and word not in _ENDS and word not in CLAUSE_WORDS, said)
    return not _AMISS.isdisjoint(meant)


def is_affirmed(said: list[str], at: int) -> bool:
    """Whether a "but" takes a rejection back: "but I disagree", "but we do", "but I use it", "but they are wrong"."""
    follows = [*said[at + 1 : at + 5], "", ""]
    if not _OPPOSING.isdisjoint(follows[:3]) or _is_had(said[at + 1 : at + 8]):
        return True
    if follows[0] in SUBJECTS and follows[1] in AUXILIARIES and follows[2] in _ENDS:
        return True
    return follows[0] in ("will", "may", "might") and (follows[1] in _LATER or follows[1] in _ENDS)


def _is_had(told: list[str]) -> bool:
    """Whether somebody is said to use or like it, or the rejection to be wrong."""
    told = list(takewhile(lambda word: word not in _ENDS and word != "and", told))
    for at in range(1, len(told)):
        if told[at] in NEGATIONS:
            follows = told[at + 1 : at + 2]
            return not (_SO.isdisjoint(follows) and REJECTING.isdisjoint(follows))  # "but we do not avoid it"
        if told[at] in _LIKING and not _THINGS.isdisjoint(told[at + 1 : at + 2]):
            return True
        if told[at] in AUXILIARIES and _is_amiss(told[at + 1 : at + 4]):
            return True
    return False
