"""What of a line a report may show: made visible, cut around the match, and without the secrets on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from review_gate.checks.rule import REDACTED_CATEGORIES, Hit
from review_gate.reviewers.text import QUOTED_CHARACTERS, split_lines, visible

# Start and end, as offsets in characters of a line.
Span = tuple[int, int]

SHOWN_MATCH = 200
SHOWN_SECRET = 4
CUT = "..."
HIDDEN = "…"


def spans_of_secrets(hits: Iterable[Hit], line_at: Callable[[int], str]) -> dict[int, list[Span]]:
    """Where secrets are, by line: sorted, and those that touch are one."""
    found: dict[int, list[Span]] = {}
    for hit in hits:
        if hit.rule.category in REDACTED_CATEGORIES:
            for number, span in _by_line(hit, line_at):
                found.setdefault(number, []).append(span)
    return {number: _merged(spans) for number, spans in found.items()}


def shown_place(hit: Hit, line: str, secrets: Sequence[Span]) -> tuple[str, Span]:
    """The line that a match begins on as evidence, and which part of the evidence matched."""
    start, end = _widened(_first_part(hit, line), secrets)
    low, high = _widened(_window(line, start, end), secrets)
    end = min(end, high)
    is_long = len(line) > QUOTED_CHARACTERS
    before = (CUT if low and is_long else "") + _shown(line, low, start, secrets)
    matched = _shown(line, start, end, secrets)
    after = _shown(line, end, high, secrets) + (CUT if high < len(line) and is_long else "")
    return before + matched + after, (len(before), len(before) + len(matched))


def shown_match(hit: Hit, line: str, secrets: Sequence[Span], *, hides_rest: bool = False) -> str:
    """The matched text as it may be shown; `hides_rest` says that a secret may be on one of its further lines."""
    if hit.rule.category in REDACTED_CATEGORIES:
        return redacted(hit.text)
    start, end = _first_part(hit, line)
    is_cut = hides_rest and hit.end_line > hit.line
    if not is_cut and not _touched(secrets, start, end):
        return visible(hit.text[:SHOWN_MATCH])
    return _shown(line, start, min(end, start + SHOWN_MATCH), secrets) + (HIDDEN if hit.end_line > hit.line else "")


def redacted(secret: str) -> str:
    """The beginning of a secret, enough to find it by."""
    return visible(secret[:SHOWN_SECRET]) + HIDDEN if len(secret) > 2 * SHOWN_SECRET else HIDDEN


def _by_line(hit: Hit, line_at: Callable[[int], str]) -> Iterable[tuple[int, Span]]:
    """The parts of a match, each with the number of its line."""
    yield hit.line, _first_part(hit, line_at(hit.line))
    if hit.end_line > hit.line:
        for number, part in enumerate(split_lines(hit.text)[1:], hit.line + 1):
            yield number, (0, len(part))


def _first_part(hit: Hit, line: str) -> Span:
    start = min(hit.column - 1, len(line))
    return start, len(line) if hit.end_line > hit.line else min(start + hit.end - hit.start, len(line))


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _window(line: str, start: int, end: int) -> Span:
    """The part of a line that is shown: a short one without its indentation, a long one around the match."""
    if len(line) <= QUOTED_CHARACTERS:
        return min(start, len(line) - len(line.lstrip(" \t"))), max(end, len(line.rstrip(" \t")))
    low = max(0, min(start - QUOTED_CHARACTERS // 2, len(line) - QUOTED_CHARACTERS))
    return low, low + QUOTED_CHARACTERS


def _touched(secrets: Sequence[Span], start: int, end: int) -> list[Span]:
    """The secrets in a part of a line, found by halving: a line of a megabyte can hold thousands."""
    if not secrets:
        return []
    from bisect import bisect_left

    first = max(0, bisect_left(secrets, (start, start)) - 1)
    near = secrets[first : bisect_left(secrets, (end, end))]
    return [span for span in near if span[0] < end and start < span[1]]


def _widened(span: Span, secrets: Sequence[Span]) -> Span:
    """A part of a line that holds every secret it touches as a whole."""
    touched = _touched(secrets, *span) if secrets else ()
    return (min(span[0], touched[0][0]), max(span[1], touched[-1][1])) if touched else span


def _shown(line: str, start: int, end: int, secrets: Sequence[Span]) -> str:
    if not secrets:
        return visible(line[start:end])
    shown = []
    for secret_start, secret_end in _touched(secrets, start, end):
        shown += [visible(line[start:secret_start]), redacted(line[secret_start:secret_end])]
        start = secret_end
    return "".join([*shown, visible(line[start:end])])
