"""Where one check matches in one text: tried only where a needle stands, and decided by Python's own `re`."""

from __future__ import annotations

from _bisect import bisect_right

from review_gate.checks.folding import is_much_work, places_of_any
from review_gate.checks.sought import LITERAL, NEEDLED, TOUCHED, WHOLE_TEXT, WIDEST_WINDOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import AnyStr

    from review_gate.checks.sought import Sought

# Python's `\s` has these for text and not for bytes.
ODD_SPACES = (b"\x1c", b"\x1d", b"\x1e", b"\x1f")
# Every byte outside ASCII as the same one, so that the next of them is found at once.
_MARKED = b"\x80"
_MARKING = bytes(range(128)) + _MARKED * 128


class Text:
    """A text as bytes and, once somebody asks, as characters."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._text: str | None = None
        self._other_lines: tuple[list[tuple[int, int]], str] | None = None
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

    @property
    def other_lines(self) -> tuple[list[tuple[int, int]], str]:
        """The lines that are not plain ASCII: where they are, in bytes, and what they say, joined."""
        if self._other_lines is None:
            spans = _lines_outside_ascii(self.data)
            joined = b"\n".join([self.data[begin:end] for begin, end in spans])
            self._other_lines = spans, joined.decode("utf-8", "surrogateescape")
        return self._other_lines

    def as_characters(self, lines: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Lines, given in bytes, in characters and in order."""
        at = count = 0
        for begin, end in sorted(lines):
            count += len(self.data[at:begin].decode("utf-8", "surrogateescape"))
            length = len(self.data[begin:end].decode("utf-8", "surrogateescape"))
            yield count, count + length
            at, count = end, count + length

    def bounds(self, place: int) -> tuple[int, int]:
        """Start and end of the line around a place."""
        end = self.text.find("\n", place)
        return self.text.rfind("\n", 0, place) + 1, len(self.text) if end < 0 else end


def lines_holding(text: str, characters: Collection[str]) -> list[tuple[int, int]]:
    """The lines that hold one of the characters."""
    if is_much_work(text, characters):
        places = places_of_any(text, characters)
        return list(_lines_around(((place, place + 1) for place in places), text, "\n"))
    lines: set[tuple[int, int]] = set()
    for character in characters:
        at = text.find(character)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            lines.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(character, end)
    return sorted(lines)


def _lines_outside_ascii(data: bytes) -> list[tuple[int, int]]:
    """The lines, in bytes, that are not plain ASCII."""
    spans: list[tuple[int, int]] = []
    marked = data.translate(_MARKING)
    at = marked.find(_MARKED)
    while at >= 0:
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        spans.append((data.rfind(b"\n", 0, at) + 1, end))
        at = marked.find(_MARKED, end)
    return spans


def tried(one: Sought, text: Text, places: Sequence[int], odd: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
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


def _near(one: Sought, text: Text, places: Sequence[int]) -> list[tuple[int, int]]:
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


def _in_windows(one: Sought, text: Text, places: Sequence[int]) -> list[tuple[int, int]]:
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


def _touched_lines(one: Sought, text: Text) -> Iterator[tuple[int, int]]:
    """The lines that matches in the whole text touch: every line that has a match by itself is among them."""
    # On plain ASCII bytes mean the same, and `re` is two to three times faster on them.
    regex = None if any(odd in text.data for odd in ODD_SPACES) else one.bytes_regex
    if regex is None:
        return _lines_around((match.span() for match in one.regex.finditer(text.text)), text.text, "\n")
    spans = _left_out(regex, text.data) if one.walk_program else (match.span() for match in regex.finditer(text.data))
    lines = _lines_around(spans, text.data, b"\n")
    return lines if text.is_ascii else text.as_characters({*lines, *_touched_outside_ascii(one, text)})


def _left_out(regex: re.Pattern[AnyStr], text: AnyStr) -> Iterator[tuple[int, int]]:
    """What the matches of a regex leave out."""
    at = 0
    for match in regex.finditer(text):
        if match.start() > at:
            yield at, match.start()
        at = match.end()
    if at < len(text):
        yield at, len(text)


def _touched_outside_ascii(one: Sought, text: Text) -> list[tuple[int, int]]:
    """The same among the lines that are not plain ASCII, in bytes."""
    lines, joined = text.other_lines
    spans = _left_out(one.walk, joined) if one.walk else (match.span() for match in one.regex.finditer(joined))
    touched = list(_lines_around(spans, joined, "\n"))
    starts = list(starts_of(joined.split("\n"))) if touched else []
    return [lines[bisect_right(starts, begin) - 1] for begin, _ in touched]


def _lines_around(spans: Iterable[tuple[int, int]], text: AnyStr, line_end: AnyStr) -> Iterator[tuple[int, int]]:
    """The lines that spans, given in order, touch."""
    done = -1
    for start, end in spans:
        # A match may run over the line end; each line is then tried by itself.
        place = max(start, done + 1)
        while place < max(end, start + 1):
            begin = text.rfind(line_end, 0, place) + 1
            done = text.find(line_end, place)
            done = len(text) if done < 0 else done
            yield begin, done
            place = done + 1


def starts_of(lines: Iterable[str] | Iterable[bytes]) -> Iterator[int]:
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
