"""What the checks of a plan find in it, in the order of the checks."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Sequence

from review_gate.checks.applies import Page
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.plan import CheckPlan, plan_of
from review_gate.checks.readings import is_binary_by_beginning
from review_gate.checks.rule import PLAN, Hit, Rule
from review_gate.checks.scan import Scan
from review_gate.errors import ReviewGateError
from review_gate.shell.deadline import watch


class PlanSearch:
    """The checks of one plan; no comment in the plan lets a finding pass, for its author wrote that too."""

    def __init__(self, rules: Sequence[Rule], seconds: float) -> None:
        self.plan: CheckPlan = plan_of(rules)
        self._order = {rule.id: number for number, rule in enumerate(rules)}
        self._limit = watch(seconds)

    def first(self, data: bytes, approved: Collection[str]) -> list[Hit]:
        """Every match of the first check that does not pass, in the order of the text; nothing where all pass."""
        hits = self._hits(data, approved)
        return [hit for hit in hits if hit.rule.id == hits[0].rule.id]

    def failing(self, data: bytes, approved: Collection[str]) -> tuple[str, ...]:
        """The checks that do not pass, in their order."""
        return tuple(dict.fromkeys(hit.rule.id for hit in self._hits(data, approved)))

    def _hits(self, data: bytes, approved: Collection[str]) -> list[Hit]:
        """Every match, in the order of the checks and of the text."""
        plan = self.plan.only(lambda rule: rule.id not in approved)
        scan = Scan(plan, watch=self._limit)
        scan.look_at(Page("plan.md", data, MARKDOWN, place=PLAN))
        result = scan.finish()
        problems = [*result.failures, *_unfit(data)]
        if problems:
            raise ReviewGateError(
                f"the plan could not be checked: {'; '.join(problems)}",
                why="a check that could not run is not a pass",
                next_step="mend the plan or the check, then the same command again",
            )
        hits = [alarm.hit for alarm in (*result.alarms, *scan.suppressed) if alarm.hit is not None]
        return sorted(hits, key=lambda hit: (self._order[hit.rule.id], hit.start))


def is_empty(data: bytes) -> bool:
    """Whether a plan has no words: a mark of how it is written is none."""
    return not data.removeprefix(BOM_UTF8).strip()


def _unfit(data: bytes) -> Iterator[str]:
    """Why a plan that passes all checks says nothing: a fix, or somebody else, may have made it so meanwhile."""
    if is_empty(data):
        yield "it is empty"
    # By its content alone: the scan reads whatever is called Markdown as text, and would find nothing in a program.
    if is_binary_by_beginning("plan", data):
        yield "it is binary"
