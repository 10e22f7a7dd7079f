"""What a match is, said slowly and plainly; the engine finds the same places, fast."""

from __future__ import annotations

from review_gate.checks.folding import folded, folding_characters, holds_any
from review_gate.checks.rule import REGEX, Hit, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    # Start and end of a match, in characters.
    Span = tuple[int, int]
    # Where a line begins in the text, and the line without its end.
    Line = tuple[int, str]

BYTE_ORDER_MARK = "\ufeff"


def find(rule: Rule, text: str, language: str) -> list[Hit]:
    """Every place of a text that a check does not like."""
    from review_gate.checks.judge import judged

    return judged(occurrences(rule, text), text, language)


def occurrences(rule: Rule, text: str) -> list[Hit]:
    """Every place where the pattern stands, whatever is around it."""
    lines = list(lines_of(text))
    plain, hidden = _in_whole_text(rule, text) if is_for_whole_text(rule) else _in_lines(rule, lines, text)
    unseen = [span for span in hidden if not _overlaps_any(span, plain)]
    hits = [hit_at(rule, text, lines, span) for span in plain]
    hits += [hit_at(rule, text, lines, span, is_hidden=True) for span in unseen]
    return sorted(hits, key=lambda hit: (hit.start, hit.end))


def lines_of(text: str) -> Iterator[Line]:
    """The lines with the place where each begins; a byte order mark belongs to none."""
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    for line in text[start:].replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        yield start, line
        start += len(line)
        start += 2 if text.startswith("\r\n", start) else 1


def is_for_whole_text(rule: Rule) -> bool:
    """Whether the pattern speaks of line ends, so that it is compared with more than one line."""
    if rule.match_rule != REGEX:
        return "\n" in rule.pattern or "\r" in rule.pattern
    from review_gate.checks.needles import speaks_of_line_ends

    return speaks_of_line_ends(rule.pattern)


def is_for_raw_text(rule: Rule) -> bool:
    """Whether the pattern tells one kind of line end from another."""
    if rule.match_rule != REGEX:
        return False
    from review_gate.checks.needles import speaks_of_carriage_returns

    return speaks_of_carriage_returns(rule.pattern)


def spans(rule: Rule, text: str) -> list[Span]:
    """Where the pattern stands in one piece of text, left to right, none inside another."""
    if rule.match_rule == REGEX:
        import re

        return [match.span() for match in re.finditer(rule.pattern, text, re.MULTILINE)]
    found: list[Span] = []
    pattern = with_plain_line_ends(rule.pattern)
    at = text.find(pattern)
    while at >= 0:
        found.append((at, at + len(pattern)))
        at = text.find(pattern, at + len(pattern))
    return found


def with_plain_line_ends(text: str) -> str:
    """A text in which LF ends every line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _in_lines(rule: Rule, lines: list[Line], text: str) -> tuple[list[Span], list[Span]]:
    looks = folding_characters(text.encode("utf-8", "surrogateescape"))
    plain: list[Span] = []
    hidden: list[Span] = []
    for start, line in lines:
        plain += _moved(spans(rule, line), range(start, start + len(line)))
        if holds_any(line, looks):
            seen, places = folded(line, looks)
            hidden += _moved(spans(rule, seen), [start + place for place in places])
    return plain, hidden


def _in_whole_text(rule: Rule, text: str) -> tuple[list[Span], list[Span]]:
    if is_for_raw_text(rule):
        start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        return _as_is_and_as_seen(rule, text[start:], range(start, len(text)))
    return _as_is_and_as_seen(rule, *joined_lines(text))


def _as_is_and_as_seen(rule: Rule, text: str, places: Sequence[int]) -> tuple[list[Span], list[Span]]:
    """Matches in a text and in what it looks like; `places` are those that its characters came from."""
    plain = _moved(spans(rule, text), places)
    looks = folding_characters(text.encode("utf-8", "surrogateescape"))
    if not looks:
        return plain, []
    seen, origins = folded(text, looks)
    return plain, _moved(spans(rule, seen), [places[origin] for origin in origins])


def joined_lines(text: str) -> tuple[str, list[int]]:
    """The text with LF line ends and without byte order mark, and for each character the place that it came from."""
    letters: list[str] = []
    places: list[int] = []
    for start, line in lines_of(text):
        letters += [line, "\n"]
        places += range(start, start + len(line) + 1)
    return "".join(letters[:-1]), places[:-1]


def _moved(found: Iterable[Span], places: Sequence[int]) -> list[Span]:
    return [(places[start], places[end - 1] + 1) for start, end in found]


def _overlaps_any(span: Span, others: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def hit_at(rule: Rule, text: str, lines: list[Line], span: Span, *, is_hidden: bool = False) -> Hit:
    """The hit at a place."""
    start, end = span
    # A match that ends with the line takes both characters of its end.
    end += text[end - 1 : end + 1] == "\r\n" and not is_for_raw_text(rule)
    number = max(index for index, (begin, _) in enumerate(lines, start=1) if begin <= start)
    last = max(index for index, (begin, _) in enumerate(lines, start=1) if begin <= end - 1)
    column = start - lines[number - 1][0] + 1
    return Hit(
        rule, line=number, column=column, start=start, end=end, text=text[start:end], end_line=last, is_hidden=is_hidden
    )
