"""What a check file may say: every field of a check, its default and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints

from review_gate.checks.languages import LANGUAGES, language_of
from review_gate.checks.rule import FIX_ACTIONS, LITERAL, MATCH_RULES, PARTS, PLACES, REPLACE, Rule
from review_gate.config.display import quoted
from review_gate.config.fields import GLOBS, MOST_NAMED, Globs, Switch, listed, refused, setting, switch
from review_gate.config.keys import nearest
from review_gate.models import Frozen, Severity, severity_named

MAX_CHECKS = 5_000
MAX_PATTERN = 2_000
MAX_TEXT = 4_000
SCOPES = (*PLACES, *PARTS)
_SCOPES = f"one or a list of {', '.join(SCOPES)}"
_LANGUAGES = f"one or a list of {', '.join(LANGUAGES)}"
_PATHS = f"a glob pattern, or {GLOBS}"
_TEXTS = f"a text of 1 to {MAX_TEXT} characters, or a list of such texts"


def _severity(value: object) -> object:
    """Words of other tools' scales count too, in any case."""
    return severity_named(value) or value if isinstance(value, str) else value


def _list(value: object) -> object:
    """One text where a list of texts is meant is a list of one."""
    return [value] if isinstance(value, str) else value


def _known(words: Collection[str], allowed: str) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    def check(value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [word for word in value if word not in words]
        if unknown:
            told = listed([_guessed(word, words) for word in unknown[:MOST_NAMED]], len(unknown))
            raise refused(f"has the unknown {'word' if len(unknown) == 1 else 'words'} {told}; allowed: {allowed}")
        return value

    return check


def _guessed(word: str, words: Collection[str]) -> str:
    """A word that is not among those, and the one that was probably meant."""
    named = language_of(f"x.{word}")
    near = named if named in words else nearest(word, words)
    return quoted(word[:40]) + (f" (did you mean {near}?)" if near else "")


def _whole_fix(fix: Fix | None) -> Fix | None:
    if fix is not None and (fix.with_ is None) is (fix.action == REPLACE):
        raise refused("needs with: TEXT" if fix.with_ is None else f"has with, which {fix.action} does not use")
    return fix


Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Texts = Annotated[
    tuple[Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)], ...], BeforeValidator(_list)
]
Words = Annotated[tuple[str, ...], BeforeValidator(_list)]
Paths = Annotated[Globs, BeforeValidator(_list)]


class Fix(Frozen):
    """What to do with a match."""

    model_config = ConfigDict(populate_by_name=False)

    action: Literal["replace", "remove_sentence", "remove_paragraph"] = setting(
        ..., "What the fix does.", allowed=", ".join(FIX_ACTIONS)
    )
    with_: Text | None = setting(
        None,
        "The new text of `replace`; \\1 and \\g<name> stand for groups of a regex.",
        allowed=f"text of up to {MAX_TEXT} characters",
        alias="with",
    )


class Examples(Frozen):
    """Texts that the check must find, and texts that it must leave alone."""

    bad: Texts = setting((), "Texts in which the check finds something.", allowed=_TEXTS)
    good: Texts = setting((), "Texts in which it finds nothing.", allowed=_TEXTS)


class Check(Frozen):
    """One check."""

    id: str = setting(
        ...,
        "What the check is called in reports and in `review-gate: ignore[id]`.",
        allowed="up to 100 characters from A-Z a-z 0-9 . _ -, the first a letter or digit",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$",
    )
    pattern: str = setting(
        ...,
        "What is looked for.",
        allowed=f"text of 1 to {MAX_PATTERN} characters",
        min_length=1,
        max_length=MAX_PATTERN,
    )
    match_rule: Literal["literal", "regex", "prescriptive", "negation_aware"] = setting(
        LITERAL, "How the pattern is compared.", allowed=", ".join(MATCH_RULES)
    )
    fix: Annotated[Fix | None, AfterValidator(_whole_fix)] = setting(
        None,
        "How `scan --fix` mends it; null means that a person decides.",
        allowed='null, {action: replace, with: "text"}, {action: remove_sentence} or {action: remove_paragraph}',
    )
    reason: Text = setting("", "Why this is a problem.", allowed=f"text of up to {MAX_TEXT} characters")
    reject_if_persists: Switch = switch("Whether nobody may suppress a finding of this check.", default=False)
    severity: Annotated[Severity, BeforeValidator(_severity)] = setting(
        Severity.MAJOR,
        "How much a match matters.",
        allowed="critical, major, warning or info, or a word of another tool's scale: error, high, medium, low, note,"
        " …",
    )
    category: str = setting(
        "general",
        "What the check is about; security, secrets and performance belong to loop 3, all others to loop 2.",
        allowed="up to 40 characters from a-z 0-9 - _",
        pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$",
    )
    scope: Annotated[Words, AfterValidator(_known(SCOPES, _SCOPES))] = setting(
        (),
        "Kinds of text (none: all but commit messages, with the category secrets those too) and parts of it (none: all)"
        " that the check looks at.",
        allowed=_SCOPES,
    )
    include: Paths = setting((), "Only files that match one of these.", allowed=_PATHS)
    exclude: Paths = setting((), "No file that matches one of these.", allowed=_PATHS)
    languages: Annotated[Words, AfterValidator(_known(tuple(LANGUAGES), _LANGUAGES))] = setting(
        (), "Only files in one of these languages.", allowed=_LANGUAGES
    )
    examples: Examples = Field(
        default=Examples(),
        description="Texts that `review-gate checks test` tries the check on.",
        json_schema_extra={"allowed": "a mapping with the lists bad and good"},
    )
    docs: Text = setting("", "An address or a sentence for readers who want more.", allowed="text")

    def rule(self, source: str, line: int) -> Rule:
        """The check as the engine takes it."""
        return Rule(
            self.id,
            self.pattern,
            match_rule=self.match_rule,
            fix=(self.fix.action, self.fix.with_ or "") if self.fix else None,
            reason=self.reason,
            reject_if_persists=self.reject_if_persists,
            severity=self.severity.value,
            category=self.category,
            scope=self.scope,
            include=self.include,
            exclude=self.exclude,
            languages=self.languages,
            docs=self.docs,
            source=source,
            line=line,
        )


class CheckFile(Frozen):
    """One file of checks."""

    title: Text = setting("", "What the file is about, in a few words.", allowed="text")
    description: Text = setting("", "What the file is about.", allowed="text")
    checks: tuple[Check, ...] = setting(
        ...,
        "The checks.",
        allowed=f"a list of up to {MAX_CHECKS} checks, each with id and pattern",
        max_length=MAX_CHECKS,
    )
