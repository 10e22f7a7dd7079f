"""Fixes of checks on a text: replace, remove the sentence, remove the paragraph; nothing else is touched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import regex

from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rematch import Rematch, is_for_raw_text
from review_gate.checks.removal import Removals, harmless
from review_gate.checks.rule import REGEX, REMOVE_SENTENCE, REPLACE, Hit
from review_gate.checks.text_blocks import BYTE_ORDER_MARK, Lines, Span

MAX_REPLACEMENT = 1_000_000
MAX_GROWTH = 10_000_000

NO_FIX = "the check has no fix"
HIDDEN = "it is written with look-alike or unseen characters; a person has to decide"
NOT_TEXT = "the file is not UTF-8 text"
MARK = "the fix would change the byte order mark"
NO_CHANGE = "the fix changes nothing"
GONE = "the pattern does not match at this place"
TOO_LONG = f"the replacement is longer than {MAX_REPLACEMENT} characters"
TOO_MUCH = f"the text would grow by more than {MAX_GROWTH} characters"
NOT_A_CHARACTER = "the replacement holds half a character (a surrogate)"
BREAKS = "taking it out would change what stands around it; fix it by hand"
_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Change:
    """One applied fix: offsets and line (from 1) of the text before it; `rules` are the checks that wanted it."""

    start: int
    end: int
    line: int
    rules: tuple[str, ...]
    before: str
    after: str

    @property
    def rule(self) -> str:
        """The check whose match came first."""
        return self.rules[0]


@dataclass(frozen=True, slots=True)
class Left:
    """A match that was not fixed, and why."""

    hit: Hit
    reason: str


class Block(NamedTuple):
    """Lines that a round of fixes has changed: from and to before it and after it, counted from 0."""

    old: int
    old_end: int
    new: int
    new_end: int


Rounds = tuple[tuple[Block, ...], ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after its fixes, with what was done and what was not, and the lines that each round has changed."""

    text: str
    changes: tuple[Change, ...] = ()
    left: tuple[Left, ...] = ()
    rounds: Rounds = ()


class CannotFixError(Exception):
    """A fix that cannot be applied; the message says why."""


def fixed(text: str, hits: Sequence[Hit], language: str = MARKDOWN) -> Fixed:
    """The text with every fix that does not overlap an earlier one; what overlaps is left for another round."""
    work = _Work(text, language)
    wanted = []
    for hit in hits:
        try:
            wanted.append(work.wanted(hit))
        except CannotFixError as reason:
            work.left.append(Left(hit, str(reason)))
    changes = list(work.apart([*work.replacements(wanted), *work.removals(wanted)]))
    return Fixed(applied(text, changes), tuple(changes), tuple(sorted(work.left, key=lambda left: left.hit.start)))


def applied(text: str, changes: Sequence[Change]) -> str:
    """The text with changes that stand in order and apart."""
    pieces, done = [], 0
    for change in changes:
        pieces += [text[done : change.start], change.after]
        done = change.end
    return "".join([*pieces, text[done:]])


# A match with what its fix wants: a new text for the match, or a span that has to go.
_Wanted = tuple[Hit, str | None, Span]
# A change with the matches behind it.
_Planned = tuple[Change, list[Hit]]


