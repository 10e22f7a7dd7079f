"""Many checks over many texts: one pass finds where one of them could match, the `regex` package decides there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from review_gate.checks.automaton import Occurrence, finder
from review_gate.checks.folding import (
    Origins,
    folded_text,
    folding_characters,
    looks_beside,
)
from review_gate.checks.judge import judged
from review_gate.checks.match import BYTE_ORDER_MARK, hit_at, lines_of
from review_gate.checks.rule import Hit, Rule
from review_gate.checks.sought import RAW_TEXT, WHOLE_TEXT, Sought, sought_for
from review_gate.checks.spans import MARK, Match, apart_from, as_hits
from review_gate.checks.text_search import Clock, Span, Text, line_at, lines_holding, matches_in, spans_of, starts_of

# The index of a check, and the needle itself where its case counts.
Wanted = tuple[int, bytes | None]
Applies = Callable[[Rule], bool]
# Told of a check that took too long, or too much memory, and was left out.
Slow = Callable[[Rule, Exception], None]
Found = TypeVar("Found", Span, Match)

# Letters outside ASCII that equal an ASCII letter when case does not count: dotted I, dotless i, long s, Kelvin sign.
_ODD_LETTERS = tuple(map(chr, (0x130, 0x131, 0x17F, 0x212A)))
_CARRIAGE_RETURN = ord("\r")
PIECE = 1 << 20
# A text with more places where something could match is made for that.
MOST_PLACES = 1_000_000


class FloodError(Exception):
    """A text holds more places where checks could match than anybody would read."""


class Look(NamedTuple):
    """What one pass over a text sees: the text as it is, with plain line ends, and the needles in it.

    None are known of a text that is too large to know them all at once.
    """

    data: bytes
    body: bytes
    needles: Sequence[Occurrence] | None
    has_marker: bool


def _raise(_: Rule, error: Exception) -> None:
    raise error


class Engine:
    """The checks of a scan, ready to be looked for, each for so many seconds in one text.

    A text that holds one of the `markers` is worth a look even when no check can match in it.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        sought: Sequence[Sought],
        *,
        markers: Collection[bytes] = (),
        seconds: float = 0,
        is_large: bool = False,
    ) -> None:
        self.rules = rules
        self._sought = sought
        self._clock = Clock(seconds)
        # One pass serves both: over lower-case text as soon as one check does not care for case.
        self._is_folded = any(one.ignores_case for one in sought)
        signs = dict.fromkeys(marker.lower() if self._is_folded else marker for marker in markers)
        by_needle = _by_needle(sought, signs, is_folded=self._is_folded)
        self._by_needle, needles = list(by_needle.values()), list(by_needle)
        self._markers = frozenset(map(needles.index, signs))
        self._occurrences = finder(needles, is_large=is_large)
        self._longest = max(map(len, needles), default=1) - 1
        self._raw = [index for index, one in enumerate(sought) if one.kind == RAW_TEXT]
        self._untold = [index for index, one in enumerate(sought) if not one.needles and one.kind != RAW_TEXT]
        self._untold_in_ascii = [index for index in self._untold if not sought[index].needs_other_than_ascii]
        # How the checks are looked for in a text as it looks, and which of them see more there than others.
        self._as_seen = [one.as_seen() if one.look else one for one in sought]
        self._looks_apart = {index: one.look for index, one in enumerate(sought) if one.is_apart}
        self._naming = [index for index, one in enumerate(sought) if one.own_ranges and one.kind != RAW_TEXT]
        self._has_whole = any(one.kind == WHOLE_TEXT for one in sought)
        self._off: set[int] = set()
        self._applies: Applies = lambda _: True
        self._slow: Slow = _raise

    def switch_off(self, rule: Rule) -> None:
        """Do not look for a check any more."""
        self._off.add(self.rules.index(rule))

    def hits(self, data: bytes, applies: Applies = lambda _: True) -> list[Hit]:
        """Every match in the bytes of a text, by place, of the checks that apply to it."""
        look = self.look_at(data)
        return self.hits_in(look, applies) if look else []

    def look_at(self, data: bytes) -> Look | None:
        """What one pass over a text sees, None when nothing can match; the time goes with its length alone."""
        body = data[len(MARK) :] if data.startswith(MARK) else data
        if _CARRIAGE_RETURN in body:
            body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if len(body) > PIECE:
            return Look(data, body, None, has_marker=True)
        needles = self._occurrences(body.lower() if self._is_folded else body)
        is_ascii = body.isascii()
        is_vain = not needles and not self._raw and not (self._untold_in_ascii if is_ascii else self._untold)
        # Then only what looks like a needle is left.
        if is_vain and (is_ascii or not folding_characters(body)):
            return None
        return Look(data, body, needles, any(needle in self._markers for needle, _, _ in needles))

    def hits_in(self, look: Look, applies: Applies, slow: Slow = _raise) -> list[Hit]:
        """The matches in a text that was looked at; `slow` is told of checks that had to be given up."""
        self._applies, self._slow = applies, slow
        text = Text(look.body)
        matches = self._matches(text, look.needles)
        looks = {} if text.is_ascii else folding_characters(look.body)
        hidden = self._hidden(text.text, looks, matches) if looks else []
        raw = self._raw_hits(look.data, looks) if self._raw else []
        if not matches and not hidden:
            return raw
        found = sorted([(match, False) for match in matches] + [(match, True) for match in hidden])
        return raw + as_hits(look.data, text.text, self.rules, found)

    def _tried(self, which: int, search: Callable[..., list[Found]], *given: object) -> list[Found]:
        """What a search finds for a check that applies, nothing where it takes too much."""
        rule = self.rules[which]
        if which in self._off or not self._applies(rule):
            return []
        self._clock.begin()
        try:
            return search(*given)
        except (TimeoutError, MemoryError) as error:
            self._slow(rule, error)
            return []

    def _raw_hits(self, data: bytes, looks: dict[str, str]) -> list[Hit]:
        """The matches of checks that tell one kind of line end from another."""
        text = data.decode("utf-8", "surrogateescape")
        start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        hits: list[Hit] = []
        for which in self._raw:
            one = self._sought[which]
            found = self._tried(which, self._raw_spans, one, text[start:], looks)
            lines = list(lines_of(text)) if found else []
            hits += [
                hit_at(
                    self.rules[which], text, lines, (start + first, start + last), is_raw=True, is_hidden=bool(hidden)
                )
                for first, last, hidden in found
            ]
        return hits

    def _raw_spans(self, one: Sought, text: str, looks: dict[str, str]) -> list[Match]:
        """Start and end of each match in a text, with a 1 for those that show only in what it looks like."""
        plain = [(*span, 0) for span in matches_in(one, text, self._clock)]
        others = looks_beside(looks, one.own_ranges)
        hidden = [(*span, 0) for span in self._seen(one, text, others)] if others else []
        return plain + [(start, end, 1) for start, end, _ in apart_from(plain, hidden)]

    def _matches(
        self,
        text: Text,
        needles: Sequence[Occurrence] | None = None,
        only: Callable[[Sought], bool] | None = None,
    ) -> list[Match]:
        """Matches in text with LF line ends, whose needles may be known; `only` picks some of the checks.

        Picked checks are looked for in a text as it looks.
        """
        sought = self._as_seen if only else self._sought
        places = self._places(text.data, self._needles_in(text.data) if needles is None else needles)
        odd = lines_holding(text.text, _ODD_LETTERS) if self._is_folded and not text.is_ascii else []
        wanted = {*places, *(self._untold_in_ascii if text.is_ascii else self._untold)}
        if odd:
            wanted.update(index for index, one in enumerate(sought) if one.ignores_case)
        found: list[Match] = []
        for which in sorted(wanted):
            one = sought[which]
            if only is None or only(one):
                lines = odd if one.ignores_case else ()
                spans = self._tried(which, spans_of, one, text, places.get(which, ()), lines, self._clock)
                found += [(start, end, which) for start, end in spans]
        return found

    def _places(self, data: bytes, needles: Iterable[Occurrence]) -> dict[int, list[int]]:
        """For each check the places, in bytes, where one of its needles stands."""
        places: dict[int, list[int]] = {}
        left = MOST_PLACES
        for needle, start, end in needles:
            for which, exact in self._by_needle[needle]:
                if exact is None or data[start:end] == exact:
                    left -= 1
                    places.setdefault(which, []).append(start)
            if left < 0:
                left += self._drop_idle(places)
                # Who gets little of it back would be here again at once.
                if left < MOST_PLACES // 10:
                    raise FloodError
        return places

    def _drop_idle(self, places: dict[int, list[int]]) -> int:
        """Forget the places of checks that do not look at this text; how many they were."""
        idle = [which for which in places if which in self._off or not self._applies(self.rules[which])]
        return sum(len(places.pop(which)) for which in idle)

    def _needles_in(self, data: bytes) -> Iterator[Occurrence]:
        """Each needle with its start and end, piece by piece: all places of a flood would not fit into memory."""
        sought = data.lower() if self._is_folded else data
        for begin in range(0, len(sought), PIECE):
            piece = sought[begin : begin + PIECE + self._longest] if len(sought) > PIECE else sought
            for needle, start, end in self._occurrences(piece):
                if start < PIECE:
                    yield needle, begin + start, begin + end

    def _hidden(self, text: str, looks: dict[str, str], plain: Sequence[Match]) -> list[Match]:
        """Matches in the text as it looks, without those that overlap a plain match of the same check."""
        named = self._naming_among(looks)
        found = [*self._hidden_in_lines(text, looks, named), *self._hidden_in_whole(text, looks, named)]
        if self._looks_apart:
            found = [one for one in found if self._looks_apart.get(one[2]) != text[one[0] : one[1]]]
        for which in sorted(named):
            spans = self._tried(which, self._hidden_beside_own, self._sought[which], text, looks)
            found += [(start, end, which) for start, end in spans]
        return apart_from(plain, found)

    def _naming_among(self, looks: dict[str, str]) -> set[int]:
        """The regexes that name one of the characters that look like others: they mean these as they are."""
        places = sorted(ord(character) for character, look in looks.items() if look)
        return {
            which
            for which in self._naming
            if any(
                bisect_right(places, last) > bisect_left(places, first)
                for first, last in self._sought[which].own_ranges
            )
        }

    def _hidden_beside_own(self, one: Sought, text: str, looks: dict[str, str]) -> list[Span]:
        """Matches of a regex in the text as it looks but for the characters that it names itself."""
        others = looks_beside(looks, one.own_ranges)
        if not others:
            return []
        lines = [(0, len(text))] if one.kind == WHOLE_TEXT else lines_holding(text, others)
        return [
            (begin + start, begin + stop)
            for begin, end in lines
            for start, stop in self._seen(one, text[begin:end], others)
        ]

    def _hidden_in_lines(self, text: str, looks: dict[str, str], named: Collection[int]) -> Iterator[Match]:
        lines = lines_holding(text, looks)
        # No character looks like a line end, so the lines stay apart.
        seen = folded_text("\n".join([text[begin:end] for begin, end in lines]), looks)
        found = self._matches(_text_of(seen), only=lambda one: one.kind != WHOLE_TEXT)
        starts = list(starts_of(seen.split("\n"))) if found else []
        origins: dict[int, Origins] = {}
        for start, end, which in found:
            if which not in named:
                index = line_at(starts, start)
                begin, stop = lines[index]
                if index not in origins:
                    origins[index] = Origins(text[begin:stop], looks)
                origin = origins[index].of
                yield begin + origin(start - starts[index]), begin + origin(end - 1 - starts[index]) + 1, which

    def _hidden_in_whole(self, text: str, looks: dict[str, str], named: Collection[int]) -> Iterator[Match]:
        if not self._has_whole:
            return
        found = self._matches(_text_of(folded_text(text, looks)), only=lambda one: one.kind == WHOLE_TEXT)
        if found:
            origin = Origins(text, looks).of
            yield from (
                (origin(start), origin(end - 1) + 1, which) for start, end, which in found if which not in named
            )

    def _seen(self, one: Sought, text: str, looks: dict[str, str]) -> Iterator[Span]:
        """Where a regex matches in a text as it looks, in places of the text as it is."""
        origin = Origins(text, looks).of
        for start, end in matches_in(one, folded_text(text, looks), self._clock):
            yield origin(start), origin(end - 1) + 1


def occurrences(rule: Rule, text: str, seconds: float = 0) -> list[Hit]:
    """Every place of a text where the pattern of one check stands, whatever is around it."""
    engine = Engine([rule], [sought_for(rule)], seconds=seconds)
    return engine.hits(text.encode("utf-8", "surrogateescape"))


def find(rule: Rule, text: str, language: str, seconds: float = 0) -> list[Hit]:
    """Every place of a text that a check does not like."""
    return judged(occurrences(rule, text, seconds), text, language)


def _text_of(text: str) -> Text:
    return Text(text.encode("utf-8", "surrogateescape"))


def _by_needle(sought: Sequence[Sought], signs: Iterable[bytes], *, is_folded: bool) -> dict[bytes, list[Wanted]]:
    """For each needle the checks that want it; in folded text some want it exactly as it is written.

    Signs are needles that no check wants.
    """
    found: dict[bytes, list[Wanted]] = {sign: [] for sign in signs}
    for index, one in enumerate(sought):
        for needle in one.needles:
            data = needle.encode("utf-8", "surrogateescape")
            is_exact = is_folded and not one.ignores_case
            found.setdefault(data.lower() if is_folded else data, []).append((index, data if is_exact else None))
    return found
