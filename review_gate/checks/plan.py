"""The checks in force with how the engine looks for each: what hooks read from a cache instead of parsing YAML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from review_gate.checks.rule import Rule, rule_from_plain
from review_gate.checks.short_texts import may_match
from review_gate.checks.sought import Sought, sought_for, sought_from_plain
from review_gate.globs import know, regexes_of

# The parts of a plan as JSON has them.
_LISTS = ("rules", "sought", "warnings", "weakened")


class CheckPlan(NamedTuple):
    """Checks, and beside each how it is sought; `weakened` is what is missing from the checks in force by default."""

    rules: Sequence[Rule]
    sought: Sequence[Sought]
    warnings: Sequence[str] = ()
    weakened: Sequence[str] = ()

    def for_messages(self) -> CheckPlan:
        """The part of the plan that looks at commit messages."""
        from review_gate.checks.applies import is_for_messages

        return self.only(is_for_messages)

    def only(self, is_wanted: Callable[[Rule], bool]) -> CheckPlan:
        """The part of the plan that some checks make, each sought as it is here: finding that out takes long."""
        chosen = [index for index, rule in enumerate(self.rules) if is_wanted(rule)]
        rules, sought = [self.rules[index] for index in chosen], [self.sought[index] for index in chosen]
        return CheckPlan(rules, sought)

    def with_more(self, others: CheckPlan) -> CheckPlan:
        """The plan with further checks; of two with the same id the one that is here stays."""
        known = {rule.id for rule in self.rules}
        more = others.only(lambda rule: rule.id not in known)
        rules, sought = [*self.rules, *more.rules], [*self.sought, *more.sought]
        return CheckPlan(rules, sought, self.warnings, self.weakened)

    def needles(self) -> list[str]:
        """Texts of which one is in every text of plain ASCII that has a match, in lower case."""
        found = (one.needles or ([] if one.needs_other_than_ascii else [""]) for one in self.sought)
        return list(dict.fromkeys(needle.lower() for needles in found for needle in needles))

    def may_match(self, text: bytes) -> bool:
        """Whether the engine could find something in a text or have to say something of it; False is certain."""
        return bool(self.rules) and may_match(text, self.needles())

    def plain(self) -> dict[str, object]:
        """The plan as JSON has it."""
        globs = {glob for rule in self.rules for glob in (*rule.include, *rule.exclude)}
        return self._asdict() | {"rules": [rule.plain() for rule in self.rules], "globs": regexes_of(sorted(globs))}


def plan_of(rules: Sequence[Rule], warnings: Sequence[str] = ()) -> CheckPlan:
    """The plan for some checks."""
    return CheckPlan(rules, [sought_for(rule) for rule in rules], warnings)


def plan_from_plain(document: object) -> CheckPlan | None:
    """The plan that `CheckPlan.plain` wrote, or None when it is something else."""
    if not isinstance(document, dict):
        return None
    lists = [found for name in _LISTS if isinstance(found := document.get(name), list)]
    if len(lists) != len(_LISTS):
        return None
    rules, sought, warnings, weakened = lists
    try:
        if len(rules) != len(sought):
            return None
        know(document["globs"])
        return CheckPlan(list(map(rule_from_plain, rules)), list(map(sought_from_plain, sought)), warnings, weakened)
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
