"""Where the words stand that an edit takes out, and where none may: what an edit has put in stays."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from review_gate.prompts.layout import ITEM, lines_of, names_of
from review_gate.prompts.proposal import Proposal
from review_gate.prompts.schema import Op, Target

_TOKEN = re.compile(r"\S+")


class Span(NamedTuple):
    """Some characters of a text."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether both have a character in common."""
        return self.start < other.end and other.start < self.end


class Words:
    """A text in which words are found however it is broken into lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens: list[re.Match[str]] | None = None
        self._plain = ""
        self._starts: list[int] = []

    def spans(self, sought: str) -> list[Span]:
        """Every place of some words, as they are, or else with other white space between them."""
        exact = list(_found(self.text, sought))
        has_gaps = len(sought.split()) > 1
        return exact if exact or not has_gaps else self._however_broken(sought)

    def _however_broken(self, sought: str) -> list[Span]:
        tokens = self._read()
        plain = " ".join(sought.split())
        spans = []
        for span in _found(self._plain, plain):
            first = tokens[bisect_right(self._starts, span.start) - 1]
            last = tokens[bisect_left(self._starts, span.end) - 1]
            start = first.start() + span.start - self._starts[bisect_right(self._starts, span.start) - 1]
            end = last.start() + span.end - self._starts[bisect_left(self._starts, span.end) - 1]
            spans.append(Span(start, end))
        return spans

    def _read(self) -> list[re.Match[str]]:
        if self._tokens is None:
            self._tokens = list(_TOKEN.finditer(self.text))
            self._plain = " ".join(token[0] for token in self._tokens)
            at = 0
            for token in self._tokens:
                self._starts.append(at)
                at += len(token[0]) + 1
        return self._tokens


def _found(text: str, sought: str) -> Iterator[Span]:
    """The places where some words stand that are not a part of longer ones; none overlaps the one before."""
    at = text.find(sought) if sought else -1
    while at >= 0:
        end = at + len(sought)
        if _is_apart(text, at) and _is_apart(text, end):
            yield Span(at, end)
            at = text.find(sought, end)
        else:
            at = text.find(sought, at + 1)


def _is_apart(text: str, place: int) -> bool:
    """Whether no word goes on across a place."""
    return not (0 < place < len(text) and _is_of_word(text[place - 1]) and _is_of_word(text[place]))


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


class Kept:
    """The places of all that edits put in: no other edit takes anything out of what was added, or a word in halves."""

    def __init__(self, text: str, proposals: Sequence[Proposal]) -> None:
        lines = (_line_of(text, span) for line in _lines(proposals, are_additions=True) for span in _all(text, line))
        words = (span for line in _lines(proposals, are_additions=False) for span in _all(text, line))
        heads = _heads(text, {one.target for one in proposals if one.op.is_addition})
        self._added = _Spans([*(line for line in lines if line is not None), *heads])
        self._replaced = _Spans(words)

    def allows(self, span: Span) -> bool:
        """Whether a span has nothing of what was added, and of what was replaced only the whole and more."""
        if self._added.touched_by(span):
            return False
        touched = self._replaced.touched_by(span)
        if any(one.start < span.start or span.end < one.end for one in touched):
            return False
        covered = end = 0
        for one in touched:
            covered += max(one.end - max(one.start, end), 0)
            end = max(one.end, end)
        return covered < span.end - span.start


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


def _lines(proposals: Sequence[Proposal], *, are_additions: bool) -> list[str]:
    """Every line that proposals would put in: whole ones, as further lines of an item move to the right."""
    lines = {line.strip() for one in proposals if one.op.is_addition is are_additions for line in _put_in(one)}
    return sorted(lines - {""})


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
        return Span(start, end + 1) if end < len(text) else Span(max(start - 1, 0), end)
    if before.endswith((" ", "\t")) and (not after or after[0] in " \t"):
        return Span(span.start - 1, span.end)
    return span


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
