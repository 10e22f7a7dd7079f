"""Many checks over many texts: one pass finds where one of them could match, Python's own `re` decides there."""

from __future__ import annotations

from _bisect import bisect_left, bisect_right

from review_gate.checks.automaton import finder
from review_gate.checks.folding import Origins, characters_outside_ascii, folded_text, folding_characters
from review_gate.checks.match import BYTE_ORDER_MARK, lines_of, with_plain_line_ends
from review_gate.checks.rule import Hit
from review_gate.checks.sought import LITERAL, NEEDLED, TOUCHED, WHOLE_TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from review_gate.checks.rule import Rule
    from review_gate.checks.sought import Sought

    # Start and end of a match in characters, and the index of its check.
    Match = tuple[int, int, int]
    # The index of a check, and the needle itself where its case counts.
    Wanted = tuple[int, bytes | None]

# Letters outside ASCII that equal an ASCII letter when case does not count: dotted I, dotless i, long s, Kelvin sign.
ODD_CASE = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
# Python's `\s` has these for text and not for bytes.
ODD_SPACES = (b"\x1c", b"\x1d", b"\x1e", b"\x1f")
# Up to here the start of a match is tried place by place; further, the line is searched.
WIDEST_WINDOW = 48
MARK = BYTE_ORDER_MARK.encode()


class Engine:
    """The checks of a scan, ready to be looked for; `busy_with` is the check that is being tried just now."""

    def __init__(self, rules: Sequence[Rule], sought: Sequence[Sought], *, is_large: bool = False) -> None:
        self.rules = rules
        self.busy_with: Rule | None = None
        self._sought = sought
        # One pass serves both: over lower-case text as soon as one check does not care for case.
        self._is_folded = any(one.ignores_case for one in sought)
        self._by_needle, needles = _by_needle(sought, is_folded=self._is_folded)
        self._occurrences = finder(needles, is_large=is_large)
        self._untold = [index for index, one in enumerate(sought) if not one.needles]
        self._untold_in_ascii = [index for index in self._untold if not sought[index].other_ranges]
        self._has_whole = any(one.kind == WHOLE_TEXT for one in sought)
        self._off: set[int] = set()
        self._applies: Callable[[Rule], bool] = lambda _: True

    def switch_off(self, rule: Rule) -> None:
        """Do not look for a check any more."""
        self._off.add(self.rules.index(rule))

    def hits(self, data: bytes, applies: Callable[[Rule], bool] = lambda _: True) -> list[Hit]:
        """Every match in the bytes of a text, by place, of the checks that apply to it."""
        self._applies = applies
        self.busy_with = None
        body = data[len(MARK) :] if data.startswith(MARK) else data
        if b"\r" in body:
            body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        matches = self._matches(body)
        hidden = [] if body.isascii() else self._hidden(body, matches)
        if not matches and not hidden:
            return []
        return _as_hits(data, self.rules, sorted([(m, False) for m in matches] + [(m, True) for m in hidden]))

    def _matches(self, data: bytes, only: Callable[[Sought], bool] | None = None) -> list[Match]:
        """Matches in text with LF line ends; `only` picks some of the checks."""
        places = self._places(data)
        text = _Text(data)
        odd = self._odd_lines(text) if self._is_folded and not text.is_ascii else {}
        untold = self._untold_in_ascii if text.is_ascii else self._untold_for(data)
        wanted = {*places, *untold, *odd} - self._off
        found: list[Match] = []
        for which in sorted(wanted):
            one = self._sought[which]
            if (only is None or only(one)) and self._applies(self.rules[which]):
                self.busy_with = self.rules[which]
                spans = _tried(one, text, places.get(which, ()), odd.get(which, ()))
                found += [(start, end, which) for start, end in spans]
        self.busy_with = None
        return found

    def _places(self, data: bytes) -> dict[int, list[int]]:
        """For each check the places, in bytes, where one of its needles stands."""
        places: dict[int, list[int]] = {}
        for needle, start, end in self._occurrences(data.lower() if self._is_folded else data):
            for which, exact in self._by_needle[needle]:
                if exact is None or data[start:end] == exact:
                    if which in places:
                        places[which].append(start)
                    else:
                        places[which] = [start]
        return places

    def _untold_for(self, data: bytes) -> list[int]:
        """The checks without needle that a text outside ASCII can hold."""
        others = sorted(map(ord, characters_outside_ascii(data)))

        def is_possible(one: Sought) -> bool:
            return not one.other_ranges or any(
                bisect_right(others, last) > bisect_left(others, first) for first, last in one.other_ranges
            )

        return [index for index in self._untold if is_possible(self._sought[index])]

    def _odd_lines(self, text: _Text) -> dict[int, list[tuple[int, int]]]:
        """For each check without regard to case the lines where an odd letter may be part of one of its needles."""
        lines = _lines_holding(text.text, map(chr, ODD_CASE))
        found: dict[int, list[tuple[int, int]]] = {}
        for begin, end in lines:
            data = text.text[begin:end].translate(ODD_CASE).encode("utf-8", "surrogateescape")
            for which, needle_places in self._places(data).items():
                if self._sought[which].ignores_case and needle_places:
                    found.setdefault(which, []).append((begin, end))
        return found

    def _hidden(self, data: bytes, plain: Sequence[Match]) -> list[Match]:
        """Matches in the text as it looks, without those that overlap a plain match of the same check."""
        looks = folding_characters(data)
        if not looks:
            return []
        text = data.decode("utf-8", "surrogateescape")
        known: dict[int, list[tuple[int, int]]] = {}
        for start, end, which in plain:
            known.setdefault(which, []).append((start, end))
        found = [*self._hidden_in_lines(text, looks), *self._hidden_in_whole(text, looks)]
        return [match for match in found if not _overlaps(match, known.get(match[2], ()))]

    def _hidden_in_lines(self, text: str, looks: dict[str, str]) -> Iterator[Match]:
        lines = _lines_holding(text, looks)
        seen = [folded_text(text[begin:end], looks) for begin, end in lines]
        data = "\n".join(seen).encode("utf-8", "surrogateescape")
        found = self._matches(data, lambda one: one.kind != WHOLE_TEXT)
        starts = list(_starts(seen)) if found else []
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
        seen = folded_text(text, looks).encode("utf-8", "surrogateescape")
        found = self._matches(seen, lambda one: one.kind == WHOLE_TEXT)
        if found:
            origin = Origins(text, looks).of
            yield from ((origin(start), origin(end - 1) + 1, which) for start, end, which in found)


