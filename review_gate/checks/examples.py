"""A check tried on its own examples: it must find something in each bad one and nothing in a good one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, PROMPT, PROSE, Hit, Rule
from review_gate.checks.schema import Examples

_READ_BY_PEOPLE = (PLAN, PROMPT, PROSE, COMMIT_MESSAGE)

Find = Callable[[Rule, str, str], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class WrongExample:
    """An example that does not come out as its author said; `found` is what was found in a good one."""

    rule: Rule
    kind: str
    number: int
    text: str
    found: str = ""

    @property
    def what(self) -> str:
        """What went wrong, in words."""
        return f"finds {self.found!r}" if self.kind == "good" else "finds nothing"


def language_of_examples(rule: Rule) -> str:
    """The language that the examples of a check are taken to be written in."""
    if rule.languages:
        return rule.languages[0]
    return MARKDOWN if any(word in _READ_BY_PEOPLE for word in rule.scope) else ""


def wrong_examples(rule: Rule, examples: Examples, find: Find) -> Iterator[WrongExample]:
    """The examples of a check that do not come out as its author said."""
    language = language_of_examples(rule)
    for number, text in enumerate(examples.bad, 1):
        if not find(rule, text, language):
            yield WrongExample(rule, "bad", number, text)
    for number, text in enumerate(examples.good, 1):
        hits = find(rule, text, language)
        if hits:
            yield WrongExample(rule, "good", number, text, hits[0].text)
