"""Fixes of checks on a text: replace, remove the sentence, remove the paragraph; nothing else is touched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import regex

from review_gate.checks.boundaries import Layout
from review_gate.checks.keep_structure import Choice, keep_structure
from review_gate.checks.languages import MARKDOWN, is_prose
from review_gate.checks.rematch import Rematch, is_for_raw_text
from review_gate.checks.removal import planned_removals
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
HOLDS_TOGETHER = "nothing can be taken out here: it is the head of a table, or a mark of a table, heading or code block"
BREAKS = "taking it out would change what stands around it"
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


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after its fixes, with what was done and what was not."""

    text: str
    changes: tuple[Change, ...] = ()
    left: tuple[Left, ...] = ()


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
    changes = work.structured(list(work.apart([*work.replacements(wanted), *work.removals(wanted)])))
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


class _Planned(NamedTuple):
    """A change with the matches behind it; a removal can have several ways."""

    change: Change
    hits: list[Hit]
    ways: Sequence[Span] = ()


class _Work:
    """One text while its fixes are worked out."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.left: list[Left] = []
        self.is_text = "\0" not in text and not text.startswith(_UTF_16)

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.text, self.language)

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
        find = self.layout.sentence if action == REMOVE_SENTENCE else self.layout.paragraph
        span = find(hit.start, hit.end)
        if span is None:
            raise CannotFixError(HOLDS_TOGETHER)
        return hit, None, span

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
                yield _Planned(Change(start, end, hit.line, (hit.rule.id,), self.text[start:end], new), [hit])

    def removals(self, wanted: Sequence[_Wanted]) -> Iterator[_Planned]:
        """The changes that take sentences and paragraphs away, neighbours in one."""
        gone = sorted(((span, hit) for hit, new, span in wanted if new is None), key=lambda pair: pair[0])
        planned = planned_removals(self.layout, [span for span, _ in gone]) if gone else []
        place = 0
        for _, ways in planned:
            start, end = ways[0]
            hits = []
            while place < len(gone) and gone[place][0][0] < end:
                hits.append(gone[place][1])
                place += 1
            if not hits:
                # The removal before took its blanks; what is left of it is for another round.
                continue
            hits.sort(key=lambda hit: hit.start)
            rules = tuple(dict.fromkeys(hit.rule.id for hit in hits))
            yield _Planned(Change(start, end, hits[0].line, rules, self.text[start:end], ""), hits, ways)

    def structured(self, planned: Sequence[_Planned]) -> list[Change]:
        """The changes, with removals such that what stands around them stays what it is."""
        choices = [Choice(plan.ways) for plan in planned if plan.ways]
        if not choices or not is_prose(self.language):
            return [plan.change for plan in planned]
        taken = [(plan.change.start, plan.change.end) for plan in planned if not plan.ways]
        keep_structure(self.text, self.lines.starts[0], choices, taken)
        changes, chosen = [], iter(choices)
        for plan in planned:
            if not plan.ways:
                changes.append(plan.change)
            elif span := next(chosen).span:
                changes.append(replace(plan.change, start=span[0], end=span[1], before=self.text[slice(*span)]))
            else:
                self.left += [Left(hit, BREAKS) for hit in plan.hits]
        return changes

    def apart(self, planned: list[_Planned]) -> Iterator[_Planned]:
        """The changes in order, without those that overlap an earlier one or let the text grow too much."""
        done, winner, growth = 0, "", 0
        for plan in sorted(planned, key=lambda plan: plan.change.start):
            change = plan.change
            larger = growth + len(change.after) - len(change.before)
            reason = f"it overlaps the fix of {winner}" if change.start < done else TOO_MUCH
            if change.start < done or larger > MAX_GROWTH:
                self.left += [Left(hit, reason) for hit in plan.hits]
                continue
            done, winner, growth = change.end, change.rule, larger
            yield plan


def expanded(match: regex.Match[str], template: str) -> str:
    """A template with the groups of a match in it, as re.sub would do."""
    longest = max(len(group or "") for group in (match[0], *match.groups()))
    if len(template) + template.count("\\") * longest > MAX_REPLACEMENT:
        raise CannotFixError(TOO_LONG)
    try:
        return match.expand(template)
    except (regex.error, IndexError) as error:
        raise CannotFixError(f"the replacement is no template for the pattern: {error}") from None
