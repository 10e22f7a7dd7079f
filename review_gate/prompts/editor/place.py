"""Where the words stand that an edit takes out, and where none may: what an edit has put in stays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import filterfalse

from review_gate.prompts.editor.layout import ITEM, lines_of, names_of
from review_gate.prompts.editor.proposal import Proposal
from review_gate.prompts.editor.words import Span, Words
from review_gate.prompts.schema import Op, Target

# Before these there is no blank.
_ENDS_OF_WORDS = " \t.,;:!?)"


class Kept:
    """The places of all that edits put in: no other edit takes anything out of what was added, or a word in halves."""

    def __init__(self, text: str, proposals: Sequence[Proposal]) -> None:
        lines = (
            _line_of(text, span) for line in _lines(filter(_is_kept_whole, proposals)) for span in _all(text, line)
        )
        words = (span for line in _lines(filterfalse(_is_kept_whole, proposals)) for span in _all(text, line))
        heads = _heads(text, {one.target for one in proposals if one.op.is_addition})
        self._text = text
        self._added = _Spans([*(line for line in lines if line is not None), *heads])
        self._replaced = _Spans(words)

    def allows(self, span: Span) -> bool:
        """Whether a span has nothing of what was added, and of what was replaced only the whole and more."""
        if self._added.touched_by(span):
            return False
        touched = self._replaced.touched_by(span)
        if any(one.start < span.start or span.end < one.end for one in touched):
            return False
        # Between two lines of one replacement there is only what ends a line.
        return any(self._text[start:end].strip() for start, end in _between(span, touched))


class _Spans:
    """Spans in order, of which those near a place are found at once."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans)
        self._starts = [span.start for span in self._spans]
        self._longest = max((span.end - span.start for span in self._spans), default=0)

    def touched_by(self, span: Span) -> list[Span]:
        """Those that have a character in common with a span."""
        first = bisect_left(self._starts, span.start - self._longest)
        return [one for one in self._spans[first : bisect_left(self._starts, span.end)] if one.overlaps(span)]


def _between(span: Span, touched: Sequence[Span]) -> Iterator[Span]:
    """What of a span is in none of those that it touches, which come in order."""
    start = span.start
    for one in touched:
        yield Span(start, max(one.start, start))
        start = max(one.end, start)
    yield Span(start, span.end)


def _all(text: str, piece: str) -> Iterator[Span]:
    at = text.find(piece)
    while at >= 0:
        yield Span(at, at + len(piece))
        at = text.find(piece, at + 1)


def _line_of(text: str, span: Span) -> Span | None:
    """The line, with its bullet, that a span is all of; None where the line holds something else too."""
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    end = end if end >= 0 else len(text)
    before = text[start : span.start]
    is_all = not text[span.end : end].strip() and (not before.strip() or _is_bullet(before))
    return Span(start, end) if is_all else None


def _heads(text: str, targets: Collection[Target]) -> Iterator[Span]:
    """The lines above the parts in which something is put; they may have been put there too."""
    names = {name for target in targets for name in names_of(target)}
    # What names none of them needs no look at each line.
    if any(name in text.casefold() for name in names):
        yield from (Span(line.start, line.end) for line in lines_of(text) if line.heading in names)


def _lines(proposals: Iterable[Proposal]) -> list[str]:
    """Every line that proposals would put in: whole ones, as further lines of an item move to the right."""
    return sorted({line.strip() for one in proposals for line in _put_in(one)} - {""})


def _is_kept_whole(one: Proposal) -> bool:
    # A replacement that took a new heading away would have it put in again without end.
    return one.op.is_addition or one.op is Op.REFACTOR_STRUCTURE


def _put_in(one: Proposal) -> list[str]:
    lines = one.new.split("\n")
    return [line for line in lines if line.startswith("#")] if one.is_outline else lines


def places_of(proposal: Proposal, words: Words, kept: Kept) -> list[Span]:
    """What a proposal takes out of a text."""
    for old in proposal.old:
        spans = [span for span in words.spans(old) if kept.allows(span)]
        if spans:
            return [_with_margin(words.text, span) for span in spans] if proposal.op is Op.REMOVE_CONSTRAINT else spans
    return []


def _with_margin(text: str, span: Span) -> Span:
    """What is removed with some words: the rest of a line that holds nothing else, or one of two blanks."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end
    before, after = text[start : span.start], text[span.end : end]
    if not after.strip() and (not before.strip() or _is_bullet(before)):
        return Span(start, end + 1) if end < len(text) else Span(_end_before(text, start), end)
    if before.endswith((" ", "\t")) and (not after or after[0] in _ENDS_OF_WORDS):
        return Span(span.start - 1, span.end)
    return span


def _end_before(text: str, start: int) -> int:
    """Where the line before one ends."""
    return start - (2 if text.endswith("\r\n", 0, start) else 1 if start else 0)


def _is_bullet(before: str) -> bool:
    found = ITEM.match(f"{before}x")
    return found is not None and found.end() == len(before)


def without_overlaps(spans: Sequence[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Spans and what stands there then, from the last to the first, none of which touches another."""
    chosen: list[tuple[Span, str]] = []
    for span, new in sorted(spans, key=lambda one: (one[0].start, one[0].end)):
        if not chosen or not chosen[-1][0].overlaps(span):
            chosen.append((span, new))
    return chosen[::-1]
