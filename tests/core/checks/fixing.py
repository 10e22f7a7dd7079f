"""A plain way to find matches, for tests of what is done about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from review_gate.checks.rule import REGEX, Hit, Rule

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def rule(pattern: str, with_: str = "", *, action: str = "replace", kind: str = "literal", id: str = "") -> Rule:
    """A check with a fix."""
    return Rule(id or pattern, pattern, match_rule=kind, fix=(action, with_))


def regex(pattern: str, with_: str, id: str = "") -> Rule:
    """A regex with a replacement."""
    return rule(pattern, with_, kind=REGEX, id=id)


def sentence(pattern: str) -> Rule:
    """A check that takes the sentence away."""
    return rule(pattern, action="remove_sentence")


def paragraph(pattern: str) -> Rule:
    """A check that takes the paragraph away."""
    return rule(pattern, action="remove_paragraph")


def found(text: str, *rules: Rule) -> list[Hit]:
    """Every match in every line; a pattern with a line end is sought in the whole text."""
    hits = [_hit(text, check, *span) for check in rules for span in _spans(text, check)]
    return sorted(hits, key=lambda hit: hit.start)


def finder(*rules: Rule) -> Callable[..., Sequence[Hit]]:
    """The same as a function of the text."""
    return lambda text, _=(): found(text, *rules)


def _spans(text: str, check: Rule) -> list[tuple[int, int]]:
    pattern = check.pattern if check.match_rule == REGEX else re.escape(check.pattern)
    if "\n" in check.pattern or "\\n" in check.pattern:
        spread = pattern.replace("\\\n", "\n").replace("\\n", "\n").replace("\n", r"(?:\r\n|\r|\n)")
        return [match.span() for match in re.finditer(spread, text)]
    spans = []
    for line in LINE.finditer(text):
        start = line.start() + (line[0][:1] == "\ufeff")
        bare = text[start : line.end()].rstrip("\r\n")
        spans += [(start + match.start(), start + match.end()) for match in re.finditer(pattern, bare)]
    return spans


def _hit(text: str, check: Rule, start: int, end: int) -> Hit:
    before = re.split(r"\r\n|\r|\n", text[:start])
    column = len(before[-1].lstrip("\ufeff")) + 1
    return Hit(check, line=len(before), column=column, start=start, end=end, text=text[start:end])
