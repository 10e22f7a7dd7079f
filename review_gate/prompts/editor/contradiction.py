"""Proposals that cannot both be followed, and which of them stands: security wins, then the order of the roles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from review_gate.models import Frozen
from review_gate.prompts.editor.proposal import Proposal, folded
from review_gate.prompts.schema import Op

# So much of what the longer of two clauses speaks of, the shorter one has to speak of too.
SHARED = 0.5
_CLAUSE = re.compile(r"(?<=[.!?])\s+|\n+|\s+(?:--|\u2014|\u2013)\s+|;|,\s+(?=(?:not|no|without)\b)|,\s+but\s+", re.I)
# Only what follows is not wanted: `run the tests without a network` says to run them.
_MANNER = re.compile(r"\s+(?=(?:without|(?:of|with) no|instead of|rather than)\b)", re.I)
# In a condition, or in a limit, a negation forbids nothing.
_NO_ORDER = re.compile(
    r"\b(?:if|when|whenever|unless|until|while)\b[^,]*"
    r"|\b(?:no|not|never) (?:exceed|(?:more|less|fewer|later|longer|larger|greater|slower) than)\b"
)
_WORD = re.compile(r"[^\W_](?:[\w'/\u2019-]|\.(?=\w))*")
_NEGATIONS = frozenset(
    {
        *("not", "never", "no", "avoid", "without", "cannot", "can't", "don't", "doesn't", "mustn't", "shouldn't"),
        *("won't", "refuse", "forbid", "forbidden", "prohibit", "prohibited", "instead", "rather"),
    }
)
# Words that order, soften or connect, and say nothing of what it is about.
_EMPTY = _NEGATIONS | frozenset(
    {
        *("a", "about", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do"),
        *("does", "each", "ensure", "every", "for", "from", "has", "have", "helpful", "how", "if", "in", "into"),
        *("is", "it", "its", "make", "may", "must", "need", "needs", "of", "on", "only", "or", "please", "should"),
        *(
            "sure",
            "than",
            "that",
            "the",
            "them",
            "then",
            "there",
            "these",
            "they",
            "this",
            "to",
            "under",
            "use",
            "used",
        ),
        *("using", "was", "will", "with", "you", "your"),
    }
)
# The places of two proposals, the smaller first.
Pair = tuple[int, int]


class Conflict(Frozen):
    """Two proposals against each other: `first` stands, unless nothing decides between them."""

    first: Proposal
    second: Proposal
    is_disagreement: bool


class Settled(NamedTuple):
    """The proposals that stand, and what was between the others and them."""

    standing: tuple[Proposal, ...]
    conflicts: tuple[Conflict, ...]


class _Clause(NamedTuple):
    is_negative: bool
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
        here = [place for place in range(len(found)) if found[place].rank == rank and place not in lost]
        equal = frozenset(here)
        split = {(min(one, other), max(one, other)) for one in here for other in against[one] & equal}
        conflicts += [
            Conflict(first=found[one], second=found[other], is_disagreement=True) for one, other in _told(sorted(split))
        ]
        lost |= {place for pair in split for place in pair}
        beaten = _beaten([place for place in here if place not in lost], against, lost)
        conflicts += [Conflict(first=found[one], second=found[other], is_disagreement=False) for one, other in beaten]
        lost |= {other for _, other in beaten}
    return Settled(tuple(one for place, one in enumerate(found) if place not in lost), tuple(conflicts))


def _beaten(stronger: Sequence[int], against: Mapping[int, set[int]], lost: Collection[int]) -> list[Pair]:
    """Who loses to somebody stronger, each told once: with the first that stands in its way."""
    winner: dict[int, int] = {}
    for one in stronger:
        for other in against[one].difference(lost):
            winner.setdefault(other, one)
    return sorted((one, other) for other, one in winner.items())


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
    return any(_are_opposite(*pair) for pair in product(_clauses(one), _clauses(other)))


def _of_opposite_orders(found: Sequence[Proposal]) -> Iterator[Pair]:
    """One says to do what the other says not to do."""
    saying: dict[_Clause, set[int]] = defaultdict(set)
    for place, one in enumerate(found):
        for clause in _clauses(one.new) if one.op is not Op.REFACTOR_STRUCTURE else ():
            saying[clause].add(place)
    speaking: dict[str, list[_Clause]] = defaultdict(list)
    for clause in saying:
        for word in clause.words:
            speaking[word].append(clause)
    for clause, places in saying.items():
        # All words of the shorter one stand in the longer one: also its rarest.
        for other in min((speaking[word] for word in clause.words), key=len, default=()):
            if _are_opposite(clause, other):
                pairs = product(places, saying[other])
                yield from ((min(pair), max(pair)) for pair in pairs if pair[0] != pair[1])


def _are_opposite(one: _Clause, other: _Clause) -> bool:
    if one.is_negative == other.is_negative:
        return False
    negative, positive = (one, other) if one.is_negative else (other, one)
    if _NARROWING & (negative.words - positive.words):
        return False
    shorter, longer = sorted((one.words, other.words), key=len)
    return bool(shorter) and shorter <= longer and len(shorter) >= SHARED * len(longer)


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
    told = frozenset(_stem(word) for word in _WORD.findall(plain) if word not in _EMPTY)
    orders = _WORD.findall(_NO_ORDER.sub(" ", plain))
    return _Clause(any(word in _NEGATIONS for word in orders), told)


def _stem(word: str) -> str:
    """A word without the endings that say who does it, and when: `logging`, `logged` and `logs` are about the same."""
    for ending in ("ing", "ed", "es", "s"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and not (ending == "s" and root.endswith("s")):
            return root[:-1] if ending in ("ing", "ed") and root[-1] == root[-2] and root[-1] not in "ls" else root
    return word


# Whoever forbids it of such things only says nothing against all others.
_NARROWING = frozenset(
    map(
        _stem,
        (
            *("excessive", "existing", "other", "raw", "unnecessary", "unneeded", "unrelated", "unsafe"),
            *("unsanitized", "untrusted", "unused", "unvalidated"),
        ),
    )
)


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
