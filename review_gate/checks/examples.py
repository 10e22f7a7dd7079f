"""A check tried on its own examples: it must find something in each bad one and nothing in a good one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from review_gate.checks.languages import MARKDOWN, language_of
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, PROMPT, PROSE, Hit, Rule
from review_gate.checks.schema import Examples
from review_gate.checks.source_parts import LEXED
from review_gate.checks.watch import TooSlowError
from review_gate.config.display import quoted
from review_gate.globs import alternatives

_READ_BY_PEOPLE = (PLAN, PROMPT, PROSE, COMMIT_MESSAGE)

Find = Callable[[Rule, str, str], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class WrongExample:
    """An example that does not come out as its author said."""

    rule: Rule
    kind: str
    number: int
    text: str
    what: str


def languages_of_examples(rule: Rule) -> tuple[str, ...]:
    """The languages that examples may be written in, the likeliest first; several where the part of a text decides."""
    told = _told(rule)
    if told:
        return told if rule.parts else told[:1]
    if any(word in _READ_BY_PEOPLE for word in rule.scope):
        return (MARKDOWN,)
    return ("", *LEXED) if rule.parts else ("",)


def _told(rule: Rule) -> tuple[str, ...]:
    """The languages that a check names, or else those of the files that it is about."""
    if rule.languages:
        return tuple(rule.languages)
    names = (name for pattern in rule.include for name in alternatives(pattern))
    return tuple(dict.fromkeys(filter(None, map(language_of, names))))


def wrong_examples(rule: Rule, examples: Examples, find: Find) -> Iterator[WrongExample]:
    """The examples of a check that do not come out as its author said; `find` may give up with a TooSlowError."""
    for kind, texts in (("bad", examples.bad), ("good", examples.good)):
        for number, text in enumerate(texts, 1):
            what = _wrong(rule, text, find, is_bad=kind == "bad")
            if what:
                yield WrongExample(rule, kind, number, text, what)


def _wrong(rule: Rule, text: str, find: Find, *, is_bad: bool) -> str:
    try:
        found = {language: find(rule, text, language) for language in languages_of_examples(rule)}
    except TooSlowError:
        return "takes too long"
    hits = [(language, hits[0].text) for language, hits in found.items() if hits]
    if is_bad:
        return "" if hits else "finds nothing"
    # A text in one of the languages that a check is for need not be one of all the others.
    if not hits or (_told(rule) and len(hits) < len(found)):
        return ""
    language, match = hits[0]
    return f"finds {quoted(match[:60])}" + (_as_if_in(language) if len(hits) < len(found) else "")


def _as_if_in(language: str) -> str:
    shown = f"as {language}" if language else "as a file of no known language"
    return f", read {shown} (languages: [...] says what the check is for)"
