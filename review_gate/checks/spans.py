"""Matches in a text with plain line ends: which of them overlap others, and where they are in the text as it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from review_gate.checks.match import BYTE_ORDER_MARK, lines_of
from review_gate.checks.rule import Hit, Rule

# Start and end of a match in characters, and the index of its check.
Match = tuple[int, int, int]

MARK = BYTE_ORDER_MARK.encode()


def apart_from(known: Iterable[Match], found: Iterable[Match]) -> list[Match]:
    """The matches that overlap none of those that are known of the same check."""
    found = list(found)
    reach = _reach(known) if found else {}
    return [match for match in found if not _overlaps(match, reach)]


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


def as_hits(data: bytes, plain: str, rules: Sequence[Rule], matches: Sequence[tuple[Match, bool]]) -> list[Hit]:
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
