"""Whether the words before and after a match reject it; wherever that is unsure, they do not."""

from __future__ import annotations

from review_gate.checks.clause_words import (
    AUXILIARIES,
    BASE_VERBS,
    CANCELLING,
    CLAUSE_WORDS,
    NEGATIVE_SUBJECTS,
    NOT_WORDS,
    NOUNS_TOO,
    OPEN_CLAUSE_WORDS,
    PREPOSITIONS,
    RAISING,
    REJECTED,
    REJECTING,
    RELATIVE_WORDS,
    STOP,
    USES,
    is_finite,
    is_subject,
    words,
)

# Words between a negation and what it negates.
_FARTHEST_BEFORE = 12
_FARTHEST_REJECTED = 4
_FARTHEST_AFTER = 8
_LIST_ITEM = 4
_PREFERRING = words("choose chose chosen favor favour pick picked prefer preferred prefers")
_REPLACING = words("replace replaced replaces replacing")
_NEGATIONS = NOT_WORDS | NEGATIVE_SUBJECTS
# These stand before the verb itself: "eval no longer works".
_ADVERBS = words("never no_longer")
_ENDS_SUBJECT = CLAUSE_WORDS | _NEGATIONS | {STOP, ",", "(", ")", "that"}
_FILLERS = words("a all an any every my our the their your")


def is_rejected(left: list[str], right: list[str], *, is_question: bool) -> bool:
    """Whether a match between two runs of words is said to be unwanted; a question leaves that open."""
    if is_question:
        return False
    clause, opener = _clause_before(left, right)
    if opener in OPEN_CLAUSE_WORDS:
        return False
    return _is_rejected_before(clause, opener) or _is_replaced(clause, right) or _is_rejected_after(clause, right)


def _clause_before(left: list[str], right: list[str]) -> tuple[list[str], str]:
    """The words of the match's own clause before it, and the word or mark that the clause began with."""
    at = len(left) - 1
    clause: list[str] = []
    while at >= 0:
        word = left[at]
        if word == ")":
            at = _opening(left, at)
        elif word == ",":
            at = _before_comma(left, at, clause, right)
            if at < 0:
                return clause, ","
            clause.insert(0, ",")
            continue
        elif word in (STOP, "(") or (word in CLAUSE_WORDS) or (word == "and" and _begins_clause(clause, right)):
            return clause, word
        else:
            clause.insert(0, word)
        at -= 1
    return clause, ""


def _opening(words: list[str], at: int) -> int:
    """The bracket that belongs to a closing one, or the closing one itself."""
    for index in range(at - 1, -1, -1):
        if words[index] == "(":
            return index
    return at


def _before_comma(left: list[str], comma: int, clause: list[str], right: list[str]) -> int:
    """Where the clause goes on before a comma; -1 where the comma ends it."""
    before = left[comma - 1] if comma else ""
    if before in NOT_WORDS or _is_list(clause, right):
        return comma - 1
    for index in range(comma - 1, max(-1, comma - 7), -1):
        if left[index] == "," and index and left[index - 1] in NOT_WORDS:
            return index - 1  # "must never, under any circumstances, ..."
    return -1


def _is_list(item: list[str], right: list[str]) -> bool:
    """Whether the words between a comma and the match are one more thing of a list and no clause of their own."""
    if any(is_subject(item, at) or is_finite(item, at) for at in range(len(item))):
        return False
    if "or" in item or "nor" in item:
        return True
    if _has_verb(item) or len(item) > _LIST_ITEM:
        return False
    return ("and" in item and not _goes_on_as_clause(right)) or right[:1] in ([","], ["or"], ["nor"], ["and"])


def _has_verb(words: list[str]) -> bool:
    return any(word in BASE_VERBS and not _is_noun(words, at) for at, word in enumerate(words))


def _is_noun(words: list[str], at: int) -> bool:
    following = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in NOUNS_TOO and following in PREPOSITIONS


def _goes_on_as_clause(right: list[str]) -> bool:
    """Whether a verb follows the match, at most two words later: "and the eval call is"."""
    for at, word in enumerate(right[:3]):
        if word in AUXILIARIES or is_finite(right, at):
            return True
        if word in _ENDS_SUBJECT:
            return False
    return False


def _begins_clause(words: list[str], right: list[str]) -> bool:
    """Whether the words behind an "and" are a clause of their own and not one more thing."""
    if any(is_subject(words, at) or is_finite(words, at) for at in range(len(words))):
        return True
    return _has_verb(words) or (len(words) < _LIST_ITEM and _goes_on_as_clause(right))


