"""Whether what stands around a rejection leaves room for the match: other times, places, ways or reasons."""

from __future__ import annotations

from itertools import takewhile

from review_gate.checks.clause_words import CLAUSE_WORDS, PREPOSITIONS, STOP, words
from review_gate.checks.governed import is_gerund
from review_gate.checks.taken_back import is_affirmed
from review_gate.checks.use_words import DETERMINERS

# How many words after a match, or after what is denied of it, may limit the rejection.
_FARTHEST_LIMIT = 8
_FARTHEST_CONTRAST = 16
# What is rejected before, without or more than this is not rejected otherwise.
_LIMITING = words(
    "after again alone always before else elsewhere every everything everywhere except first if more often once only "
    "other outside parallel than till times too twice unless until when whenever where while without yet "
    "myself ourselves themselves yourself yourselves"
)
# A rejection as far as one can is one, and so is one for a task: "avoid eval where possible", "when parsing JSON".
_CONDITIONS = words("if when whenever where")
_POSSIBLE = (["possible"], ["feasible"], ["practical"], ["you", "can"], ["we", "can"], ["at", "all"])
# These stand first for the same: "outside the worker, eval must not be called".
_FRONTING = words("before except outside till unless until without")
# They end in -ly and limit nothing.
_NO_MANNER = words(
    "absolutely actually anomaly apparently assembly certainly clearly completely consequently currently definitely "
    "early entirely family fully obviously presently probably really reply supply totally"
)
# "Not for JSON but for formulas", "not directly, only through the wrapper": what follows is the use.
_CONTRASTING = words("but only")
_TURNING = words("although but though whereas while yet")
_OTHER_USE = PREPOSITIONS | words("because if once when where")
_MERE = words("just merely only purely simply solely")
_ANYWAY = words("anyhow anyway nevertheless nonetheless")
_ENDING = CLAUSE_WORDS | {STOP, ",", "(", ")"}
# What must not be so of a thing that is wanted: "never ship a build with eval disabled".
_UNDONE = words(
    "absent banned broken disabled dropped excluded failing forbidden missing off omitted prohibited removed skipped "
    "stopped uninstalled"
)
_TURNED = (["commented", "out"], ["left", "out"], ["switched", "off"], ["taken", "out"], ["turned", "off"])
# Words of the match's own name between "with" and the match.
_LONGEST_NAME = 3


def is_with_undone(clause: list[str], right: list[str]) -> bool:
    """Whether it is the lack of the match that is rejected: "do not merge with eval missing"."""
    is_undone = not _UNDONE.isdisjoint(right[:1]) or right[:2] in _TURNED
    return is_undone and "with" in clause[-1 - _LONGEST_NAME :]


def leaves_room(after: list[str], ends: frozenset[str] = frozenset()) -> bool:
    """Whether the words after a rejection take a part of it back: "not before", "not twice", "not directly"."""
    begun = list(takewhile(lambda word: word not in ends and (word in _LIMITING or word not in _ENDING), after))
    begun = begun[:_FARTHEST_LIMIT]
    return (
        any(_is_limit(after, at) for at in range(len(begun)))
        or (begun[:1] == ["with"] and not DETERMINERS.isdisjoint(begun[1:2]))  # "with a lock held"
        or any(is_manner(word) for word in (*begun[:1], *begun[-1:]))
        or _has_contrast(after)
    )


def is_fronted(left: list[str], opener: str) -> bool:
    """Whether the words before a match's own clause limit what it rejects: "until then, never call eval"."""
    if opener != ",":
        return opener in _FRONTING
    stop = max((at for at, word in enumerate(left) if word == STOP), default=-1)
    return not _FRONTING.isdisjoint(left[stop + 1 : stop + 2])


def _is_limit(after: list[str], at: int) -> bool:
    if after[at] in _CONDITIONS:
        condition = after[at + 1 : at + 3]
        return condition[:1] not in _POSSIBLE and condition not in _POSSIBLE and not any(map(is_gerund, condition[:1]))
    return after[at] in _LIMITING


def is_manner(word: str) -> bool:
    """Whether a word looks like "directly" or "lightly"."""
    return len(word) > 4 and word.endswith("ly") and word not in _NO_MANNER


def _has_contrast(after: list[str]) -> bool:
    """Whether another use, or another reason for it, follows its rejection."""
    said = list(takewhile(lambda word: word != STOP, after))
    if not _ANYWAY.isdisjoint(said) or said.count("because") > 1:
        return True
    return any(_is_contrast(said, at) for at in range(len(said[:_FARTHEST_CONTRAST])))


def _is_contrast(said: list[str], at: int) -> bool:
    before, word = said[at - 1] if at else "", said[at]
    if word == "because" and before in _MERE:
        return True  # "not just because it is fast"
    if word == "but" and before.startswith("any"):
        return True  # "not by anyone but the worker"
    if word in _TURNING and is_affirmed(said, at):
        return True
    return word in _CONTRASTING and not _OTHER_USE.isdisjoint(said[at + 1 : at + 2])
