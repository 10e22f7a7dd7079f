"""Whether the words after a match, of which it is the subject or the label, reject it."""

from __future__ import annotations

from review_gate.checks.clause_words import (
    AUXILIARIES,
    CLAUSE_WORDS,
    ENDS_SUBJECT,
    NOT_WORDS,
    PREPOSITIONS,
    REJECTED,
    STOP,
    UNDOING,
    USES,
    has_verb,
    is_finite,
    is_subject,
    words,
)
from review_gate.checks.governed import is_gerund
from review_gate.checks.room_left import is_manner, leaves_room
from review_gate.checks.use_words import DETERMINERS, USE_NOUNS, means_of, use_of

# Words between a match and its verb.
_FARTHEST_AFTER = 8
# These stand before the verb itself: "eval no longer works".
_ADVERBS = words("never no_longer")
_USING = (["use"], ["call"])
_ENDS_STATEMENT = frozenset((STOP, ",", "(", "and", "or"))


def is_rejected_after(clause: list[str], right: list[str]) -> bool:
    """Whether the match is the subject of a negated statement: "eval is not used", "use of eval must be avoided"."""
    at = _predicate(right)
    if at < 0 or not _may_be_subject(clause):
        return False
    rest = right[at:]
    return _is_negative(rest) or _is_negative(_second_predicate(rest))


def _may_be_subject(clause: list[str]) -> bool:
    """Whether the words before a match name it or a use of it, and no more: "use of eval", not "removal of eval"."""
    words = [word for word in clause if word not in ("that", "this")]
    if any(is_subject(words, at) or is_finite(words, at) or _is_kept(words, at) for at in range(len(words))):
        return False
    return not has_verb(words)


def _is_kept(words: list[str], at: int) -> bool:
    """Whether a word makes something else of the match: what undoes it, or has it as a part or a place."""
    if words[at] in UNDOING or (is_gerund(words[at]) and not use_of(words[at]) and not means_of(words[at])):
        return True
    before = words[at - 1] if at else ""
    return at > 0 and words[at] in PREPOSITIONS and before not in USE_NOUNS and not use_of(before)


def _predicate(right: list[str]) -> int:
    """Where the verb of the match's own statement stands; -1 where something else comes first."""
    at = 0
    while at < min(len(right), _FARTHEST_AFTER):
        word = right[at]
        if word in AUXILIARIES or word in _ADVERBS:
            return at
        if word == "(" and ")" in right[at:]:
            at = right.index(")", at)
        elif word in ENDS_SUBJECT or is_subject(right, at) or is_finite(right, at) or _is_new_subject(right, at):
            return -1
        at += 1
    return -1


def _is_new_subject(right: list[str], at: int) -> bool:
    """Whether another thing is spoken of: "(without) eval a parser is not needed"."""
    return right[at] in DETERMINERS and (at == 0 or right[at - 1] not in PREPOSITIONS)


def _is_negative(predicate: list[str]) -> bool:
    """Whether a predicate that begins with its auxiliary denies or rejects its subject."""
    for at, word in enumerate(predicate[:5]):
        if word in _ENDS_STATEMENT or (word in CLAUSE_WORDS):
            return False
        if word in NOT_WORDS:
            return _is_use_denied(predicate[at + 1 :])
        if word in REJECTED:
            return not leaves_room(predicate[at + 1 :], _ENDS_STATEMENT)
        if word == "removed" and predicate[0] in ("was", "were", "has", "have"):
            return True
    return False


def _is_use_denied(said: list[str]) -> bool:
    """Whether a use follows a negation, and is denied altogether: what is "not used elsewhere" is used here."""
    for at, word in enumerate(said[:4]):
        if word in CLAUSE_WORDS:
            return False  # "not slow when used"
        if word in USES:
            is_part = any(is_manner(word) for word in said[:at])  # "not directly called"
            return not is_part and not leaves_room(said[at + 1 :], _ENDS_STATEMENT)
    return False


def _second_predicate(predicate: list[str]) -> list[str]:
    """What is said of the match after "and" or "but", as in "(eval is short) but should not be used"."""
    for at, word in enumerate(predicate[:-1]):
        if word in (STOP, ",", "(") or (word in CLAUSE_WORDS and word != "but"):
            return []
        if word in ("and", "but"):
            rest = predicate[at + 1 :]
            return rest if rest[0] in AUXILIARIES and "be" in rest[:4] else []
    return []


def is_rejected_label(clause: list[str], right: list[str]) -> bool:
    """Whether a label is all that is spoken of, and is rejected: "eval: do not use", "eval: not allowed"."""
    if not _may_be_subject(clause) or STOP not in right:
        return False
    said = [word for word in right[right.index(STOP) + 1 :] if word != "please"]
    if said[:1] == ["do"] or said[:1] == ["never"]:
        order = [word for word in said if word not in ("do", "it", "this", "them")]
        is_order = order[0:1] in (["not"], ["never"]) and order[1:2] in _USING and order[2:3] in ([], [STOP], [","])
        return is_order and not leaves_room(order[2:], _ENDS_STATEMENT)
    return said[:1] != [] and (said[0] in NOT_WORDS or said[0] in REJECTED) and _is_negative(said)
