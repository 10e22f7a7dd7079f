"""One check as the hooks carry it, and one place where it matched: light values that the commit hook can afford."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_gate.checks import labels

LITERAL = "literal"
REGEX = "regex"
PRESCRIPTIVE = "prescriptive"
NEGATION_AWARE = "negation_aware"
MATCH_RULES = (LITERAL, REGEX, PRESCRIPTIVE, NEGATION_AWARE)
# These look at the sentence around a match.
BY_SENTENCE = (PRESCRIPTIVE, NEGATION_AWARE)

REPLACE = "replace"
REMOVE_SENTENCE = "remove_sentence"
REMOVE_PARAGRAPH = "remove_paragraph"
FIX_ACTIONS = (REPLACE, REMOVE_SENTENCE, REMOVE_PARAGRAPH)

# Where a check applies: the first five are kinds of text, the others parts of one.
ADDED_LINES = "added_lines"
WHOLE_FILE = "whole_file"
COMMIT_MESSAGE = "commit_message"
PLAN = "plan"
PROMPT = "prompt"
PLACES = (ADDED_LINES, WHOLE_FILE, COMMIT_MESSAGE, PLAN, PROMPT)
CODE = "code"
COMMENTS = "comments"
PROSE = "prose"
PARTS = (CODE, COMMENTS, PROSE)

# Checks of these kinds belong to loop 3, the others to loop 2.
LOOP_3_CATEGORIES = ("security", "secrets", "performance")
# What these match is a secret itself, so reports show only its beginning.
REDACTED_CATEGORIES = ("secrets",)

# What says in a text which findings to suppress, and the same as people who err about capital letters write it.
MARKER = labels.MARKER
MARKERS = (MARKER, b"Review-gate:", b"Review-Gate:", b"REVIEW-GATE:")


class Rule(NamedTuple):
    """One check; `scope` holds words of PLACES and PARTS, `fix` is an action and its text, `source` a file's label."""

    id: str
    pattern: str
    match_rule: str = LITERAL
    fix: tuple[str, str] | None = None
    reason: str = ""
    reject_if_persists: bool = False
    severity: str = "major"
    category: str = "general"
    scope: Sequence[str] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    languages: Sequence[str] = ()
    docs: str = ""
    source: str = ""
    line: int = 0

    @property
    def origin(self) -> str:
        """File and line where the check was written."""
        return f"{self.source}:{self.line}" if self.line else self.source

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a text it looks at; none means all."""
        return tuple(word for word in self.scope if word in PARTS)

    @property
    def places(self) -> tuple[str, ...]:
        """The kinds of text it looks at; none means every kind but commit messages."""
        return tuple(word for word in self.scope if word in PLACES)

    @property
    def loop(self) -> int:
        """The loop of a run that this check belongs to."""
        return 3 if self.category in LOOP_3_CATEGORIES else 2

    def plain(self) -> dict[str, object]:
        """The fields as JSON has them."""
        return self._asdict()

    def __repr__(self) -> str:
        return f"Rule({self.id}, {self.match_rule}, {self.pattern!r})"


def rule_from_plain(fields: Mapping[str, object]) -> Rule:
    """A check from the fields that `Rule.plain` wrote."""
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    return Rule(**values)  # type: ignore[arg-type]  # the cache is ours: what it holds, `plain` wrote


class Hit(NamedTuple):
    """One match: line and column from 1, offsets in characters of the text that was searched.

    `is_hidden` says that it shows only when look-alikes and unseen characters are seen through.
    """

    rule: Rule
    line: int
    column: int
    start: int
    end: int
    text: str
    end_line: int = 0
    is_hidden: bool = False

    def place(self) -> tuple[int, int, str]:
        """What reports sort by."""
        return self.line, self.column, self.rule.id

    def __repr__(self) -> str:
        return f"Hit({self.rule.id} at {self.line}:{self.column}, {self.text!r})"
