"""Finds the words that an edit is about: in prose, never in code or as a part of a longer word."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from review_gate.prompts.editor.layout import ITEM, lines_of
from review_gate.prompts.editor.proposal import Proposal
from review_gate.prompts.schema import Op

# Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean put no blanks between words. Accents and vowel signs, which
# Python does not count among the letters, belong to the letter before them.
_LETTER = (
    r"(?:[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])"
)
# Between two letters they make one name of both, such as src/settings.ts or user-settings.
_GLUE = r"[/\\.@:#'\u2019\u00ad\u200c\u200d-]"
_BEGINS = rf"(?<!{_LETTER})(?:(?!{_LETTER})|(?<!{_LETTER}{_GLUE}))"
_ENDS = rf"(?!{_LETTER})(?:(?<!{_LETTER})|(?!{_GLUE}{_LETTER}))"
# Before these there is no blank.
_ENDS_OF_WORDS = " \t.,;:!?)"


class Span(NamedTuple):
    """Some characters of a text."""

    start: int
    end: int


class Replacement(NamedTuple):
    """A place of the prompt, and its new text."""

    span: Span
    new: str


class Words:
    """A prompt in which words are found however it is broken into lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._fences = [(line.start, line.end) for line in lines_of(text) if line.is_fenced]

    def spans(self, sought: str) -> list[Span]:
        """Every place of some words in prose; none overlaps the one before."""
        # Signs alone are no words that an edit could be about.
        if not any(letter.isalnum() for letter in sought):
            return []
        words = sought.split()
        pattern = re.compile(_BEGINS + r"\s+".join(map(re.escape, words)) + _ENDS)
        spans, at = [], self.text.find(words[0])
        # By its first word: a pattern that begins with a look behind is tried at every letter, which is slow.
        while at >= 0:
            found = pattern.match(self.text, at)
            if found and not self._is_in_code(at):
                spans.append(Span(*found.span()))
            at = self.text.find(words[0], found.end() if found else at + 1)
        return spans

    def _is_in_code(self, place: int) -> bool:
        fence = bisect_right(self._fences, (place, len(self.text))) - 1
        if fence >= 0 and place <= self._fences[fence][1]:
            return True
        return self.text.count("`", self.text.rfind("\n", 0, place) + 1, place) % 2 == 1


def replacements(proposal: Proposal, words: Words, newline: str) -> list[Replacement]:
    """What a proposal takes out of a prompt, or says in other words."""
    new = proposal.new.replace("\n", newline)
    for old in proposal.old:
        spans = words.spans(old)
        if spans and proposal.op is Op.REMOVE_CONSTRAINT:
            spans = [_with_margin(words.text, span) for span in spans]
        if spans:
            return [Replacement(span, new) for span in spans]
    return []


def _with_margin(text: str, span: Span) -> Span:
    """What is removed with some words: the rest of a line that holds nothing else, or one of two blanks."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end
    before, after = text[start : span.start], text[span.end : end]
    if not after.strip() and (not before.strip() or _is_bullet(before)):
        before_line = start - (2 if text.endswith("\r\n", 0, start) else 1 if start else 0)
        return Span(start, end + 1) if end < len(text) else Span(before_line, end)
    if before.endswith((" ", "\t")) and (not after or after[0] in _ENDS_OF_WORDS):
        return Span(span.start - 1, span.end)
    return span


def _is_bullet(before: str) -> bool:
    found = ITEM.match(f"{before}x")
    return found is not None and found.end() == len(before)


def replaced(text: str, wanted: Sequence[Replacement]) -> str:
    """The prompt with other words at some places; of two that overlap the first one counts."""
    pieces: list[str] = []
    end = 0
    for (start, stop), new in sorted(wanted, key=lambda one: one.span):
        if start >= end:
            pieces += [text[end:start], new]
            end = stop
    return "".join([*pieces, text[end:]])
