"""Many texts sought at once in one pass over the bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from review_gate.packages import see_package

# Index of the text, start and end of one occurrence, in bytes.
Occurrence = tuple[int, int, int]
Finder = Callable[[bytes], Sequence[Occurrence]]

# So many texts of at least this length are sought with vector instructions when one of them is enough, which takes half
# the time; shorter ones seem to stand everywhere.
MOST_FOR_ONE = 64
SHORTEST_FOR_ONE = 3
# The vector instructions compare the first bytes of each text: where these are rare, there is less to look at twice.
COMPARED = 3
SHORTEST_END = 8
# The bytes that source code is made of, the most common first.
_COMMON = b" etsranio\nlfdc_pum.h)(,'\"g=:bywxv-#kETN0I1SAOR"
_COMMONNESS = {byte: place for place, byte in enumerate(_COMMON)}
# After so many inputs it shows whether most of them hold nothing.
SAMPLE = 64


def finder(needles: Sequence[bytes], *, is_large: bool) -> Finder:
    """A function that finds every occurrence, overlapping ones too; for much input it is built to be faster."""
    if not needles:
        return lambda _: ()
    try:
        see_package("ahocorasick_rs")
        from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind
    except (ImportError, OSError):
        # An extension that is damaged, or built for another system, may fail to load with either.
        return lambda data: list(one_by_one(needles, data))
    # Building the faster one takes seven times as long, which pays from some hundred kilobytes on.
    kind = Implementation.DFA if is_large else Implementation.ContiguousNFA
    automaton = BytesAhoCorasick(needles, matchkind=MatchKind.Standard, implementation=kind)
    if is_large and len(needles) <= MOST_FOR_ONE and min(map(len, needles)) >= SHORTEST_FOR_ONE:
        # Of ends that overlap it finds one; all others overlap one that it finds.
        ends = list(dict.fromkeys(map(rare_end, needles)))
        one_of = BytesAhoCorasick(ends, matchkind=MatchKind.LeftmostFirst, implementation=Implementation.DFA)
        longest = max(map(len, needles))
        return RoughFirst(
            one_of.find_matches_as_indexes,
            lambda data: automaton.find_matches_as_indexes(data, overlapping=True),
            longest,
        )
    return lambda data: automaton.find_matches_as_indexes(data, overlapping=True)


def rare_end(needle: bytes) -> bytes:
    """The end of a text that begins with its rarest bytes; a short text as it is."""
    starts = range(max(len(needle) - SHORTEST_END, 0) + 1)
    return needle[max(starts, key=lambda start: _rarity(needle[start : start + COMPARED])) :]


def _rarity(data: bytes) -> int:
    return sum(_COMMONNESS.get(byte, len(_COMMON)) for byte in data)


class RoughFirst:
    """A finder of ends that is asked first, and one that finds all occurrences where the rough one finds some ends."""

    def __init__(self, rough: Finder, whole: Finder, longest: int) -> None:
        self._rough = rough
        self._whole = whole
        self._longest = longest
        self._asked = self._in_vain = 0

    def __call__(self, data: bytes) -> Sequence[Occurrence]:
        """Every occurrence; the end of each overlaps one that the rough finder knows."""
        if self._in_vain * 2 > self._asked > SAMPLE:
            return self._whole(data)
        self._asked += 1
        found = self._rough(data)
        if not found:
            return found
        self._in_vain += 1
        return [occurrence for around in self._around(found) for occurrence in self._within(data, *around)]

    def _around(self, found: Sequence[Occurrence]) -> Iterator[tuple[int, int]]:
        """The parts of a text, apart from one another, in which the occurrences lie whose ends were found."""
        first, last = found[0][1] - self._longest, 0
        for _, start, end in found:
            if last and start - self._longest > last:
                yield first, last
                first = start - self._longest
            last = end + self._longest
        yield first, last

    def _within(self, data: bytes, first: int, last: int) -> Iterator[Occurrence]:
        first = max(first, 0)
        return ((needle, first + start, first + end) for needle, start, end in self._whole(data[first:last]))


def one_by_one(needles: Sequence[bytes], data: bytes) -> Iterator[Occurrence]:
    """The same without the automaton, which has no build for musl and for Windows on ARM."""
    for index, needle in enumerate(needles):
        at = data.find(needle)
        while at >= 0:
            yield index, at, at + len(needle)
            at = data.find(needle, at + 1)
