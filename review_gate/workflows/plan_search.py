"""What the checks of a plan find in it, in the order of the checks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from review_gate.checks.applies import Page
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.plan import CheckPlan, plan_of
from review_gate.checks.readings import is_binary_by_beginning
from review_gate.checks.rule import PLAN, Hit, Rule
from review_gate.checks.scan import Scan
from review_gate.errors import ReviewGateError
from review_gate.shell.deadline import watch
from review_gate.workflows.scan import judge_within


class PlanSearch:
    """The checks of one plan; no comment in the plan lets a finding pass, for its author wrote that too."""

    def __init__(self, rules: Sequence[Rule], seconds: float) -> None:
        self.plan: CheckPlan = plan_of(rules)
        self._order = {rule.id: number for number, rule in enumerate(rules)}
        self._limit = watch(seconds)

    def first(self, data: bytes, approved: Collection[str]) -> list[Hit]:
        """Every match of the first check that does not pass, in the order of the text; nothing where all pass."""
        plan = self.plan.only(lambda rule: rule.id not in approved)
        scan = Scan(plan, judge=judge_within(self._limit), watch=self._limit)
        scan.look_at(Page("plan.md", data, MARKDOWN, place=PLAN))
        result = scan.finish()
        # By its content alone: the scan reads whatever is called Markdown as text, and would find nothing in a program.
        problems = [*result.failures, *(["it is binary"] if is_binary_by_beginning("plan", data) else [])]
        if problems:
            raise ReviewGateError(
                f"the plan could not be checked: {'; '.join(problems)}",
                why="a check that could not run is not a pass",
                next_step="mend the plan or the check, then the same command again",
            )
        hits = [alarm.hit for alarm in (*result.alarms, *scan.suppressed) if alarm.hit is not None]
        if not hits:
            return []
        first = min((hit.rule for hit in hits), key=lambda rule: self._order[rule.id])
        return sorted((hit for hit in hits if hit.rule.id == first.id), key=lambda hit: hit.start)