def _is_rejected_before(clause: list[str], opener: str) -> bool:
    """Whether the nearest negation before the match reaches it."""
    for at in range(len(clause) - 1, max(-1, len(clause) - 2 - _FARTHEST_BEFORE), -1):
        word, between = clause[at], clause[at + 1 :]
        if word in REJECTING or word == "ruled_out":
            return len(between) <= _FARTHEST_REJECTED and not (_is_blocked(between, verbs=0) or _is_denied(clause, at))
        if word in _NEGATIONS:
            return _reaches(clause, at, opener)
    return _is_less_preferred(clause)


def _is_denied(clause: list[str], at: int) -> bool:
    """Whether a rejection is itself negated: "do not avoid", "nothing works without"."""
    return any(word in _NEGATIONS for word in clause[max(0, at - 6) : at])


def _is_blocked(between: list[str], *, verbs: int) -> bool:
    """Whether a new statement begins between a negation and the match."""
    for at in range(len(between)):
        if is_subject(between, at):
            return True
        if is_finite(between, at):
            verbs -= 1
    return verbs < 0


def _reaches(clause: list[str], at: int, opener: str) -> bool:
    between = clause[at + 1 :]
    if any(word in CANCELLING for word in between[:3]):
        return False
    if any(word in RAISING for word in between[:2]):
        return True
    if _is_relative(clause, at, opener) and ("," in between or _has_second_verb(between)):
        return False
    is_inverted = bool(between) and between[0] in AUXILIARIES
    if clause[at] == "no" and (is_inverted or (len(between) > 1 and between[1] in AUXILIARIES)):
        return True  # "at no point does the script ..."
    return not _is_blocked(between, verbs=1 if clause[at] in NEGATIVE_SUBJECTS else 0)


def _is_relative(clause: list[str], at: int, opener: str) -> bool:
    return opener in RELATIVE_WORDS or any(word in RELATIVE_WORDS for word in clause[max(0, at - 3) : at])


def _has_second_verb(between: list[str]) -> bool:
    """Whether the sentence goes on: the second verb of "(clients that cannot) compute SHA-256 fall back to"."""
    return any(
        word in BASE_VERBS and between[at - 1] not in ("to", "and", "or", "not") and not _is_noun(between, at)
        for at, word in enumerate(between)
        if at >= 1
    )


def _is_less_preferred(clause: list[str]) -> bool:
    """Whether something else is preferred, as in "prefer a fake over a mock"."""
    return "over" in clause[-3:] and any(word in _PREFERRING for word in clause)


def _is_replaced(clause: list[str], right: list[str]) -> bool:
    """Whether something else takes its place, as in "replace eval with a parser"."""
    words = [word for word in clause if word not in _FILLERS]
    return words[-1:] != [] and words[-1] in _REPLACING and right[:1] in (["with"], ["by"])


def _is_rejected_after(clause: list[str], right: list[str]) -> bool:
    """Whether the match is the subject of a negated statement: "eval is not used", "use of eval must be avoided"."""
    if not _may_be_subject(clause):
        return False
    at = _predicate(right)
    if at < 0:
        return False
    rest = right[at:]
    return _is_negative(rest) or _is_negative(_second_predicate(rest))


def _may_be_subject(clause: list[str]) -> bool:
    words = [word for word in clause if word not in ("that", "this")]
    if any(is_subject(words, at) or is_finite(words, at) for at in range(len(words))):
        return False
    return not _has_verb(words)


def _predicate(right: list[str]) -> int:
    """Where the verb of the match's own statement stands; -1 where something else comes first."""
    at = 0
    while at < min(len(right), _FARTHEST_AFTER):
        word = right[at]
        if word in AUXILIARIES or word in _ADVERBS:
            return at
        if word == "(" and ")" in right[at:]:
            at = right.index(")", at)
        elif word in _ENDS_SUBJECT or is_subject(right, at) or is_finite(right, at):
            return -1
        at += 1
    return -1


def _is_negative(predicate: list[str]) -> bool:
    """Whether a predicate that begins with its auxiliary denies or rejects its subject."""
    for at, word in enumerate(predicate[:5]):
        if word in (STOP, ",", "(", "and", "or") or (word in CLAUSE_WORDS):
            return False
        if word in NOT_WORDS:
            return any(use in USES for use in predicate[at + 1 : at + 5])
        if word in REJECTED or (word == "removed" and predicate[0] in ("was", "were", "has", "have")):
            return True
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
