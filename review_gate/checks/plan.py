"""The checks in force with how the engine looks for each: what hooks read from a cache instead of parsing YAML."""

from __future__ import annotations

from review_gate.checks.applies import is_for_messages
from review_gate.checks.rule import Rule, rule_from_plain
from review_gate.checks.sought import Sought, sought_for, sought_from_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class CheckPlan:
    """Checks, and beside each how it is sought."""

    __slots__ = ("rules", "sought", "warnings")

    def __init__(self, rules: Sequence[Rule], sought: Sequence[Sought], warnings: Sequence[str] = ()) -> None:
        self.rules = rules
        self.sought = sought
        self.warnings = warnings

    def for_messages(self) -> CheckPlan:
        """The part of the plan that looks at commit messages."""
        chosen = [index for index, rule in enumerate(self.rules) if is_for_messages(rule)]
        return CheckPlan([self.rules[index] for index in chosen], [self.sought[index] for index in chosen])

    def plain(self) -> dict[str, object]:
        """The plan as JSON has it."""
        return {
            "rules": [rule.plain() for rule in self.rules],
            "sought": [one.plain() for one in self.sought],
            "warnings": list(self.warnings),
        }


def plan_of(rules: Sequence[Rule], warnings: Sequence[str] = ()) -> CheckPlan:
    """The plan for some checks."""
    return CheckPlan(rules, [sought_for(rule) for rule in rules], warnings)


def plan_from_plain(document: object) -> CheckPlan | None:
    """The plan that `CheckPlan.plain` wrote, or None when it is something else."""
    if not isinstance(document, dict):
        return None
    rules, sought, warnings = (document.get(name) for name in ("rules", "sought", "warnings"))
    if not isinstance(rules, list) or not isinstance(sought, list) or not isinstance(warnings, list):
        return None
    try:
        checks = [rule_from_plain(fields) for fields in rules]
        return CheckPlan(checks, [sought_from_plain(*both) for both in zip(checks, sought, strict=True)], warnings)
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
