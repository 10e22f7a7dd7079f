"""What the engine finds beside what a plain loop over checks and lines finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

from review_gate.checks.engine import Engine
from review_gate.checks.folding import folded_pattern, folding_characters, looks_beside
from review_gate.checks.literals import named_outside_ascii, speaks_of_carriage_returns, speaks_of_line_ends
from review_gate.checks.match import BYTE_ORDER_MARK, Line, hit_at, lines_of
from review_gate.checks.regex_tree import parsed
from review_gate.checks.rule import REGEX, Hit, Rule
from review_gate.checks.sought import sought_for

Place = tuple[str, int, int, int, int, int, str, bool]
Span = tuple[int, int]


def places(hits: Sequence[Hit]) -> list[Place]:
    """All that is known of some matches, in order."""
    return sorted(
        (hit.rule.id, hit.start, hit.end, hit.line, hit.column, hit.end_line, hit.text, hit.is_hidden) for hit in hits
    )


def slowly(rules: Sequence[Rule], data: bytes) -> list[Place]:
    """The places that the plain loop finds."""
    text = data.decode("utf-8", "surrogateescape")
    return places([hit for rule in rules for hit in occurrences(rule, text)])


def engine_for(rules: Sequence[Rule], *, is_large: bool = False) -> Engine:
    """The engine for some checks."""
    return Engine(rules, [sought_for(rule) for rule in rules], is_large=is_large)


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


def is_for_whole_text(rule: Rule) -> bool:
    """Whether the pattern speaks of line ends, so that it is compared with more than one line."""
    if rule.match_rule != REGEX:
        return "\n" in rule.pattern or "\r" in rule.pattern
    return speaks_of_line_ends(rule.pattern)


def is_for_raw_text(rule: Rule) -> bool:
    """Whether the pattern tells one kind of line end from another."""
    if rule.match_rule != REGEX:
        return False
    return speaks_of_carriage_returns(rule.pattern)


def spans(rule: Rule, text: str, *, is_folded: bool = False) -> list[Span]:
    """Where the pattern stands in one piece of text, left to right, none inside another."""
    texts = _texts(rule, is_folded=is_folded)
    pattern = parsed(rule.pattern).text if rule.match_rule == REGEX else "|".join(map(regex.escape, texts))
    return [match.span() for match in regex.finditer(pattern, text, regex.MULTILINE)]


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
    return [looks_beside(looks, named_outside_ascii(rule.pattern))]


def with_plain_line_ends(text: str) -> str:
    """A text in which LF ends every line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _in_lines(rule: Rule, lines: list[Line], text: str) -> tuple[list[Span], list[list[Span]]]:
    plain = [span for start, line in lines for span in _moved(spans(rule, line), range(start, start + len(line)))]
    return plain, [_hidden_in_lines(rule, lines, looks) for looks in _ways_to_look(rule, text)]


def _hidden_in_lines(rule: Rule, lines: list[Line], looks: dict[str, str]) -> list[Span]:
    hidden: list[Span] = []
    for start, line in lines:
        if any(character in line for character in looks):
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


def folded(text: str, looks: dict[str, str]) -> tuple[str, list[int]]:
    """A text as it looks, and for each of its characters the place that it came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        look = looks.get(character, character)
        letters += look
        places += [place] * len(look)
    return "".join(letters), places
