"""The editor: proposals and a prompt to the refined prompt, by code alone.

It repeats one step until nothing changes: take out and replace, then put in what is missing. What an edit has put in is
never taken apart by another, so each step leaves less that can still change, and editing the result again changes
nothing. What no proposal is about stays byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import NamedTuple

from review_gate.models import Frozen
from review_gate.prompts.editor.addition import missing, with_additions
from review_gate.prompts.editor.contradiction import Conflict, Pair, contradictions, settled
from review_gate.prompts.editor.layout import newline_of
from review_gate.prompts.editor.outline import Heading, restructured, with_headings
from review_gate.prompts.editor.place import Kept, places_of, without_overlaps
from review_gate.prompts.editor.proposal import USUAL_ORDER, Proposal, proposals
from review_gate.prompts.editor.words import Span, Words
from review_gate.prompts.schema import Critique, Op, Role

# Far more than any set of proposals needs: each step settles all that does not depend on the one before.
MOST_STEPS = 100


class EditorError(Exception):
    """Proposals that never come to rest."""


class Edited(Frozen):
    """A refined prompt, and what became of each proposal."""

    text: str
    applied: tuple[Proposal, ...] = ()
    # The prompt says it already.
    known: tuple[Proposal, ...] = ()
    # What it is about is not in the prompt, or it cannot be done without changing more than that.
    unplaced: tuple[Proposal, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def disagreements(self) -> tuple[Conflict, ...]:
        """What nothing decides but a person."""
        return tuple(one for one in self.conflicts if one.is_disagreement)


class _Step(NamedTuple):
    text: str
    applied: tuple[Proposal, ...]
    conflicts: tuple[Conflict, ...]


def edit(text: str, critiques: Iterable[Critique], order: Sequence[Role] = USUAL_ORDER) -> Edited:
    """The prompt with all that reviewers propose and that can stand together."""
    found = proposals(critiques, order)
    standing, conflicts = settled(found, contradictions(found))
    known = frozenset(standing) - frozenset(missing(text, [one for one in standing if one.op.is_addition]))
    refined, applied = text, dict[Proposal, None]()
    for _ in range(MOST_STEPS):
        step = _step(refined, standing)
        applied |= dict.fromkeys(step.applied)
        conflicts += tuple(one for one in step.conflicts if one not in conflicts)
        if step.text == refined:
            break
        refined = step.text
    else:
        raise EditorError(f"the proposals change each other's text without end ({len(standing)} of them)")
    left = [one for one in standing if one not in applied]
    lost = {one for conflict in conflicts for one in _losers(conflict)}
    return Edited(
        text=refined,
        applied=tuple(one for one in standing if one in applied),
        known=tuple(one for one in left if one.op.is_addition and one in known),
        unplaced=tuple(one for one in left if one not in lost and not (one.op.is_addition and one in known)),
        conflicts=conflicts,
    )


def _losers(conflict: Conflict) -> tuple[Proposal, ...]:
    return (conflict.first, conflict.second) if conflict.is_disagreement else (conflict.second,)


def _step(text: str, standing: Sequence[Proposal]) -> _Step:
    ordered = _in_order(text, standing)
    if ordered.applied:
        return ordered
    taken = _taken_out(text, standing)
    added = missing(taken.text, [one for one in standing if one.op.is_addition])
    return _Step(with_additions(taken.text, added), (*taken.applied, *added), taken.conflicts)


def _in_order(text: str, standing: Sequence[Proposal]) -> _Step:
    """The text with its new order and headings."""
    applied: list[Proposal] = []
    structures = [one for one in standing if one.op is Op.REFACTOR_STRUCTURE]
    for one in structures:
        ordered = restructured(text, one.new) if one.is_outline else None
        if ordered is not None and ordered != text:
            text = ordered
            applied.append(one)
    headings = {one: Heading(one.new, one.evidence) for one in structures if not one.is_outline}
    text, placed = with_headings(text, list(headings.values()))
    return _Step(text, (*applied, *(one for one, heading in headings.items() if heading in placed)), ())


def _taken_out(text: str, proposed: Sequence[Proposal]) -> _Step:
    """The text without what is removed, and with what is said better."""
    takers = [one for one in proposed if one.old]
    words, kept = Words(text), Kept(text, proposed if takers else ())
    # Many take out the same words, which may stand everywhere.
    places = {(one.old, one.op): one for one in takers}
    spans_of = {sought: places_of(one, words, kept) for sought, one in places.items()}
    found = [(one, spans) for one in takers if (spans := spans_of[one.old, one.op])]
    standing, conflicts = settled([one for one, _ in found], set(_overlapping(found)))
    newline = newline_of(text)
    chosen = without_overlaps(
        [(span, one.new.replace("\n", newline)) for one, spans in found if one in standing for span in spans]
    )
    return _Step(_replaced(text, chosen), standing, conflicts)


def _replaced(text: str, chosen: Sequence[tuple[Span, str]]) -> str:
    """The text with other words at some places, which come from the last to the first."""
    pieces: list[str] = []
    end = len(text)
    for span, new in chosen:
        pieces += [text[span.end : end], new]
        end = span.start
    return "".join([text[:end], *reversed(pieces)])


def _overlapping(found: Sequence[tuple[Proposal, Sequence[Span]]]) -> Iterable[Pair]:
    """The pairs that want something else of the same words."""
    alike: dict[tuple[Span, ...], list[int]] = {}
    for place, (_, those) in enumerate(found):
        alike.setdefault(tuple(those), []).append(place)
    groups = list(alike.values())
    for group in groups:
        yield from combinations(group, 2)
    for one, other in _meeting(list(alike)):
        yield from ((min(pair), max(pair)) for pair in product(groups[one], groups[other]))


def _meeting(found: Sequence[Sequence[Span]]) -> set[Pair]:
    """Which of some places overlap each other."""
    spans = sorted((span, number) for number, those in enumerate(found) for span in those)
    met: set[Pair] = set()
    for at, (span, number) in enumerate(spans):
        # By index: a slice for each would take quadratic time in the places of a word that stands everywhere.
        for following in range(at + 1, len(spans)):
            other, another = spans[following]
            if other.start >= span.end:
                break
            if number != another:
                met.add((min(number, another), max(number, another)))
    return met
