"""How the engine looks for a check: plain data, made once and kept in a cache."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from review_gate.checks.rule import REGEX, Rule
from review_gate.packages import see_package

if TYPE_CHECKING:
    import regex

# A text without line end: wherever it stands is a match.
LITERAL = "literal"
# What is compared with each line by itself: a regex, or a literal that may be written in two ways.
LINES = "lines"
# A pattern that speaks of line ends, compared with the whole text.
WHOLE_TEXT = "whole_text"
# One that tells one kind of line end from another, compared with the text as it is.
RAW_TEXT = "raw_text"


class Sought(NamedTuple):
    """One check as the engine looks for it; without needles it is tried on every text.

    `pattern` has LF line ends, `written` is its regex for the `regex` package where that is another text. `look` is a
    literal as it looks, where that is something else, and `is_apart` says that a text of just these characters is no
    match. A regex names the characters of `own_ranges`. Each match of it holds one text of each of the `others`, which
    say whether their case does not count. One that is the same across lines is tried on the whole text first, and then
    on the lines that its matches touch.
    """

    kind: str
    pattern: str
    written: str = ""
    needles: Sequence[str] = ()
    ignores_case: bool = False
    needs_other_than_ascii: bool = False
    is_same_across_lines: bool = False
    look: str = ""
    is_apart: bool = False
    own_ranges: Sequence[Sequence[int]] = ()
    others: Sequence[tuple[Sequence[str], bool]] = ()

    @property
    def regex(self) -> regex.Pattern[str]:
        """The compiled pattern; most runs need few of them, so each is compiled when it is needed first."""
        return compiled_regex(self.written or self.pattern)

    def as_seen(self) -> Sought:
        """The check as it is looked for in a text as it looks."""
        import re

        return self._replace(pattern=self.look, written=re.escape(self.look), look="")


@lru_cache(maxsize=10_000)
def compiled_regex(written: str) -> regex.Pattern[str]:
    """A pattern that was made for the `regex` package, compiled."""
    see_package("regex")
    import regex

    return regex.compile(written, regex.MULTILINE | regex.VERSION0)


def sought_from_plain(fields: Sequence[object]) -> Sought:
    """How to look for a check, from its fields as JSON has them."""
    return Sought(*fields)  # type: ignore[arg-type]  # the cache is ours: what it holds, a Sought was


def regex_of(pattern: str) -> regex.Pattern[str]:
    """The regex that a user wrote, compiled."""
    from review_gate.checks.regex_tree import parsed

    return compiled_regex(parsed(pattern).text)


def sought_for(rule: Rule) -> Sought:
    """How to look for a check."""
    return _sought_for_regex(rule.pattern) if rule.match_rule == REGEX else _sought_for_literal(rule.pattern)


def _sought_for_literal(written: str) -> Sought:
    import re

    from review_gate.checks.folding import folded_pattern

    pattern = written.replace("\r\n", "\n").replace("\r", "\n")
    look, is_apart = folded_pattern(pattern)
    texts = (pattern, look) if look else (pattern,)
    either = "|".join(map(re.escape, texts[:1] if is_apart else texts))
    if "\n" in pattern:
        needles = tuple(max(text.split("\n"), key=len) or "\n" for text in texts)
        return Sought(WHOLE_TEXT, pattern, either, needles, look=look, is_apart=is_apart)
    kind = LINES if look else LITERAL
    return Sought(kind, pattern, either, texts, look=look, is_apart=is_apart)


def _sought_for_regex(pattern: str) -> Sought:
    from review_gate.checks import literals
    from review_gate.checks.regex_tree import parsed

    is_raw, is_whole = literals.speaks_of_carriage_returns(pattern), literals.speaks_of_line_ends(pattern)
    written, needles = parsed(pattern).text, () if is_raw else literals.literals_of(pattern)
    return Sought(
        RAW_TEXT if is_raw else WHOLE_TEXT if is_whole else LINES,
        pattern,
        "" if written == pattern else written,
        needles[0].texts if needles else (),
        bool(needles) and needles[0].ignores_case,
        not needles and literals.needs_other_than_ascii(pattern),
        literals.is_same_across_lines(pattern),
        own_ranges=literals.named_outside_ascii(pattern),
        others=[(one.texts, one.ignores_case) for one in needles[1:]],
    )
