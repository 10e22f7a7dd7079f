"""A check tried on its own examples: it must find something in each bad one and nothing in a good one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, PROMPT, PROSE, Hit, Rule
from review_gate.checks.scan import TooSlowError
from review_gate.checks.schema import Examples
from review_gate.config.display import quoted

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


def language_of_examples(rule: Rule) -> str:
    """The language that the examples of a check are taken to be written in."""
    if rule.languages:
        return rule.languages[0]
    return MARKDOWN if any(word in _READ_BY_PEOPLE for word in rule.scope) else ""


def wrong_examples(rule: Rule, examples: Examples, find: Find) -> Iterator[WrongExample]:
    """The examples of a check that do not come out as its author said; `find` may give up with a TooSlowError."""
    for kind, texts in (("bad", examples.bad), ("good", examples.good)):
        for number, text in enumerate(texts, 1):
            what = _wrong(rule, text, find, is_bad=kind == "bad")
            if what:
                yield WrongExample(rule, kind, number, text, what)


def _wrong(rule: Rule, text: str, find: Find, *, is_bad: bool) -> str:
    try:
        hits = find(rule, text, language_of_examples(rule))
    except TooSlowError:
        return "takes too long"
    if is_bad:
        return "" if hits else "finds nothing"
    return f"finds {quoted(hits[0].text[:60])}" if hits else ""
