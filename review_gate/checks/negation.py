"""Does the sentence around a match say that the matched thing is not so, or not wanted?

Seed 003 skips a match when a negation word stands before or near it. A sentence often holds several clauses, so the
words count in the clause of the match, or where a predicate behind the match rejects it. When the rule is unsure, the
match is reported.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from review_gate.checks.negation_words import (
    ANSWERS,
    AUXILIARIES,
    AVOIDS,
    CLAUSE_STARTS,
    FAULTS,
    KEEPING,
    MODALS,
    NEGATIONS,
    PARTICIPLES,
    PEOPLE,
    PHRASES,
    PREFERENCES,
    PREPOSITIONS,
    PRONOUNS,
    PROTECTIONS,
    REJECTED,
    REMOVALS,
    RHETORICAL,
    SUBJECTS,
    UNWANTED,
    USES,
    VERBS,
)
from review_gate.checks.rule import NEGATION_AWARE, PRESCRIPTIVE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from review_gate.checks.structure import Structure

# Only plain letters: a look-alike of a negation must not hide a match.
_EIGHT_WORDS = re.compile(
    r"\b(not|doesn't|unlike|cannot|don't|won't|shouldn't|ruled\s+out)\b", re.IGNORECASE | re.ASCII
)
_APOSTROPHES = str.maketrans("\u2019\u02bc", "''")
_PHRASE = re.compile(rf"\b(?:{'|'.join(sorted(PHRASES, key=len, reverse=True))})\b".replace(" ", r"\s+"), re.ASCII)
_ASIDE = re.compile(r",\s+indeed\s+,")
_NO_APOSTROPHE = re.compile(r"\b(do|does|did|is|are|was|were|has|have|should|would|could|must)nt\b")
_SIGNS = r".;:,?!()\[\]|\u2013\u2014\u2192\u274c\u2717\u2718\U0001f6ab"
_TOKEN = re.compile(rf"\w+(?:[-'.]\w+)*|[{_SIGNS}]|[-=]>|(?<=\s)--?(?=\s)")
# How much of a sentence is read before and behind a match, in characters, and how far a word reaches, in words.
_BEFORE, _AFTER, _REACH = 400, 200, 12
_ENDS = frozenset(".;:?!()[]|\u2013\u2014\u2192") | {"-", "--", "->", "=>"}
_ANSWER_MARKS = frozenset(":(|\u2013\u2014") | {"-", "--"}
_LABEL_LENGTH = 4
_WOULD = frozenset({"would", "we'd", "it'd"})
_COPULAS = frozenset({"is", "are", "it's", "that's"})
# "Prefer a over b", "protect a from b": these words deny b behind such a verb.
_PASSING = {"over": PREFERENCES, "from": PROTECTIONS}


def is_negated_at(structure: Structure, start: int, end: int, match_rule: str) -> bool:
    """Does the sentence of a match, in a text that was read already, negate it?"""
    # Masking the code of a text takes a while, so most matches are let through before.
    return structure.might_negate(start, end) and is_negated(*structure.masked_sentence(start, end), match_rule)


def is_negated(sentence: str, start: int, end: int, match_rule: str) -> bool:
    """Does a sentence negate its match, given by offsets, for `prescriptive` and `negation_aware` checks?"""
    seen = sentence.translate(_APOSTROPHES)
    if match_rule == NEGATION_AWARE:
        return any(word.end() <= start or word.start() >= end for word in _EIGHT_WORDS.finditer(seen))
    if match_rule != PRESCRIPTIVE:
        return False
    left, right = map(tokens, _around(seen, start, end))
    if seen.rstrip(" \t\r\n\"')*_").endswith("?"):
        return left[:1] == (RHETORICAL,)
    return (
        seen.startswith("-free", end)
        or _is_denied_before(left, right)
        or _is_rejected_behind(right)
        or _is_given_up(left, right)
    )


def tokens(text: str) -> tuple[str, ...]:
    """The words and marks of a text: phrases of the table become one word, and "don't" becomes "do not"."""
    plain = _PHRASE.sub(lambda found: f" {PHRASES[' '.join(found[0].split())]} ", text.lower())
    plain = _ASIDE.sub(" ", plain)
    plain = plain.replace("cannot", "can not").replace("won't", "will not").replace("n't", " not")
    return tuple(_TOKEN.findall(_NO_APOSTROPHE.sub(r"\1 not", plain)))


def _around(sentence: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind a match; the rest of the word that it stands in says nothing."""
    left, right = sentence[max(0, start - _BEFORE) : start], sentence[end : end + _AFTER]
    return re.sub(r"[\w-]+\Z", "", left), re.sub(r"\A[\w-]+", "", right)


def _is_denied_before(left: Sequence[str], right: Sequence[str]) -> bool:
    """Does an odd number of words in the clause before the match deny it? Two cancel each other."""
    clause = _clause_before(left, right)
    denials = 0
    for place, word in enumerate(clause):
        behind = clause[place + 1 :]
        is_removal = word in REMOVALS and not PREPOSITIONS.intersection(behind)
        is_passed_over = not _PASSING.get(word, frozenset()).isdisjoint(clause[:place])
        denials += len(behind) <= _REACH and (word in NEGATIONS or is_removal or is_passed_over)
    return denials % 2 == 1