class _Text:
    """A text as bytes and, once somebody asks, as characters."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._text: str | None = None
        self.is_ascii = data.isascii()

    @property
    def text(self) -> str:
        """The characters; what is not UTF-8 becomes lone surrogates."""
        if self._text is None:
            self._text = self.data.decode("utf-8", "surrogateescape")
        return self._text

    def characters(self, places: Iterable[int]) -> list[int]:
        """Places in bytes as places in characters, in order and each once."""
        ordered = sorted(set(places))
        if self.is_ascii:
            return ordered
        found: list[int] = []
        at = count = 0
        for place in ordered:
            count += len(self.data[at:place].decode("utf-8", "surrogateescape"))
            at = place
            found.append(count)
        return found

    def bounds(self, place: int) -> tuple[int, int]:
        """Start and end of the line around a place."""
        end = self.text.find("\n", place)
        return self.text.rfind("\n", 0, place) + 1, len(self.text) if end < 0 else end


def _lines_holding(text: str, characters: Iterable[str]) -> list[tuple[int, int]]:
    lines: set[tuple[int, int]] = set()
    for character in characters:
        at = text.find(character)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            lines.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(character, end)
    return sorted(lines)


def _tried(one: Sought, text: _Text, places: Sequence[int], odd: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The matches of one check, left to right and none inside another."""
    if one.kind == LITERAL:
        return _apart((at, at + len(one.pattern)) for at in text.characters(places))
    if one.kind == WHOLE_TEXT:
        return [match.span() for match in one.regex.finditer(text.text)]
    if one.kind == NEEDLED:
        found = _near(one, text, text.characters(places)) if places else []
        for begin, end in odd:
            found += _in_line(one, text.text, begin, end)
        return _apart(sorted(found)) if odd else found
    lines = _touched_lines(one, text) if one.kind == TOUCHED else _all_lines(text.text)
    return [span for begin, end in lines for span in _in_line(one, text.text, begin, end)]


def _in_line(one: Sought, text: str, begin: int, end: int) -> list[tuple[int, int]]:
    return [(begin + match.start(), begin + match.end()) for match in one.regex.finditer(text[begin:end])]


def _near(one: Sought, text: _Text, places: Sequence[int]) -> list[tuple[int, int]]:
    """The matches that the places of a check's needles allow."""
    if one.most_before - one.least_before <= WIDEST_WINDOW:
        return _in_whole_windows(one, text.text, places) if one.is_same_across_lines else _in_windows(one, text, places)
    found: list[tuple[int, int]] = []
    done = -1
    for place in places:
        if place > done:
            begin, done = text.bounds(place)
            found += _in_line(one, text.text, begin, done)
    return found


