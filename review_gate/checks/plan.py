"""The checks in force with how the engine looks for each: what hooks read from a cache instead of parsing YAML."""

from __future__ import annotations

from review_gate.checks.odd_characters import OddCharacters, odd_program
from review_gate.checks.program import kept_program, plain_program
from review_gate.checks.rule import MARKER, Rule, rule_from_plain
from review_gate.checks.sought import Sought, sought_for, sought_from_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from review_gate.checks.program import Kept

# A text up to here is searched for one needle after the other in less time than the import of the engine takes.
SHORT = 10_000
# The parts of a plan as JSON has them.
_LISTS = ("rules", "sought", "warnings", "weakened", "odd")


class CheckPlan:
    """Checks, and beside each how it is sought; `odd` finds the characters that may look like others."""

    __slots__ = ("odd", "rules", "sought", "warnings", "weakened")

    def __init__(
        self,
        rules: Sequence[Rule],
        sought: Sequence[Sought],
        warnings: Sequence[str] = (),
        weakened: Sequence[str] = (),
        odd: OddCharacters | None = None,
    ) -> None:
        self.odd = odd or OddCharacters()
        self.rules = rules
        self.sought = sought
        self.warnings = warnings
        # What is missing from the checks that are in force by default.
        self.weakened = weakened

    def for_messages(self) -> CheckPlan:
        """The part of the plan that looks at commit messages."""
        from review_gate.checks.applies import is_for_messages

        return self.only(is_for_messages)

    def only(self, is_wanted: Callable[[Rule], bool]) -> CheckPlan:
        """The part of the plan that some checks make, each sought as it is here: finding that out takes long."""
        chosen = [index for index, rule in enumerate(self.rules) if is_wanted(rule)]
        rules, sought = [self.rules[index] for index in chosen], [self.sought[index] for index in chosen]
        return CheckPlan(rules, sought, odd=self.odd)

    def with_more(self, others: CheckPlan) -> CheckPlan:
        """The plan with further checks; of two with the same id the one that is here stays."""
        known = {rule.id for rule in self.rules}
        more = others.only(lambda rule: rule.id not in known)
        rules, sought = [*self.rules, *more.rules], [*self.sought, *more.sought]
        return CheckPlan(rules, sought, self.warnings, self.weakened, self.odd)

    def may_match(self, text: bytes) -> bool:
        """Whether the engine could find something in a text or have to say something of it; False is certain."""
        if not self.rules:
            return False
        if len(text) > SHORT or not text.isascii() or any(one in text for one in (b"\0", b"\r", MARKER)):
            return True
        # In plain ASCII nothing looks like something else, and every match holds a needle of its check, or else one of
        # the characters outside ASCII that it needs.
        folded = text.decode("ascii").lower()
        return any(
            any(needle.lower() in folded for needle in one.needles) if one.needles else not one.other_ranges
            for one in self.sought
        )

    def plain(self, place: Callable[[bytes], Kept]) -> dict[str, object]:
        """The plan as JSON has it; `place` puts the code of a regex elsewhere and tells where."""
        return {
            "rules": [rule.plain() for rule in self.rules],
            "sought": [one.plain(place) for one in self.sought],
            "warnings": list(self.warnings),
            "weakened": list(self.weakened),
            "odd": plain_program(self.odd.program or odd_program(), place),
        }


def plan_of(rules: Sequence[Rule], warnings: Sequence[str] = ()) -> CheckPlan:
    """The plan for some checks."""
    return CheckPlan(rules, [sought_for(rule) for rule in rules], warnings)


def plan_from_plain(document: object, code_at: Callable[..., Callable[[], bytes]]) -> CheckPlan | None:
    """The plan that `CheckPlan.plain` wrote, or None when it is something else; `code_at` undoes its `place`."""
    if not isinstance(document, dict):
        return None
    lists = [found for name in _LISTS if isinstance(found := document.get(name), list)]
    if len(lists) != len(_LISTS):
        return None
    rules, sought, warnings, weakened, odd = lists
    try:
        checks = [rule_from_plain(fields) for fields in rules]
        both = [sought_from_plain(*pair, code_at) for pair in zip(checks, sought, strict=True)]
        return CheckPlan(checks, both, warnings, weakened, OddCharacters(kept_program(odd, code_at)))
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
