"""What a match is, said slowly and plainly; the engine finds the same places, fast."""

from __future__ import annotations

from _bisect import bisect_right

from review_gate.checks.folding import folded, folded_pattern, folding_characters, holds_any, looks_beside
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
    unseen: list[Span] = []
    for spans_of_one_look in hidden:
        found = [span for span in spans_of_one_look if not _is_as_told_apart(rule, text[slice(*span)])]
        unseen += [span for span in found if not _overlaps_any(span, [*plain, *unseen])]
    is_raw = is_for_raw_text(rule)
    hits = [hit_at(rule, text, lines, span, is_raw=is_raw) for span in plain]
    hits += [hit_at(rule, text, lines, span, is_raw=is_raw, is_hidden=True) for span in unseen]
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


def spans(rule: Rule, text: str, *, is_folded: bool = False) -> list[Span]:
    """Where the pattern stands in one piece of text, left to right, none inside another."""
    import re

    pattern = rule.pattern if rule.match_rule == REGEX else "|".join(map(re.escape, _texts(rule, is_folded=is_folded)))
    return [match.span() for match in re.finditer(pattern, text, re.MULTILINE)]


def _texts(rule: Rule, *, is_folded: bool) -> list[str]:
    """The texts that a literal stands for in a text as it is or as it looks."""
    pattern = with_plain_line_ends(rule.pattern)
    look, is_apart = folded_pattern(pattern)
    if not look:
        return [pattern]
    return [look] if is_folded else [pattern] if is_apart else [pattern, look]


def _is_as_told_apart(rule: Rule, matched: str) -> bool:
    """Whether a text is what a literal looks like, and the literal may be written to be told apart from that."""
    if rule.match_rule == REGEX:
        return False
    look, is_apart = folded_pattern(with_plain_line_ends(rule.pattern))
    return is_apart and with_plain_line_ends(matched) == look


def _ways_to_look(rule: Rule, text: str) -> list[dict[str, str]]:
    """What the characters of a text look like; a regex may name some of them, and mean them as they are, too."""
    looks = folding_characters(text.encode("utf-8", "surrogateescape"))
    if rule.match_rule != REGEX:
        return [looks]
    from review_gate.checks.needles import named_outside_ascii

    return [looks, looks_beside(looks, named_outside_ascii(rule.pattern))]


def with_plain_line_ends(text: str) -> str:
    """A text in which LF ends every line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _in_lines(rule: Rule, lines: list[Line], text: str) -> tuple[list[Span], list[list[Span]]]:
    plain = [span for start, line in lines for span in _moved(spans(rule, line), range(start, start + len(line)))]
    return plain, [_hidden_in_lines(rule, lines, looks) for looks in _ways_to_look(rule, text)]


def _hidden_in_lines(rule: Rule, lines: list[Line], looks: dict[str, str]) -> list[Span]:
    hidden: list[Span] = []
    for start, line in lines:
        if holds_any(line, looks):
            seen, places = folded(line, looks)
            hidden += _moved(spans(rule, seen, is_folded=True), [start + place for place in places])
    return hidden


def _in_whole_text(rule: Rule, text: str) -> tuple[list[Span], list[list[Span]]]:
    if is_for_raw_text(rule):
        start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
        return _as_is_and_as_seen(rule, text[start:], range(start, len(text)))
    return _as_is_and_as_seen(rule, *joined_lines(text))


def _as_is_and_as_seen(rule: Rule, text: str, places: Sequence[int]) -> tuple[list[Span], list[list[Span]]]:
    """Matches in a text and in what it looks like; `places` are those that its characters came from."""
    hidden: list[list[Span]] = []
    for looks in filter(None, _ways_to_look(rule, text)):
        seen, origins = folded(text, looks)
        found = spans(rule, seen, is_folded=True)
        hidden.append(_moved(found, [places[origin] for origin in origins]))
    return _moved(spans(rule, text), places), hidden


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


def hit_at(rule: Rule, text: str, lines: list[Line], span: Span, *, is_raw: bool, is_hidden: bool = False) -> Hit:
    """The hit at a place; a check for raw text tells the characters of a line end apart."""
    start, end = span
    # A match that ends with the line takes both characters of its end.
    end += text[end - 1 : end + 1] == "\r\n" and not is_raw
    number, last = (bisect_right(lines, place, key=_begin) for place in (start, end - 1))
    column = start - lines[number - 1][0] + 1
    return Hit(
        rule, line=number, column=column, start=start, end=end, text=text[start:end], end_line=last, is_hidden=is_hidden
    )


def _begin(line: Line) -> int:
    return line[0]
