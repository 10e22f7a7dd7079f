"""Many checks over many texts: one pass finds where one of them could match, Python's own `re` decides there."""

from __future__ import annotations

from _bisect import bisect_left, bisect_right

from review_gate.checks.automaton import finder
from review_gate.checks.folding import Origins, characters_outside_ascii, folded_text, folding_characters
from review_gate.checks.long_texts import LONG_LINE, LONG_TEXT, has_long_line, may_run_on
from review_gate.checks.match import BYTE_ORDER_MARK, hit_at, lines_of
from review_gate.checks.rule import Hit
from review_gate.checks.sought import RAW_TEXT, TOUCHED, WHOLE_TEXT
from review_gate.checks.trying import Text, lines_holding, starts_of, tried
from review_gate.checks.watch import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from review_gate.checks.automaton import Occurrence
    from review_gate.checks.rule import Rule
    from review_gate.checks.sought import Sought
    from review_gate.checks.watch import Cell

    # Start and end of a match in characters, and the index of its check.
    Match = tuple[int, int, int]
    # The index of a check, and the needle itself where its case counts.
    Wanted = tuple[int, bytes | None]

# Letters outside ASCII that equal an ASCII letter when case does not count: dotted I, dotless i, long s, Kelvin sign.
ODD_CASE = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
_ODD_CASE_BYTES = tuple(chr(letter).encode() for letter in ODD_CASE)
MARK = BYTE_ORDER_MARK.encode()
PIECE = 1 << 20
# A text with more places where something could match is made for that.
MOST_PLACES = 1_000_000


class FloodError(Exception):
    """A text holds more places where checks could match than anybody would read."""


class Look:
    """A text in which something may match: as it is, with plain line ends, and the needles that stand in it.

    None are known of a text that is too large to know them all at once. `looks` are the characters that look like
    others, None where nobody has looked for them.
    """

    __slots__ = ("body", "data", "has_marker", "looks", "needles")

    def __init__(
        self,
        data: bytes,
        body: bytes,
        needles: Sequence[Occurrence] | None,
        *,
        has_marker: bool,
        looks: dict[str, str] | None = None,
    ) -> None:
        self.data = data
        self.body = body
        self.needles = needles
        self.has_marker = has_marker
        self.looks = looks


