"""One check as the hooks carry it, and one place where it matched: light values that the commit hook can afford."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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

# What stands in a text that says which findings to suppress.
MARKER = b"review-gate:"
# The same as people who err about capital letters write it.
MARKERS = (MARKER, b"Review-gate:", b"Review-Gate:", b"REVIEW-GATE:")


class Rule:
    """One check; `scope` holds words of PLACES and PARTS, `fix` is an action and its text, `source` a file's label."""

    __slots__ = (
        "category",
        "docs",
        "exclude",
        "fix",
        "id",
        "include",
        "languages",
        "line",
        "match_rule",
        "pattern",
        "reason",
        "reject_if_persists",
        "scope",
        "severity",
        "source",
    )

    def __init__(
        self,
        id: str,
        pattern: str,
        *,
        match_rule: str = LITERAL,
        fix: tuple[str, str] | None = None,
        reason: str = "",
        reject_if_persists: bool = False,
        severity: str = "major",
        category: str = "general",
        scope: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        languages: Sequence[str] = (),
        docs: str = "",
        source: str = "",
        line: int = 0,
    ) -> None:
        self.id = id
        self.pattern = pattern
        self.match_rule = match_rule
        self.fix = fix
        self.reason = reason
        self.reject_if_persists = reject_if_persists
        self.severity = severity
        self.category = category
        self.scope = tuple(scope)
        self.include = tuple(include)
        self.exclude = tuple(exclude)
        self.languages = tuple(languages)
        self.docs = docs
        self.source = source
        self.line = line

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
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"Rule({self.id}, {self.match_rule}, {self.pattern!r})"


def rule_from_plain(fields: Mapping[str, object]) -> Rule:
    """A check from the fields that `Rule.plain` wrote."""
    fix = fields.get("fix")
    values: dict[str, object] = dict(fields)
    values["fix"] = (str(fix[0]), str(fix[1])) if isinstance(fix, list | tuple) else None
    return Rule(**values)  # type: ignore[arg-type]  # the cache is ours: what it holds, `plain` wrote


class Hit:
    """One match: line and column from 1, offsets in characters of the text that was searched.

    `is_hidden` says that it shows only when look-alikes and unseen characters are seen through.
    """

    __slots__ = ("column", "end", "end_line", "is_hidden", "line", "rule", "start", "text")

    def __init__(
        self,
        rule: Rule,
        *,
        line: int,
        column: int,
        start: int,
        end: int,
        text: str,
        end_line: int = 0,
        is_hidden: bool = False,
    ) -> None:
        self.rule = rule
        self.line = line
        self.column = column
        self.start = start
        self.end = end
        self.text = text
        self.end_line = end_line or line
        self.is_hidden = is_hidden

    def place(self) -> tuple[int, int, str]:
        """What reports sort by."""
        return self.line, self.column, self.rule.id

    def __repr__(self) -> str:
        return f"Hit({self.rule.id} at {self.line}:{self.column}, {self.text!r})"
