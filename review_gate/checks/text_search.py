"""Where one check matches in one text: tried only on lines with one of its needles, within a limit of time."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from review_gate.checks.folding import is_much_work, places_of_any
from review_gate.checks.sought import LITERAL, WHOLE_TEXT, Sought

# Start and end.
Span = tuple[int, int]


class Clock:
    """The time that one check may take in one text; `seconds` of 0 are no limit."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = 0.0

    def begin(self) -> None:
        """Another check is tried."""
        self._end = time.process_time() + self._seconds

    def left(self) -> float | None:
        """The seconds that are left, None without a limit; a TimeoutError when there are none."""
        if not self._seconds:
            return None
        left = self._end - time.process_time()
        if left <= 0:
            raise TimeoutError
        return left


class Text:
    """A text with LF line ends as bytes and, when it is asked for, as characters."""

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


def spans_of(one: Sought, text: Text, places: Sequence[int], odd: Sequence[Span], clock: Clock) -> list[Span]:
    """The matches of one check, left to right and none inside another.

    `places` are those of its needles, in bytes; `odd` are lines on which a needle may be written in an odd way.
    """
    if one.kind == LITERAL:
        return _apart((at, at + len(one.pattern)) for at in text.characters(places))
    if one.kind == WHOLE_TEXT:
        return matches_in(one, text.text, clock) if holds_others(one, text.text) else []
    if one.needles:
        lines: Iterable[Span] = _lines_of(text.characters(places), text.text)
        lines = sorted({*lines, *odd}) if odd else lines
    elif one.is_same_across_lines:
        # Every line that has a match by itself is among those that matches in the whole text touch.
        lines = _lines_around(iter(matches_in(one, text.text, clock)), text.text)
    else:
        lines = _all_lines(text.text)
    found, whole = list[Span](), text.text
    for begin, end in lines:
        line = whole[begin:end]
        if not one.others or holds_others(one, line):
            found += [(begin + start, begin + stop) for start, stop in matches_in(one, line, clock)]
    return found


def holds_others(one: Sought, text: str) -> bool:
    """Whether a text has what a match of a regex holds beside its needles; to look takes less time than to compile."""
    for texts, ignores_case in one.others:
        if ignores_case and not text.isascii():
            # A long s is an s, too.
            continue
        within = text.lower() if ignores_case else text
        if not any(other in within for other in texts):
            return False
    return True


def matches_in(one: Sought, text: str, clock: Clock) -> list[Span]:
    """The matches of a regex in a text."""
    return [match.span() for match in one.regex.finditer(text, timeout=clock.left())]


def lines_holding(text: str, characters: Collection[str]) -> list[Span]:
    """The lines that hold one of the characters."""
    if is_much_work(text, characters):
        places = places_of_any(text, characters)
        return list(_lines_around(((place, place + 1) for place in places), text))
    lines: set[Span] = set()
    for character in characters:
        at = text.find(character)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            lines.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(character, end)
    return sorted(lines)


def _lines_of(places: Iterable[int], text: str) -> Iterator[Span]:
    """The lines that places, given in order, are on."""
    end = -1
    for place in places:
        if place > end:
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            yield text.rfind("\n", 0, place) + 1, end


def _lines_around(spans: Iterable[Span], text: str) -> Iterator[Span]:
    """The lines that spans, given in order, touch."""
    done = -1
    for start, end in spans:
        # A match may run over the line end; each line is then tried by itself.
        place = max(start, done + 1)
        while place < max(end, start + 1):
            begin = text.rfind("\n", 0, place) + 1
            done = text.find("\n", place)
            done = len(text) if done < 0 else done
            yield begin, done
            place = done + 1


def starts_of(lines: Iterable[str]) -> Iterator[int]:
    """Where each line begins when they are joined."""
    begin = 0
    for line in lines:
        yield begin
        begin += len(line) + 1


def line_at(starts: Sequence[int], place: int) -> int:
    """The index of the line that a place is on."""
    return bisect_right(starts, place) - 1


def _all_lines(text: str) -> Iterator[Span]:
    begin = 0
    for line in text.split("\n"):
        yield begin, begin + len(line)
        begin += len(line) + 1


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, without those that begin inside an earlier one."""
    found: list[Span] = []
    free = 0
    for start, end in spans:
        if start >= free:
            found.append((start, end))
            free = end
    return found