class Engine:
    """The checks of a scan, ready to be looked for; `busy_with` is the check that is being tried just now.

    A text that holds the `marker` is worth a look even when no check can match in it.
    """

    def __init__(
        self, rules: Sequence[Rule], sought: Sequence[Sought], *, marker: bytes = b"", is_large: bool = False
    ) -> None:
        self.rules = rules
        # The number of that check, where another process can see it too if need be.
        self.busy: Cell = [NOTHING]
        self._sought = sought
        # One pass serves both: over lower-case text as soon as one check does not care for case.
        self._is_folded = any(one.ignores_case for one in sought)
        signs = [marker] if marker else []
        odd_letters = _ODD_CASE_BYTES if self._is_folded else ()
        by_needle = _by_needle(sought, (*signs, *odd_letters), is_folded=self._is_folded)
        self._by_needle, needles = list(by_needle.values()), list(by_needle)
        self._marker = needles.index(marker) if marker else -1
        self._odd_letters = frozenset(map(needles.index, odd_letters))
        self._occurrences = finder(needles, is_large=is_large)
        self._longest = max(map(len, needles), default=1) - 1
        self._raw = [index for index, one in enumerate(sought) if one.kind == RAW_TEXT]
        self._untold = [index for index, one in enumerate(sought) if not one.needles and one.kind != RAW_TEXT]
        self._untold_in_ascii = [index for index in self._untold if not sought[index].other_ranges]
        self._has_whole = any(one.kind == WHOLE_TEXT for one in sought)
        self._whole = {index for index, one in enumerate(sought) if one.kind in (WHOLE_TEXT, RAW_TEXT, TOUCHED)}
        self._regexes = {index for index, one in enumerate(sought) if one.is_regex and may_run_on(one.pattern)}
        self._off: set[int] = set()
        self._applies: Callable[[Rule], bool] = lambda _: True

    @property
    def busy_with(self) -> Rule | None:
        """The check that is being tried just now, or was when the search was cut short."""
        return None if self.busy[0] == NOTHING else self.rules[self.busy[0]]

    def may_take_long(self, look: Look, applies: Callable[[Rule], bool]) -> bool:
        """Whether patterns are to be tried on so much text at once that no signal may end them in time."""
        if len(look.body) <= LONG_LINE or not self._regexes:
            return False
        suspects = self._regexes
        if len(look.body) <= PIECE and not has_long_line(look.body):
            suspects = self._regexes & self._whole if len(look.body) > LONG_TEXT else set()
        # Of plain ASCII the needles tell which checks will be tried.
        if suspects and look.needles is not None and look.looks == {}:
            present = {needle for needle, _, _ in look.needles}
            named = {which for needle in present for which, _ in self._by_needle[needle]}
            suspects = suspects & named.union(self._untold, self._raw)
        return any(applies(self.rules[which]) for which in suspects - self._off)

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
        if b"\r" in body:
            body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if len(body) > PIECE:
            return Look(data, body, None, has_marker=True)
        needles = self._occurrences(body.lower() if self._is_folded else body)
        is_ascii = body.isascii()
        looks: dict[str, str] | None = {} if is_ascii else None
        if not needles and not self._raw and not (self._untold_in_ascii if is_ascii else self._untold):
            # Then only what looks like a needle is left.
            looks = looks if is_ascii else folding_characters(body)
            if not looks:
                return None
        has_marker = any(needle == self._marker for needle, _, _ in needles)
        return Look(data, body, needles, has_marker=has_marker, looks=looks)

    def hits_in(self, look: Look, applies: Callable[[Rule], bool]) -> list[Hit]:
        """The matches in a text that was looked at."""
        self._applies = applies
        self.busy[0] = NOTHING
        text = Text(look.body)
        matches = self._matches(text, look.needles)
        looks = folding_characters(look.body) if look.looks is None else look.looks
        hidden = self._hidden(text.text, looks, matches) if looks else []
        raw = self._raw_hits(look.data) if self._raw else []
        if not matches and not hidden:
            return raw
        found = sorted([(match, False) for match in matches] + [(match, True) for match in hidden])
        return raw + _as_hits(look.data, text.text, self.rules, found)

    def _raw_hits(self, data: bytes) -> list[Hit]:
        """The matches of checks that tell one kind of line end from another."""
        text = data.decode("utf-8", "surrogateescape")
        start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        looks = folding_characters(data[len(MARK) :] if start else data)
        hits: list[Hit] = []
        for which in self._raw:
            rule = self.rules[which]
            if which not in self._off and self._applies(rule):
                self.busy[0] = which
                found = _raw_spans(self._sought[which], text[start:], looks)
                lines = list(lines_of(text)) if found else []
                hits += [
                    hit_at(rule, text, lines, (start + first, start + last), is_hidden=is_hidden)
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
        """Matches in text with LF line ends, whose needles may be known; `only` picks some of the checks."""
        places = self._places(text.data, self._needles_in(text.data) if needles is None else needles)
        may_be_odd = not text.is_ascii and (needles is None or any(one in self._odd_letters for one, _, _ in needles))
        odd = self._odd_lines(text) if self._is_folded and may_be_odd else {}
        untold = self._untold_in_ascii if text.is_ascii else self._untold_for(text.data)
        wanted = {*places, *untold, *odd} - self._off
        found: list[Match] = []
        for which in sorted(wanted):
            one = self._sought[which]
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
                bisect_right(others, last) > bisect_left(others, first) for first, last in one.other_ranges
            )

        return [index for index in self._untold if is_possible(self._sought[index])]

    def _odd_lines(self, text: Text) -> dict[int, list[tuple[int, int]]]:
        """For each check without regard to case the lines where an odd letter may be part of one of its needles."""
        lines = lines_holding(text.text, map(chr, ODD_CASE))
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
        reach = _reach(plain) if found else {}
        return [match for match in found if not _overlaps(match, reach)]

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
    plain = [match.span() for match in one.regex.finditer(text)]
    found = [(start, end, False) for start, end in plain]
    if looks:
        origin = Origins(text, looks).of
        spans = ((match.start(), match.end() - 1) for match in one.regex.finditer(folded_text(text, looks)))
        seen = ((origin(first), origin(last) + 1) for first, last in spans)
        reach = _reach((start, end, 0) for start, end in plain)
        found += [(start, end, True) for start, end in seen if not _overlaps((start, end, 0), reach)]
    return found


def _text_of(text: str) -> Text:
    return Text(text.encode("utf-8", "surrogateescape"))


def _reach(matches: Iterable[Match]) -> dict[int, tuple[list[int], list[int]]]:
    """For each check where its matches begin, in order, and how far those up to each of them go."""
    reach: dict[int, tuple[list[int], list[int]]] = {}
    for start, end, which in sorted(matches):
        starts, ends = reach.setdefault(which, ([], []))
        starts.append(start)
        ends.append(max(end, ends[-1]) if ends else end)
    return reach


def _overlaps(match: Match, reach: dict[int, tuple[list[int], list[int]]]) -> bool:
    """Whether a match overlaps one of its check; a text with many of both must not take the square of the time."""
    starts, ends = reach.get(match[2], ([], []))
    before = bisect_left(starts, match[1])
    return before > 0 and match[0] < ends[before - 1]


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


def _as_hits(data: bytes, plain: str, rules: Sequence[Rule], matches: Sequence[tuple[Match, bool]]) -> list[Hit]:
    """Matches, given by place in the text with plain line ends, as places in the text as it is."""
    text = plain
    starts: list[int] | None = None
    if b"\r" in data or data.startswith(MARK):
        text = data.decode("utf-8", "surrogateescape")
        starts = [begin for begin, _ in lines_of(text)]
    hits: list[Hit] = []
    at, line, line_end = 0, 1, -1
    for (start, end, which), is_hidden in matches:
        line += plain.count("\n", at, start)
        # Not from the beginning: many matches on a long line must not take the square of the time.
        line_end = max(line_end, plain.rfind("\n", at, start))
        at = start
        column = start - line_end - 1
        last = line + plain.count("\n", start, end - 1)
        begin, stop = start, end
        if starts is not None:
            begin = starts[line - 1] + column
            stop = starts[last - 1] + end - 1 - max(line_end, plain.rfind("\n", start, end - 1))
            stop += text[stop - 1 : stop + 1] == "\r\n"
        hits.append(
            Hit(
                rules[which],
                line=line,
                column=column + 1,
                start=begin,
                end=stop,
                text=text[begin:stop],
                end_line=last,
                is_hidden=is_hidden,
            )
        )
    return hits