class _Work:
    """One text while its fixes are worked out."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.left: list[Left] = []
        self.is_text = "\0" not in text and not text.startswith(_UTF_16)

    @cached_property
    def removable(self) -> Removals:
        return Removals(self.lines, self.language)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def rematch(self) -> Rematch:
        return Rematch(self.lines)

    def wanted(self, hit: Hit) -> _Wanted:
        """What the fix of a match wants."""
        if not self.is_text:
            raise CannotFixError(NOT_TEXT)
        if hit.rule.fix is None:
            raise CannotFixError(NO_FIX)
        if hit.is_hidden:
            raise CannotFixError(HIDDEN)
        action, template = hit.rule.fix
        if action == REPLACE:
            return hit, self.replacement(hit, template), (hit.start, self.rematch.end(hit))
        find = self.removable.sentence if action == REMOVE_SENTENCE else self.removable.paragraph
        return hit, None, find(hit.start, hit.end)

    def replacement(self, hit: Hit, template: str) -> str:
        """The new text of a match, with the line ends that the text has at this place."""
        new = self.expanded(hit, template) if hit.rule.match_rule == REGEX else template
        if _SURROGATE.search(template):
            raise CannotFixError(NOT_A_CHARACTER)
        if hit.start == 0 and self.text.startswith(BYTE_ORDER_MARK):
            raise CannotFixError(MARK)
        if "\n" in new and not is_for_raw_text(hit):
            new = new.replace("\r\n", "\n").replace("\n", self.lines.end_near(hit.start))
        if new == self.text[hit.start : self.rematch.end(hit)]:
            raise CannotFixError(NO_CHANGE)
        return new

    def expanded(self, hit: Hit, template: str) -> str:
        """The template of a regex with the groups of its match."""
        match = self.rematch.match(hit)
        if match is None:
            raise CannotFixError(GONE)
        return expanded(match, template)

    def replacements(self, wanted: Sequence[_Wanted]) -> Iterator[_Planned]:
        """The changes that put a new text in the place of a match."""
        for hit, new, (start, end) in wanted:
            if new is not None:
                yield Change(start, end, hit.line, (hit.rule.id,), self.text[start:end], new), [hit]

    def removals(self, wanted: Sequence[_Wanted]) -> Iterator[_Planned]:
        """The changes that take sentences and paragraphs away, neighbours in one."""
        gone = sorted(((span, hit) for hit, new, span in wanted if new is None), key=lambda pair: pair[0])
        if not gone:
            return
        joined: list[Span] = []
        spans: list[Span] = []
        for whole in self.removable.joined([span for span, _ in gone]):
            joined.append(whole)
            spans.append(self.removable.with_blanks(*whole))
            while len(spans) > 1 and spans[-1][0] < spans[-2][1]:
                # Both would take the blanks between them.
                joined[-2:] = [(joined[-2][0], joined[-1][1])]
                spans[-2:] = [self.removable.with_blanks(*joined[-1])]
        allowed = harmless(self.text, spans) if self.language == MARKDOWN else set(spans)
        place = 0
        for whole, (start, end) in zip(joined, spans, strict=True):
            hits = []
            while place < len(gone) and gone[place][0][0] < max(whole[1], whole[0] + 1):
                hits.append(gone[place][1])
                place += 1
            hits.sort(key=lambda hit: hit.start)
            if (start, end) in allowed:
                rules = tuple(dict.fromkeys(hit.rule.id for hit in hits))
                yield Change(start, end, hits[0].line, rules, self.text[start:end], ""), hits
            else:
                self.left += [Left(hit, BREAKS) for hit in hits]

    def apart(self, planned: list[_Planned]) -> Iterator[Change]:
        """The changes in order, without those that overlap an earlier one or let the text grow too much."""
        done, winner, growth = 0, "", 0
        for change, hits in sorted(planned, key=lambda plan: plan[0].start):
            larger = growth + len(change.after) - len(change.before)
            reason = f"it overlaps the fix of {winner}" if change.start < done else TOO_MUCH
            if change.start < done or larger > MAX_GROWTH:
                self.left += [Left(hit, reason) for hit in hits]
                continue
            done, winner, growth = change.end, change.rule, larger
            yield change


def expanded(match: regex.Match[str], template: str) -> str:
    """A template with the groups of a match in it, as re.sub would do."""
    longest = max(len(group or "") for group in (match[0], *match.groups()))
    if len(template) + template.count("\\") * longest > MAX_REPLACEMENT:
        raise CannotFixError(TOO_LONG)
    try:
        return match.expand(template)
    except (regex.error, IndexError) as error:
        raise CannotFixError(f"the replacement is no template for the pattern: {error}") from None
