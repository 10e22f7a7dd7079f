"""Whether the statement around a rejection is itself against it: "no secret that", "a mistake not to", "is wrong"."""

from __future__ import annotations

from review_gate.checks.clause_words import AUXILIARIES, NOT_WORDS, STOP, SUBJECTS, words
from review_gate.checks.governed import is_gerund
from review_gate.checks.use_words import DETERMINERS

# What it is to leave out a thing that is wanted.
_BAD = words(
    "absurd crazy dangerous error folly foolish insane irresponsible madness mistake mistaken negligent pity reckless "
    "shame shortsighted silly stupid unwise wrong"
)
_REFUTED = words(
    "absurd bogus false incorrect misguided mistaken myth nonsense obsolete outdated overblown silly superstition "
    "unfounded untrue wrong"
)
_DISMISSING = words("disregard disregards dismiss dismisses ignore ignores ignoring")
# "It is no secret that", "there is no denying that": what follows is so.
_STATING = words("accident chance coincidence denying disputing hiding mystery news secret")
# Whose rejection is not the author's once the author goes on with "we".
_OTHERS = words("critics many most others people purists some they")
_AUTHOR = words("i we")
_OPPOSING = words("differ disagree disagreed disagrees ignore ignored")
_LATER = words("be do in later once soon when")
_ENDS = (STOP, ",", ")", "")


def is_stated(negation: str, between: list[str]) -> bool:
    """Whether a negated noun is followed by what is so: "no secret that we", but not "no secret is read with"."""
    is_noun = negation == "no" and between[:1] != [] and between[0] in _STATING
    follows = between[1] if len(between) > 1 else ""
    return is_noun and (follows == "that" or follows in SUBJECTS or follows in DETERMINERS)


def is_bad_to_omit(clause: list[str], at: int) -> bool:
    """Whether a "not to" or "to avoid" follows a word for a mistake."""
    before = at - 1 if clause[at - 1 : at] == ["to"] else at
    is_infinitive = before < at or clause[at + 1 : at + 2] == ["to"]
    return is_infinitive and any(word in _BAD for word in clause[max(0, before - 2) : before])


def is_omission(clause: list[str]) -> bool:
    """Whether what is spoken of is to do without the match: "not using eval", "avoiding eval"."""
    is_negated = clause[:1] != [] and clause[0] in NOT_WORDS and any(map(is_gerund, clause[1:2]))
    return is_negated or clause[:1] == ["avoiding"]


def is_opposed(clause: list[str], right: list[str]) -> bool:
    """Whether the author does not share a rejection that others make: "the claim that … is wrong", "others avoid"."""
    if right[:1] != [] and right[0] in AUXILIARIES and not _REFUTED.isdisjoint(right[1:4]):
        return True
    if clause[:1] != [] and clause[0] in _DISMISSING:
        return True
    if right[:1] == ["enough"]:
        return True  # "I cannot recommend eval enough"
    is_of_others = not _OTHERS.isdisjoint(clause[:2])
    return is_of_others and right[:1] in ([STOP], [","]) and not _AUTHOR.isdisjoint(right[1:2])


def is_affirmed(said: list[str], at: int) -> bool:
    """Whether a "but" takes a rejection back in a word or two: "but I disagree", "but we do", "but will be"."""
    follows = [*said[at + 1 : at + 5], "", ""]
    if not _OPPOSING.isdisjoint(follows[:3]):
        return True
    if follows[0] in SUBJECTS:
        return follows[1] in AUXILIARIES and follows[2] in _ENDS
    return follows[0] in ("will", "may", "might") and (follows[1] in _LATER or follows[1] in _ENDS)