def _in_whole_windows(one: Sought, text: str, places: Sequence[int]) -> list[tuple[int, int]]:
    """The start of a match follows from the place of the needle, and the text need not be cut into lines for it."""
    found: list[tuple[int, int]] = []
    match_at, find = one.regex.match, text.find
    least, most = one.least_before, one.most_before
    free = 0
    end = -1
    for place in places:
        if place > end:
            end = find("\n", place)
            end = len(text) if end < 0 else end
        first = place - most
        if most and (first < 0 or find("\n", first, place) >= 0):
            first = text.rfind("\n", 0, place) + 1
        for start in range(free if free > first else first, place - least + 1):
            match = match_at(text, start, end)
            if match is not None:
                free = match.end()
                found.append((start, free))
                break
    return found


def _in_windows(one: Sought, text: _Text, places: Sequence[int]) -> list[tuple[int, int]]:
    """The same in a line by itself: the pattern could see the lines around."""
    found: list[tuple[int, int]] = []
    match_at = one.regex.match
    begin = end = tried = -1
    line = ""
    for place in places:
        if place > end:
            begin, end = text.bounds(place)
            line, tried = text.text[begin:end], 0
        at = place - begin
        for start in range(max(tried, at - one.most_before), at - one.least_before + 1):
            match = match_at(line, start)
            if match is not None:
                found.append((begin + start, begin + match.end()))
                tried = match.end()
                break
        else:
            tried = max(tried, at - one.least_before + 1)
    return found


def _touched_lines(one: Sought, text: _Text) -> Iterator[tuple[int, int]]:
    """The lines that matches in the whole text touch: every line that has a match by itself is among them."""
    done = -1
    for start, end in _rough_matches(one, text):
        # A match may run over the line end; each line is then tried by itself.
        place = max(start, done + 1)
        while place < max(end, start + 1):
            begin, done = text.bounds(place)
            yield begin, done
            place = done + 1


def _rough_matches(one: Sought, text: _Text) -> Iterator[tuple[int, int]]:
    # On plain ASCII bytes mean the same, and `re` is two to three times faster on them.
    regex = _for_bytes(one.pattern) if text.is_ascii and not any(odd in text.data for odd in ODD_SPACES) else None
    matches: Iterator[re.Match[bytes]] | Iterator[re.Match[str]]
    matches = one.regex.finditer(text.text) if regex is None else regex.finditer(text.data)
    return (match.span() for match in matches)


def _for_bytes(pattern: str) -> re.Pattern[bytes] | None:
    import re

    try:
        return re.compile(pattern.encode("ascii"), re.MULTILINE)
    except (re.error, ValueError):
        # It names characters outside ASCII.
        return None


def _starts(lines: Iterable[str]) -> Iterator[int]:
    """Where each line begins when they are joined."""
    begin = 0
    for line in lines:
        yield begin
        begin += len(line) + 1


def _all_lines(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for line in text.split("\n"):
        yield begin, begin + len(line)
        begin += len(line) + 1


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, without those that begin inside an earlier one."""
    found: list[tuple[int, int]] = []
    free = 0
    for start, end in spans:
        if start >= free:
            found.append((start, end))
            free = end
    return found


def _overlaps(match: Match, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < match[1] and match[0] < end for start, end in spans)


def _by_needle(sought: Sequence[Sought], *, is_folded: bool) -> tuple[list[list[Wanted]], list[bytes]]:
    """The needles, and for each the checks that want it; in folded text some want it exactly as it is written."""
    found: dict[bytes, list[Wanted]] = {}
    for index, one in enumerate(sought):
        for needle in one.needles:
            data = needle.encode("utf-8", "surrogateescape")
            is_exact = is_folded and not one.ignores_case
            found.setdefault(data.lower() if is_folded else data, []).append((index, data if is_exact else None))
    return list(found.values()), list(found)


def _as_hits(data: bytes, rules: Sequence[Rule], matches: Sequence[tuple[Match, bool]]) -> list[Hit]:
    """Matches, given by place in the text with plain line ends, as places in the text as it is."""
    text = data.decode("utf-8", "surrogateescape")
    plain = text
    starts: list[int] | None = None
    if b"\r" in data or text.startswith(BYTE_ORDER_MARK):
        plain = with_plain_line_ends(text.removeprefix(BYTE_ORDER_MARK))
        starts = [begin for begin, _ in lines_of(text)]
    hits: list[Hit] = []
    at, line = 0, 1
    for (start, end, which), is_hidden in matches:
        line += plain.count("\n", at, start)
        at = start
        column = start - plain.rfind("\n", 0, start) - 1
        last = line + plain.count("\n", start, end - 1)
        begin, stop = start, end
        if starts is not None:
            begin = starts[line - 1] + column
            stop = starts[last - 1] + end - 1 - plain.rfind("\n", 0, end - 1)
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
