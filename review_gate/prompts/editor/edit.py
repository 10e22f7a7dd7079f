"""The editor: proposals and a prompt to the refined prompt, by code alone.

It works in three steps: a new order for the whole prompt, then everything that is replaced, removed or gets a heading,
all at places of the same text, then the additions. So no edit touches what another has put in, and what no proposal is
about stays byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from review_gate.models import Frozen
from review_gate.prompts.editor.contradiction import Conflict, Pair, contradictions, settled
from review_gate.prompts.editor.layout import (
    HEADING,
    ITEM,
    bullet_after,
    heading_for,
    lines_of,
    newline_of,
    part_for,
)
from review_gate.prompts.editor.outline import restructured
from review_gate.prompts.editor.place import Replacement, Span, Words, replaced, replacements
from review_gate.prompts.editor.proposal import USUAL_ORDER, Proposal, folded, proposals, worded
from review_gate.prompts.schema import Critique, Op, PromptFinding, Role, Target


class Edited(Frozen):
    """A refined prompt, and what became of each proposal."""

    text: str
    applied: tuple[Proposal, ...] = ()
    # The prompt says it already.
    known: tuple[Proposal, ...] = ()
    # What it is about is not in the prompt, or it cannot be done without changing more than that.
    unplaced: tuple[Proposal, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def edit(text: str, critiques: Iterable[Critique], order: Sequence[Role] = USUAL_ORDER) -> Edited:
    """The prompt with every proposal that contradicts no stronger one."""
    found = proposals(critiques, order)
    standing, conflicts = settled(found, contradictions(found))
    ordered, outlines = _in_order(text, standing)
    wanted = _places(ordered, standing)
    kept, more = settled(tuple(wanted), set(_overlapping(list(wanted.values()))))
    conflicts += tuple(one for one in more if one not in conflicts)
    changed = replaced(ordered, [place for one in kept for place in wanted[one]])
    additions = [one for one in standing if one.op.is_addition]
    added = missing(changed, additions)
    applied = {*outlines, *kept, *added}
    known = {one for one in additions if one not in applied}
    lost = {one for conflict in conflicts for one in _losers(conflict)}
    return Edited(
        text=with_additions(changed, added),
        applied=tuple(one for one in standing if one in applied),
        known=tuple(one for one in standing if one in known),
        unplaced=tuple(one for one in standing if one not in applied | known | lost),
        conflicts=conflicts,
    )


def reworded(critiques: Iterable[Critique], words: Mapping[str, str]) -> tuple[Critique, ...]:
    """The critiques with other words for what they put in; what they take out stays as it is."""

    def finding_of(finding: PromptFinding) -> PromptFinding:
        ops = (
            one.model_copy(update={"value": words.get(worded(one), one.value)}) if one.op.puts_in else one
            for one in finding.suggested_ops
        )
        return finding.model_copy(update={"suggested_ops": tuple(ops)})

    return tuple(one.model_copy(update={"findings": tuple(map(finding_of, one.findings))}) for one in critiques)


def _losers(conflict: Conflict) -> tuple[Proposal, ...]:
    return (conflict.first, conflict.second) if conflict.is_disagreement else (conflict.second,)


def _in_order(text: str, standing: Sequence[Proposal]) -> tuple[str, list[Proposal]]:
    """The prompt in its new order, and who proposed that."""
    for one in standing:
        ordered = restructured(text, one.new) if one.is_outline else None
        if ordered is not None and ordered != text:
            return ordered, [one]
    return text, []


def _places(text: str, standing: Sequence[Proposal]) -> Mapping[Proposal, Sequence[Replacement]]:
    """What each proposal changes at places of the prompt: words that it takes out, or a heading above a line."""
    words, newline = Words(text), newline_of(text)
    heads = {*text.split(newline)}
    found: dict[Proposal, Sequence[Replacement]] = {}
    for one in standing:
        if one.op is Op.REFACTOR_STRUCTURE:
            places = _heading(one, words, newline) if one.new not in heads else []
            heads |= {one.new} if places else set()
        else:
            places = replacements(one, words, newline)
        if places:
            found[one] = places
    return found


def _heading(one: Proposal, words: Words, newline: str) -> list[Replacement]:
    """One more heading above the line that holds the evidence."""
    spans = words.spans(one.evidence) if HEADING.fullmatch(one.new) else []
    if not spans:
        return []
    start = words.text.rfind("\n", 0, spans[0].start) + 1
    is_apart = start == 0 or words.text.endswith(newline * 2, 0, start)
    return [Replacement(Span(start, start), f"{'' if is_apart else newline}{one.new}{newline * 2}")]


def _overlapping(found: Sequence[Sequence[Replacement]]) -> Iterator[Pair]:
    """The pairs that want something else of the same words; headings above one line follow each other."""
    spans = sorted((place.span, number) for number, places in enumerate(found) for place in places)
    for at, (span, number) in enumerate(spans):
        # By index: slices would take quadratic time if a word is found everywhere.
        for following in range(at + 1, len(spans)):
            other, another = spans[following]
            if other.start >= span.end:
                break
            if number != another:
                yield min(number, another), max(number, another)


def missing(text: str, additions: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """The additions that a prompt does not hold yet, word for word."""
    known = " ".join(text.split()).casefold()
    return tuple(one for one in additions if folded(one.new) not in known)


def with_additions(text: str, additions: Sequence[Proposal]) -> str:
    """The prompt with all of some additions, part by part; nothing that was there is touched."""
    for target in Target:
        values = [one.new for one in additions if one.target is target]
        if values:
            text = _with_items(text, target, values)
    return text


def _with_items(text: str, target: Target, values: Sequence[str]) -> str:
    newline = newline_of(text)
    lines = lines_of(text)
    part = part_for(target, lines)
    if part is None:
        begun = f"{_gap(text, newline)}{heading_for(target, lines)}"
        items = "".join(f"{newline}{_item('- ', value, newline)}" for value in values)
        return f"{text}{begun}{items}{newline if text.endswith(newline) else ''}"
    last, added = part.last, ""
    for value in values:
        item = _item(bullet_after(last), value, newline)
        added += f"{newline}{item}"
        last = last._replace(text=item.split(newline)[0], is_fenced=False)
    return f"{text[: part.end]}{added}{text[part.end :]}"


def _item(bullet: str, value: str, newline: str) -> str:
    """A value as an item of a list, its further lines below its first one; a list of its own stays as it is."""
    first, *more = value.split("\n")
    if _is_list(value):
        return newline.join([first, *more])
    return newline.join([f"{bullet}{first}", *(f"{' ' * len(bullet)}{line}" if line.strip() else "" for line in more)])


def _is_list(value: str) -> bool:
    return all(line.is_inner or not line.text or ITEM.match(line.text) for line in lines_of(value))


def _gap(text: str, newline: str) -> str:
    """What keeps a new part apart from the text before it."""
    if not text.strip():
        return ""
    return newline if text.endswith(newline) else newline * 2