def _clause_before(left: Sequence[str], right: Sequence[str]) -> Sequence[str]:
    """The words of the match's own clause before it; a short label such as "Don't:" belongs to it."""
    if left[-1:] == (":",) and len(left) <= _LABEL_LENGTH + 1 and _COPULAS.isdisjoint(left):
        return left[:-1]
    starts = [place for place in range(len(left)) if _starts_clause(left, place, right)]
    return left[starts[-1] :] if starts else left


def _starts_clause(left: Sequence[str], place: int, right: Sequence[str]) -> bool:
    """Does another clause begin at a word?"""
    word = left[place]
    if word == ",":
        return not _is_in_list(left[place + 1 :], right)
    follows_link = place > 0 and left[place - 1] in ("and", "or", "then", ",")
    if follows_link and (word in SUBJECTS or word in VERBS or word in NEGATIONS):
        return True
    if word in PEOPLE:
        return place > 0 and left[place - 1] not in MODALS | AUXILIARIES
    return word in _ENDS or word in CLAUSE_STARTS


def _is_in_list(behind: Sequence[str], right: Sequence[str]) -> bool:
    """Does a comma part the items of a list to which the match belongs: "no a, b or c"?"""
    ends_list = behind[-1:] == ("and",) and len(behind) <= _LABEL_LENGTH
    return len(behind) <= _REACH and ("or" in behind or "or" in right[:3] or ends_list)


def _is_rejected_behind(right: Sequence[str]) -> bool:
    """Does a predicate, a relative clause or an answer behind the match reject it?"""
    if right[-3:] in (("do", "not", "."), ("do", "not", "!")) or right[-2:] == ("do", "not"):
        return True
    if "?" in right and ANSWERS.intersection(right[right.index("?") :][1:4]):
        return True
    label = next((place for place, word in enumerate(right[: _LABEL_LENGTH + 1]) if word in _ANSWER_MARKS), None)
    if label is not None and (ANSWERS | REJECTED).intersection(right[label + 1 : label + 4]):
        return True
    if "gone" in right[:_LABEL_LENGTH]:
        return True
    first, second = (*right[:2], "", "")[:2]
    if first in PARTICIPLES or (first == "no" and second in ("", *_ENDS)) or (first == "never" and second in UNWANTED):
        return True
    if tuple(right[:2]) == (",", "which"):
        relative = right[2:9]
        if relative and relative[0] in PEOPLE:
            return any(word == "not" or word in REJECTED for word in relative)
        right = relative
    return any(_rejects(first, second, rest) for first, second, rest in _predicates(right)) or _is_rejected_as_it(right)


def _is_given_up(left: Sequence[str], right: Sequence[str]) -> bool:
    """Is the match kept out, treated "as an error", or only supposed: "if we used eval, we would ..."?"""
    is_supposed = not {"if", "had"}.isdisjoint(left[-_LABEL_LENGTH:]) and not _WOULD.isdisjoint(right)
    is_kept_out = "out" in right[:_LABEL_LENGTH] and not KEEPING.isdisjoint(left[-_LABEL_LENGTH:])
    return is_supposed or is_kept_out or (right[:1] == ("as",) and not FAULTS.isdisjoint(right[1:4]))


def _is_rejected_as_it(right: Sequence[str]) -> bool:
    """Does a later clause reject the match as "it": "eval is slow, so do not use it"?"""
    for place, word in enumerate(right):
        if word in PRONOUNS and place and right[place - 1] in REMOVALS | AVOIDS:
            return not NEGATIONS.intersection(right[max(0, place - 4) : place - 1])
        if word in PRONOUNS and place and right[place - 1] in USES:
            return "not" in right[max(0, place - 4) : place] or "out" in right[place + 1 : place + 2]
    return False


def _predicates(right: Sequence[str]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """The auxiliaries of the match's own clause behind it, each with what follows."""
    for place, (first, second) in enumerate(pairwise(right[:_REACH])):
        is_series = first == "," and not {"and", "or"}.isdisjoint(right[place + 1 : place + 4])
        if first in _ENDS or first in CLAUSE_STARTS or first == "that" or (first == "," and not is_series):
            return
        if first in AUXILIARIES or first in MODALS:
            yield first, second, right[place + 2 : place + 5]


def _rejects(auxiliary: str, second: str, rest: Sequence[str]) -> bool:
    """Is "is not allowed", "must not", "was rejected" or the like said of the match?"""
    if second in ("not", "never"):
        return auxiliary in MODALS or not rest or rest[0] in _ENDS or any(word in UNWANTED for word in rest)
    if second == "no":
        return any(word in UNWANTED for word in rest)
    return any(word in REJECTED for word in (second, *rest))
