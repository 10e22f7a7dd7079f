"""Many checks over many texts: one pass finds where one of them could match, Python's own `re` decides there."""

from __future__ import annotations

from _bisect import bisect_left, bisect_right

from review_gate.checks.automaton import finder
from review_gate.checks.folding import (
    Origins,
    characters_outside_ascii,
    folded_text,
    folding_characters,
    looks_beside,
)
from review_gate.checks.long_texts import (
    LONG_LINE,
    LONG_TEXT,
    NOWHERE,
    OVER_BLANKS,
    OVER_TEXT,
    has_long_blank,
    has_long_line,
)
from review_gate.checks.look import Look
from review_gate.checks.match import BYTE_ORDER_MARK, hit_at, lines_of
from review_gate.checks.odd_characters import OddCharacters
from review_gate.checks.rule import Hit
from review_gate.checks.sought import LITERAL, RAW_TEXT, TOUCHED, WHOLE_TEXT
from review_gate.checks.spans import MARK, apart_from, as_hits
from review_gate.checks.trying import Text, lines_holding, starts_of, tried
from review_gate.checks.watch import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from review_gate.checks.automaton import Occurrence
    from review_gate.checks.rule import Rule
    from review_gate.checks.sought import Sought
    from review_gate.checks.spans import Match
    from review_gate.checks.watch import Cell

    # The index of a check, and the needle itself where its case counts.
    Wanted = tuple[int, bytes | None]

# Letters outside ASCII that equal an ASCII letter when case does not count: dotted I, dotless i, long s, Kelvin sign.
ODD_CASE = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
_ODD_LETTERS = tuple(map(chr, ODD_CASE))
_ODD_CASE_BYTES = tuple(letter.encode() for letter in _ODD_LETTERS)
# What bytes that are not UTF-8 become.
FIRST_BROKEN, LAST_BROKEN = 0xDC80, 0xDCFF
# As a number: asked for bytes, `in` raises and drops an error, which takes longer than the look.
_CARRIAGE_RETURN = ord("\r")
PIECE = 1 << 20
# A text with more places where something could match is made for that.
MOST_PLACES = 1_000_000


class FloodError(Exception):
    """A text holds more places where checks could match than anybody would read."""


