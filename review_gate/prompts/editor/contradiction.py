"""Contradicting proposals, and which of them is kept: security wins, then the order of the roles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from review_gate.models import Frozen
from review_gate.prompts.editor.proposal import Proposal, folded
from review_gate.prompts.schema import Op

# So much of what the longer of two clauses speaks of, the shorter one has to speak of too.
SHARED = 0.5
_CLAUSE = re.compile(r"(?<=[.!?])\s+|\n+|;|\s[\u2013\u2014-]+\s|,\s+(?:but\s+|(?=(?:not|no|without)\b))", re.IGNORECASE)
# Only what follows is not wanted: `run the tests without a network` says to run them.
_MANNER = re.compile(r"\s+(?=(?:without|(?:of|with) no|instead of|rather than)\b)", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|never|no|avoid|without|cannot|\w+n't|refuse|forbid\w*|prohibit\w*|instead|rather)\b")
# In a condition, or in a limit, a negation forbids nothing.
_NO_ORDER = re.compile(
    r"\b(?:if|when|unless|until|while)\b[^,]*|\b(?:no|not|never) (?:exceed|(?:more|less|fewer|later|longer) than)\b"
)
# Who forbids it of such things only says nothing against all others.
_NARROWING = re.compile(r"\b(?:excessive|existing|other|raw|un(?!it|der|til)\w+)\b")
_WORD = re.compile(r"[^\W_](?:[\w'/-]|\.(?=\w))*")
# Words that order, soften or connect, and say nothing of what it is about.
_EMPTY = frozenset(
    {
        *("a", "about", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do"),
        *("does", "each", "ensure", "every", "for", "from", "has", "have", "helpful", "how", "if", "in", "into", "is"),
        *("it", "its", "make", "may", "must", "need", "of", "on", "only", "or", "please", "should", "sure", "than"),
        *("that", "the", "them", "then", "these", "they", "this", "to", "use", "used", "using", "was", "will", "with"),
        *("you", "your"),
    }
)
# The places of two proposals, the smaller first.
Pair = tuple[int, int]


class Conflict(Frozen):
    """Two contradicting proposals: `first` is kept, unless nothing decides between them."""

    first: Proposal
    second: Proposal
    is_disagreement: bool


class Settled(NamedTuple):
    """The proposals that are kept, and the conflicts that removed the others."""

    standing: tuple[Proposal, ...]
    conflicts: tuple[Conflict, ...]


class _Clause(NamedTuple):
    is_negative: bool
    is_narrow: bool
    words: frozenset[str]


def settled(found: Sequence[Proposal], pairs: Collection[Pair]) -> Settled:
    """What remains of proposals that come by priority; of two equal ones that contradict each other neither does."""
    against: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        against[one].add(other)
        against[other].add(one)
    lost: set[int] = set()
    conflicts: list[Conflict] = []
    for rank in sorted({one.rank for one in found}):
        here = {place for place in range(len(found)) if found[place].rank == rank} - lost
        split = sorted((one, other) for one in here for other in against[one] & here if one < other)
        conflicts += [
            Conflict(first=found[one], second=found[other], is_disagreement=True) for one, other in _told(split)
        ]
        lost |= {place for pair in split for place in pair}
        # A proposal that loses to several is listed once, with the first of them.
        beaten = {other: one for one in sorted(here - lost, reverse=True) for other in against[one] - lost}
        conflicts += [
            Conflict(first=found[one], second=found[other], is_disagreement=False)
            for other, one in sorted(beaten.items(), key=lambda pair: (pair[1], pair[0]))
        ]
        lost |= {*beaten}
    return Settled(tuple(one for place, one in enumerate(found) if place not in lost), tuple(conflicts))


def _told(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """As many pairs as name each proposal once: of a hundred that all want something else there are thousands."""
    named: set[int] = set()
    for pair in pairs:
        if not named.issuperset(pair):
            named.update(pair)
            yield pair


def contradictions(found: Sequence[Proposal]) -> set[Pair]:
    """The pairs that contradict each other whatever the prompt says."""
    return {*_of_opposite_orders(found), *_of_taken_back(found), *_of_structures(found)}


def are_opposite(one: str, other: str) -> bool:
    """Whether one text says to do what the other says not to do."""
    pairs = product(_clauses(one), _clauses(other))
    return any(_are_opposite(*sorted(pair, key=lambda clause: not clause.is_negative)) for pair in pairs)


def _of_opposite_orders(found: Sequence[Proposal]) -> Iterator[Pair]:
    """One says to do what the other says not to do."""
    clauses = [
        (place, clause)
        for place, one in enumerate(found)
        if one.op is not Op.REFACTOR_STRUCTURE
        for clause in _clauses(one.new)
    ]
    orders = [(place, clause) for place, clause in clauses if not clause.is_negative]
    for place, negative in ((place, clause) for place, clause in clauses if clause.is_negative):
        for other, positive in orders:
            if other != place and _are_opposite(negative, positive):
                yield min(place, other), max(place, other)


def _are_opposite(negative: _Clause, positive: _Clause) -> bool:
    is_one_of_each = negative.is_negative and not positive.is_negative
    if not is_one_of_each or not (negative.words and positive.words) or (negative.is_narrow and not positive.is_narrow):
        return False
    shorter, longer = sorted((negative.words, positive.words), key=len)
    return shorter <= longer and len(shorter) >= SHARED * len(longer)


def _clauses(text: str) -> list[_Clause]:
    """What a text orders, clause by clause."""
    # With single blanks: in a long run of them each would be tried as the beginning of what parts two clauses.
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [clause for part in _CLAUSE.split("\n".join(lines)) for clause in _parts(part)]


def _parts(text: str) -> list[_Clause]:
    """What is wanted, and what is not; `never deploy without a review` forbids neither of both."""
    first, *others = map(_clause, _MANNER.split(text.strip()))
    return [] if others and first.is_negative else [first, *others]


def _clause(text: str) -> _Clause:
    plain = text.casefold().replace("\u2019", "'")
    is_negative = _NEGATION.search(_NO_ORDER.sub(" ", plain)) is not None
    told = _WORD.findall(_NEGATION.sub(" ", plain))
    return _Clause(is_negative, _NARROWING.search(plain) is not None, frozenset(map(_stem, {*told} - _EMPTY)))


def _stem(word: str) -> str:
    """A word without the endings that say who does it, and when: `logging`, `logged` and `logs` are about the same."""
    root = re.sub(r"(?<=\w{3})(?:ing|ed|es|(?<!s)s)$", "", word)
    return root[:-1] if root != word and root[-1] == root[-2] and root[-1] not in "ls" else root


def _of_taken_back(found: Sequence[Proposal]) -> Iterator[Pair]:
    """One takes out what the other puts in."""
    takes = [(place, [folded(text) for text in one.old]) for place, one in enumerate(found) if one.old]
    puts = [(place, folded(one.new)) for place, one in enumerate(found) if one.op.is_addition]
    for place, texts in takes:
        for other, new in puts:
            if any(new in text for text in texts):
                yield min(place, other), max(place, other)


def _of_structures(found: Sequence[Proposal]) -> Iterator[Pair]:
    """A text has one structure."""
    places = [place for place, one in enumerate(found) if one.is_outline]
    yield from ((one, other) for number, one in enumerate(places) for other in places[number + 1 :])
