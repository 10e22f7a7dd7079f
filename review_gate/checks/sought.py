"""How the engine looks for a check: plain data, made once and kept in a cache."""

from __future__ import annotations

from review_gate.checks.long_texts import NOWHERE
from review_gate.checks.program import (
    from_program,
    kept_program,
    plain_program,
    program_for_bytes,
    program_for_text,
    program_of,
    walk_programs,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence

    from review_gate.checks.program import Kept
    from review_gate.checks.rule import Rule

# A text without line end: wherever it stands is a match.
LITERAL = "literal"
# A regex of single lines, tried where a text that every match must hold stands.
NEEDLED = "needled"
# A regex of single lines without such a text, tried on lines that a pass over the whole text touches, or on each line.
TOUCHED = "touched"
LINES = "lines"
# A pattern that speaks of line ends, tried on the whole text.
WHOLE_TEXT = "whole_text"
# One that tells one kind of line end from another, tried on the text as it is.
RAW_TEXT = "raw_text"

# A text is worth looking for when it is rare enough; see needles.Needle.worth.
LEAST_WORTH = 6
LEAST_LENGTH = 2
# Up to here the start of a match is tried place by place; further, the line is searched.
WIDEST_WINDOW = 48


class Sought:
    """One check as the engine looks for it; without needles it is tried on every text.

    Only on those, that is, that hold a character of its `other_ranges`, where it has some. `look` is a literal as it
    looks, where that is something else, and `is_apart` says that a text of just these characters is no match. A regex
    names the characters of `own_ranges`, and `reach` says how far one of its steps may run. Where it has a
    `walk_program`, that and the one for bytes match all but the places where it may match itself.
    """

    __slots__ = (
        "_bytes_regex",
        "_regex",
        "_walk",
        "bytes_program",
        "ignores_case",
        "is_apart",
        "is_regex",
        "is_same_across_lines",
        "kind",
        "least_before",
        "look",
        "most_before",
        "needles",
        "other_ranges",
        "own_ranges",
        "pattern",
        "program",
        "reach",
        "walk_program",
    )

    def __init__(
        self,
        kind: str,
        pattern: str,
        *,
        is_regex: bool = True,
        needles: Sequence[str] = (),
        ignores_case: bool = False,
        least_before: int = 0,
        most_before: int = 0,
        is_same_across_lines: bool = False,
        other_ranges: Sequence[Sequence[int]] = (),
        look: str = "",
        is_apart: bool = False,
        own_ranges: Sequence[Sequence[int]] = (),
        reach: int = NOWHERE,
        program: Sequence[object] = (),
        bytes_program: Sequence[object] = (),
        walk_program: Sequence[object] = (),
    ) -> None:
        self.kind = kind
        self.pattern = pattern
        self.is_regex = is_regex
        self.needles = needles
        self.ignores_case = ignores_case
        self.least_before = least_before
        self.most_before = most_before
        self.is_same_across_lines = is_same_across_lines
        self.other_ranges = other_ranges
        self.look = look
        self.is_apart = is_apart
        self.own_ranges = own_ranges
        self.reach = reach
        self.program = program
        self.bytes_program = bytes_program
        self.walk_program = walk_program
        self._regex: re.Pattern[str] | None = None
        self._walk: re.Pattern[str] | None = None
        self._bytes_regex: re.Pattern[bytes] | None = None

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern; most runs need few of them, so each is compiled when it is needed first."""
        if self._regex is None and self.program:
            self._regex = from_program(self.pattern, self.program)
        if self._regex is None:
            import re
            import warnings

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                texts = (self.pattern, self.look) if self.look and not self.is_apart else (self.pattern,)
                pattern = self.pattern if self.is_regex else "|".join(map(re.escape, texts))
                self._regex = re.compile(pattern, re.MULTILINE)
        return self._regex

    def as_seen(self) -> Sought:
        """The check as it is looked for in a text as it looks."""
        return Sought(self.kind, self.look, is_regex=False, needles=self.needles, is_same_across_lines=True)

    @property
    def bytes_regex(self) -> re.Pattern[bytes] | None:
        """The pattern for the bytes of plain ASCII, None where there is none."""
        if self._bytes_regex is None and self.bytes_program:
            self._bytes_regex = from_program(self.pattern.encode("ascii"), self.bytes_program)
        return self._bytes_regex

    @property
    def walk(self) -> re.Pattern[str] | None:
        """What matches all but the places where the pattern may match, None where there is no such thing."""
        if self._walk is None and self.walk_program:
            self._walk = from_program(self.pattern, self.walk_program)
        return self._walk

    def plain(self, place: Callable[[bytes], Kept]) -> list[object]:
        """The fields as JSON has them, without the pattern, which the check itself has."""
        needles, before = list(self.needles), [self.least_before, self.most_before]
        traits = [
            self.is_same_across_lines,
            _lists(self.other_ranges),
            self.look,
            self.is_apart,
            _lists(self.own_ranges),
            self.reach,
        ]
        programs = [plain_program(one, place) for one in (self.program, self.bytes_program, self.walk_program)]
        return [self.kind, self.is_regex, needles, self.ignores_case, *before, *traits, *programs]


def _lists(ranges: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(one) for one in ranges]


def sought_from_plain(rule: Rule, fields: Sequence[object], code_at: Callable[..., Callable[[], bytes]]) -> Sought:
    """The sought form of a check from the fields that `Sought.plain` wrote."""
    kind, is_regex, needles, ignores_case, least_before, most_before, is_same, *others = fields
    other_ranges, look, is_apart, own_ranges, reach, *programs = others
    program, bytes_program, walk_program = [kept_program(one, code_at) for one in programs]
    return Sought(
        str(kind),
        rule.pattern if is_regex else _with_plain_line_ends(rule.pattern),
        is_regex=bool(is_regex),
        needles=needles if isinstance(needles, list) else [],
        ignores_case=bool(ignores_case),
        least_before=int(str(least_before)),
        most_before=int(str(most_before)),
        is_same_across_lines=bool(is_same),
        other_ranges=other_ranges if isinstance(other_ranges, list) else (),
        look=str(look),
        is_apart=bool(is_apart),
        own_ranges=own_ranges if isinstance(own_ranges, list) else (),
        reach=int(str(reach)),
        program=program,
        bytes_program=bytes_program,
        walk_program=walk_program,
    )


def _with_plain_line_ends(pattern: str) -> str:
    if "\r" not in pattern:
        return pattern
    from review_gate.checks.match import with_plain_line_ends

    return with_plain_line_ends(pattern)


def sought_for(rule: Rule) -> Sought:
    """How to look for a check."""
    from review_gate.checks.match import is_for_raw_text, is_for_whole_text, with_plain_line_ends
    from review_gate.checks.rule import REGEX

    if rule.match_rule != REGEX:
        return _sought_for_literal(with_plain_line_ends(rule.pattern), is_whole=is_for_whole_text(rule))
    if is_for_raw_text(rule):
        sought = Sought(RAW_TEXT, rule.pattern, program=program_of(rule.pattern))
    else:
        sought = _sought_for_regex(rule.pattern, is_whole=is_for_whole_text(rule))
    from review_gate.checks.runs import reach_of

    sought.reach = reach_of(rule.pattern)
    if not rule.pattern.isascii() or "\\" in rule.pattern:
        from review_gate.checks.needles import named_outside_ascii

        sought.own_ranges = _lists(named_outside_ascii(rule.pattern))
    return sought


def _sought_for_literal(pattern: str, *, is_whole: bool) -> Sought:
    from review_gate.checks.folding import folded_pattern

    look, is_apart = folded_pattern(pattern)
    texts = (pattern, look) if look else (pattern,)
    if is_whole:
        needles = tuple(max(text.split("\n"), key=len) or "\n" for text in texts)
        return Sought(WHOLE_TEXT, pattern, is_regex=False, needles=needles, look=look, is_apart=is_apart)
    if not look:
        return Sought(LITERAL, pattern, is_regex=False, needles=texts)
    # Which of the two stands at a place has to be looked at, as with a regex.
    return Sought(
        NEEDLED, pattern, is_regex=False, needles=texts, is_same_across_lines=True, look=look, is_apart=is_apart
    )


def _sought_for_regex(pattern: str, *, is_whole: bool) -> Sought:
    sought = _kind_of_search(pattern, is_whole=is_whole)
    if sought.kind == TOUCHED:
        # Only here the time of a pass over whole texts counts.
        sought.walk_program, walk = walk_programs(pattern)
        sought.program, sought.bytes_program = program_for_text(pattern), walk or program_for_bytes(pattern)
    else:
        sought.program = program_of(pattern)
    return sought


def _kind_of_search(pattern: str, *, is_whole: bool) -> Sought:
    from review_gate.checks.needles import is_odd, is_same_across_lines, needles_of, ranges_outside_ascii

    is_same = not is_whole and is_same_across_lines(pattern)
    for needle in needles_of(pattern):
        if needle.worth >= LEAST_WORTH and all(len(text) >= LEAST_LENGTH or is_odd(text) for text in needle.texts):
            return Sought(
                WHOLE_TEXT if is_whole else NEEDLED,
                pattern,
                needles=needle.texts,
                ignores_case=needle.ignores_case,
                least_before=needle.least_before,
                most_before=needle.most_before,
                is_same_across_lines=is_same,
            )
    kind = WHOLE_TEXT if is_whole else TOUCHED if is_same else LINES
    ranges = [list(one) for one in ranges_outside_ascii(pattern)]
    return Sought(kind, pattern, is_same_across_lines=is_same, other_ranges=ranges)