class Engine:
    """The checks of a scan, ready to be looked for; `busy_with` is the check that is being tried just now.

    A text that holds one of the `markers` is worth a look even when no check can match in it.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        sought: Sequence[Sought],
        *,
        markers: Collection[bytes] = (),
        odd: OddCharacters | None = None,
        is_large: bool = False,
    ) -> None:
        self.rules = rules
        # The number of that check, where another process can see it too if need be.
        self.busy: Cell = [NOTHING]
        self._sought = sought
        self._odd = odd or OddCharacters()
        # One pass serves both: over lower-case text as soon as one check does not care for case.
        self._is_folded = any(one.ignores_case for one in sought)
        signs = dict.fromkeys(marker.lower() if self._is_folded else marker for marker in markers)
        odd_letters = _ODD_CASE_BYTES if self._is_folded else ()
        by_needle = _by_needle(sought, (*signs, *odd_letters), is_folded=self._is_folded)
        self._by_needle, needles = list(by_needle.values()), list(by_needle)
        self._markers = frozenset(map(needles.index, signs))
        self._odd_letters = frozenset(map(needles.index, odd_letters))
        self._occurrences = finder(needles, is_large=is_large)
        self._longest = max(map(len, needles), default=1) - 1
        self.has_literals_only = all(one.kind == LITERAL for one in sought)
        self._raw = [index for index, one in enumerate(sought) if one.kind == RAW_TEXT]
        self._untold = [index for index, one in enumerate(sought) if not one.needles and one.kind != RAW_TEXT]
        self._untold_in_ascii = [index for index in self._untold if not sought[index].other_ranges]
        # How the checks are looked for in a text as it looks, and which of them see more there than others.
        self._as_seen = [one.as_seen() if one.look else one for one in sought]
        self._looks_apart = {index: one.look for index, one in enumerate(sought) if one.is_apart}
        self._own_ranges = [
            (index, one.own_ranges) for index, one in enumerate(sought) if one.own_ranges and one.kind != RAW_TEXT
        ]
        self._naming: dict[str, Sequence[int]] = {}
        self._has_whole = any(one.kind == WHOLE_TEXT for one in sought)
        self._running = {index for index, one in enumerate(sought) if one.reach != NOWHERE}
        over_lines = {index for index in self._running if sought[index].kind in (WHOLE_TEXT, RAW_TEXT, TOUCHED)}
        self._over_text = {index for index in over_lines if sought[index].reach == OVER_TEXT}
        self._over_blanks = {index for index in over_lines if sought[index].reach >= OVER_BLANKS}
        self._off: set[int] = set()
        self._applies: Callable[[Rule], bool] = lambda _: True

    @property
    def busy_with(self) -> Rule | None:
        """The check that is being tried just now, or was when the search was cut short."""
        return None if self.busy[0] == NOTHING else self.rules[self.busy[0]]

    def may_take_long(self, look: Look, applies: Callable[[Rule], bool]) -> bool:
        """Whether patterns are to be tried on so much text at once that no signal may end them in time."""
        if len(look.body) <= LONG_LINE or not self._running:
            return False
        suspects = self._running
        if len(look.body) <= PIECE and not has_long_line(look.body):
            suspects = self._over_lines(look.body) if len(look.body) > LONG_TEXT else set()
        return bool(suspects) and any(applies(self.rules[which]) for which in suspects & self.possible(look))

    def possible(self, look: Look) -> set[int]:
        """The checks that may be tried on a text; of plain ASCII the needles tell which."""
        if look.needles is None or look.looks != {}:
            return {*range(len(self.rules))} - self._off
        present = {needle for needle, _, _ in look.needles}
        named = {which for needle in present for which, _ in self._by_needle[needle]}
        return named.union(self._untold_in_ascii, self._raw) - self._off

    def _over_lines(self, body: bytes) -> set[int]:
        """The checks of which one step may run over many lines of a text."""
        if not self._over_blanks or self._over_blanks == self._over_text:
            return self._over_text
        return self._over_blanks if has_long_blank(body) else self._over_text

    def switch_off(self, rule: Rule) -> None:
        """Do not look for a check any more."""
        self._off.add(self.rules.index(rule))

    def hits(self, data: bytes, applies: Callable[[Rule], bool] = lambda _: True) -> list[Hit]:
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
        looks: dict[str, str] | None = {} if is_ascii else None
        if not needles and not self._raw and not (self._untold_in_ascii if is_ascii else self._untold):
            # Then only what looks like a needle is left.
            looks = looks if is_ascii else folding_characters(body, self._odd)
            if not looks:
                return None
        has_marker = any(needle in self._markers for needle, _, _ in needles)
        return Look(data, body, needles, has_marker=has_marker, looks=looks)

    def hits_in(self, look: Look, applies: Callable[[Rule], bool]) -> list[Hit]:
        """The matches in a text that was looked at."""
        self._applies = applies
        self.busy[0] = NOTHING
        text = Text(look.body)
        matches = self._matches(text, look.needles)
        looks = folding_characters(look.body, self._odd) if look.looks is None else look.looks
        hidden = self._hidden(text.text, looks, matches) if looks else []
        raw = self._raw_hits(look.data) if self._raw else []
        if not matches and not hidden:
            return raw
        if look.body is look.data:
            look.text = text.text
        found = sorted([(match, False) for match in matches] + [(match, True) for match in hidden])
        return raw + as_hits(look.data, text.text, self.rules, found)

    def _raw_hits(self, data: bytes) -> list[Hit]:
        """The matches of checks that tell one kind of line end from another."""
        text = data.decode("utf-8", "surrogateescape")
        start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        looks = folding_characters(data[len(MARK) :] if start else data, self._odd)
        hits: list[Hit] = []
        for which in self._raw:
            rule = self.rules[which]
            if which not in self._off and self._applies(rule):
                self.busy[0] = which
                found = _raw_spans(self._sought[which], text[start:], looks)
                lines = list(lines_of(text)) if found else []
                hits += [
                    hit_at(rule, text, lines, (start + first, start + last), is_raw=True, is_hidden=is_hidden)
                    for first, last, is_hidden in found
                ]
        self.busy[0] = NOTHING
        return hits

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
        may_be_odd = not text.is_ascii and (needles is None or any(one in self._odd_letters for one, _, _ in needles))
        odd = self._odd_lines(text) if self._is_folded and may_be_odd else {}
        untold = self._untold_in_ascii if text.is_ascii else self._untold_for(text.data)
        wanted = {*places, *untold, *odd} - self._off
        found: list[Match] = []
        for which in sorted(wanted):
            one = sought[which]
            if (only is None or only(one)) and self._applies(self.rules[which]):
                self.busy[0] = which
                spans = tried(one, text, places.get(which, ()), odd.get(which, ()))
                found += [(start, end, which) for start, end in spans]
        self.busy[0] = NOTHING
        return found

    def _places(self, data: bytes, needles: Iterable[Occurrence]) -> dict[int, list[int]]:
        """For each check the places, in bytes, where one of its needles stands."""
        places: dict[int, list[int]] = {}
        left = MOST_PLACES
        for needle, start, end in needles:
            for which, exact in self._by_needle[needle]:
                if exact is None or data[start:end] == exact:
                    left -= 1
                    if which in places:
                        places[which].append(start)
                    else:
                        places[which] = [start]
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

    def _untold_for(self, data: bytes) -> list[int]:
        """The checks without needle that a text outside ASCII can hold."""
        if len(self._untold) == len(self._untold_in_ascii):
            return self._untold
        others = sorted(map(ord, characters_outside_ascii(data)))

        def is_possible(one: Sought) -> bool:
            return not one.other_ranges or any(
                # Broken bytes may not be among the characters.
                bisect_right(others, last) > bisect_left(others, first)
                or (first <= LAST_BROKEN and last >= FIRST_BROKEN)
                for first, last in one.other_ranges
            )

        return [index for index in self._untold if is_possible(self._sought[index])]

    def _odd_lines(self, text: Text) -> dict[int, list[tuple[int, int]]]:
        """For each check without regard to case the lines where an odd letter may be part of one of its needles."""
        lines = lines_holding(text.text, _ODD_LETTERS)
        data = "\n".join([text.text[begin:end] for begin, end in lines]).encode("utf-8", "surrogateescape")
        for letter, plain in zip(_ODD_CASE_BYTES, ODD_CASE.values(), strict=True):
            data = data.replace(letter, plain.encode())
        starts = list(starts_of(data.split(b"\n")))
        found: dict[int, list[tuple[int, int]]] = {}
        for which, places in self._places(data, self._needles_in(data)).items():
            if self._sought[which].ignores_case:
                indexes = {bisect_right(starts, place) - 1 for place in places}
                found[which] = [lines[index] for index in sorted(indexes)]
        return found

    def _hidden(self, text: str, looks: dict[str, str], plain: Sequence[Match]) -> list[Match]:
        """Matches in the text as it looks, without those that overlap a plain match of the same check."""
        found = [*self._hidden_in_lines(text, looks), *self._hidden_in_whole(text, looks)]
        if self._looks_apart:
            found = [one for one in found if self._looks_apart.get(one[2]) != text[one[0] : one[1]]]
        found = apart_from(plain, found)
        return found + apart_from([*plain, *found], self._hidden_beside_own(text, looks))

    def _hidden_beside_own(self, text: str, looks: dict[str, str]) -> Iterator[Match]:
        """Matches of regexes in the text as it looks but for the characters that they name themselves."""
        if len(looks) < 2 or not self._own_ranges:
            # Either it is named, and nothing else is hidden, or the text as it looks has been searched.
            return
        for which in {which for character, look in looks.items() if look for which in self._named_by(character)}:
            one = self._sought[which]
            others = looks_beside(looks, one.own_ranges)
            if others and which not in self._off and self._applies(self.rules[which]):
                self.busy[0] = which
                lines = [(0, len(text))] if one.kind == WHOLE_TEXT else lines_holding(text, others)
                for begin, end in lines:
                    yield from (
                        (begin + start, begin + stop, which) for start, stop in _seen(one, text[begin:end], others)
                    )
        self.busy[0] = NOTHING

    def _named_by(self, character: str) -> Sequence[int]:
        """The regexes that name a character, remembered: texts hold few different ones that look like others."""
        if character not in self._naming:
            place = ord(character)
            self._naming[character] = [
                index for index, own in self._own_ranges if any(first <= place <= last for first, last in own)
            ]
        return self._naming[character]

    def _hidden_in_lines(self, text: str, looks: dict[str, str]) -> Iterator[Match]:
        lines = lines_holding(text, looks)
        # No character looks like a line end, so the lines stay apart.
        seen = folded_text("\n".join([text[begin:end] for begin, end in lines]), looks)
        found = self._matches(_text_of(seen), only=lambda one: one.kind != WHOLE_TEXT)
        starts = list(starts_of(seen.split("\n"))) if found else []
        origins: dict[int, Origins] = {}
        for start, end, which in found:
            index = bisect_right(starts, start) - 1
            begin, stop = lines[index]
            if index not in origins:
                origins[index] = Origins(text[begin:stop], looks)
            origin = origins[index].of
            yield begin + origin(start - starts[index]), begin + origin(end - 1 - starts[index]) + 1, which

    def _hidden_in_whole(self, text: str, looks: dict[str, str]) -> Iterator[Match]:
        if not self._has_whole:
            return
        found = self._matches(_text_of(folded_text(text, looks)), only=lambda one: one.kind == WHOLE_TEXT)
        if found:
            origin = Origins(text, looks).of
            yield from ((origin(start), origin(end - 1) + 1, which) for start, end, which in found)


def _raw_spans(one: Sought, text: str, looks: dict[str, str]) -> list[tuple[int, int, bool]]:
    """Start and end of each match in a text, and of those that show only in what it looks like."""
    plain = [(*match.span(), 0) for match in one.regex.finditer(text)]
    hidden: list[Match] = []
    others = looks_beside(looks, one.own_ranges)
    for seen in (looks, others) if len(others) < len(looks) else (looks,):
        if seen:
            hidden += apart_from([*plain, *hidden], [(*span, 0) for span in _seen(one, text, seen)])
    return [(start, end, False) for start, end, _ in plain] + [(start, end, True) for start, end, _ in hidden]


def _seen(one: Sought, text: str, looks: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Where a regex matches in a text as it looks, in places of the text as it is."""
    origin = Origins(text, looks).of
    for match in one.regex.finditer(folded_text(text, looks)):
        yield origin(match.start()), origin(match.end() - 1) + 1


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
