"""A text in which the words are found that an edit is about: in prose, and never a part of something else."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple
from unicodedata import category

from review_gate.prompts.editor.layout import lines_of

_TOKEN = re.compile(r"\S+")
# Between two letters they make one name of both, such as src/settings.ts or user-settings; the last three are not seen.
_GLUE = frozenset("/\\-.@:#'\u2019\u00ad\u200c\u200d")
# Thai, Lao, Burmese, Khmer, and what is written in China, Japan and Korea.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_FENCES = ("```", "~~~")


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
        self._found: dict[str, list[Span]] = {}

    def spans(self, sought: str) -> list[Span]:
        """Every place of some words in prose, as they are, or else with other white space between them."""
        if sought not in self._found:
            self._found[sought] = self._spans(sought)
        return self._found[sought]

    def _spans(self, sought: str) -> list[Span]:
        exact = [span for span in _found(self.text, sought) if not self._is_in_code(span)]
        has_gaps = len(sought.split()) > 1
        return exact if exact or not has_gaps else self._however_broken(sought)

    def _however_broken(self, sought: str) -> list[Span]:
        plain = " ".join(sought.split())
        spans = (self._as_it_stands(span) for span in _found(self._plain, plain))
        return [span for span in spans if not self._is_in_code(span)]

    def _as_it_stands(self, span: Span) -> Span:
        """Where something stands in the text, by its place in the text with single blanks."""
        first, last = bisect_right(self._starts, span.start) - 1, bisect_left(self._starts, span.end) - 1
        start = self._tokens[first].start() + span.start - self._starts[first]
        return Span(start, self._tokens[last].start() + span.end - self._starts[last])

    def _is_in_code(self, span: Span) -> bool:
        """Whether a span is a part of code, of which no words are meant."""
        return self._is_quoted(span.start) or self._is_fenced(span.start)

    def _is_quoted(self, place: int) -> bool:
        # By index: to count anew for each place of a word would take quadratic time in a long line.
        before = bisect_left(self._ticks, place)
        if not before:
            return False
        return (before - bisect_left(self._ticks, self.text.rfind("\n", 0, place) + 1)) % 2 == 1

    def _is_fenced(self, place: int) -> bool:
        at = bisect_right(self._fenced, place) - 1
        return at >= 0 and place <= self._fenced_ends[at]

    @cached_property
    def _ticks(self) -> list[int]:
        return [found.start() for found in re.finditer("`", self.text)]

    @cached_property
    def _tokens(self) -> list[re.Match[str]]:
        return list(_TOKEN.finditer(self.text))

    @cached_property
    def _plain(self) -> str:
        return " ".join(token[0] for token in self._tokens)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for token in self._tokens:
            starts.append(at)
            at += len(token[0]) + 1
        return starts

    @cached_property
    def _fenced(self) -> list[int]:
        """Where the lines begin that stand in a fence."""
        has_fence = any(mark in self.text for mark in _FENCES)
        return [line.start for line in lines_of(self.text) if line.is_fenced] if has_fence else []

    @cached_property
    def _fenced_ends(self) -> list[int]:
        return [line.end for line in lines_of(self.text) if line.is_fenced] if self._fenced else []


def _found(text: str, sought: str) -> Iterator[Span]:
    """The places where some words stand that are not a part of longer ones; none overlaps the one before."""
    # Signs alone are no words that an edit could be about.
    at = text.find(sought) if any(letter.isalnum() for letter in sought) else -1
    while at >= 0:
        end = at + len(sought)
        if _begins_at(text, at) and _ends_at(text, end):
            yield Span(at, end)
            at = text.find(sought, end)
        else:
            at = text.find(sought, at + 1)


def _begins_at(text: str, place: int) -> bool:
    """Whether no word, name or path comes from before a place."""
    before = text[max(place - 2, 0) : place]
    if not before or _is_mark(text[place]):
        return not before
    is_glued = before[-1] in _GLUE and len(before) == 2 and _is_of_word(before[0]) and _is_of_word(text[place])
    return not _is_of_word(before[-1]) and not is_glued


def _ends_at(text: str, place: int) -> bool:
    """Whether no word, name or path goes on after a place."""
    after = text[place : place + 2]
    if not after or _is_mark(after[0]):
        return not after
    is_glued = after[0] in _GLUE and len(after) == 2 and _is_of_word(after[1]) and _is_of_word(text[place - 1])
    return not _is_of_word(after[0]) and not is_glued


def _is_of_word(letter: str) -> bool:
    """Whether a letter may be a part of a longer word: not one of a script that puts no blanks between words."""
    return (letter.isalnum() or letter == "_" or _is_mark(letter)) and not _UNSPACED.match(letter)


def _is_mark(letter: str) -> bool:
    """Whether it belongs to the letter before it: an accent, or a vowel sign, of which Hindi has one in most words."""
    return category(letter).startswith("M")
