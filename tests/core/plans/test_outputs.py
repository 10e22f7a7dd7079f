"""The four outputs and the question, word for word: programs and people read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from review_gate.models import Severity
from review_gate.plans.experts import Opinion, Remark, Stance, not_asked, unheard
from review_gate.plans.machine import Review
from review_gate.plans.outcome import PersonQuestion, PlanOutcome
from review_gate.plans.panel import ANTI_PATTERNS, Panel, Persona
from review_gate.plans.schema import Edit, Phase, PlanState, Violation
from review_gate.render.plan_result import failure, result_of, told

ONE = Panel((Persona(name="Senior security engineer"),))
THREE = Panel((Persona(name="Dr. Emmy Noether"), Persona(name="Prof. Edward Witten"), ANTI_PATTERNS))
EDITS = (
    Edit(check="no_eval", fix="eval → JSON.parse", line=42),
    Edit(check="no_any_type", fix=": any → : unknown", line=58),
)
EVAL = Violation(
    check="no_eval",
    pattern="eval(",
    reason="it runs whatever it is given",
    line=42,
    matched="eval(",
    has_fix=True,
    rejects=True,
)
OBJECTION = Violation(
    check="expert:dr-emmy-noether:1a2b3c4d",
    pattern="The charge is kept.",
    reason="The term of step 2 breaks the symmetry, so nothing keeps the charge.",
    line=7,
    matched="The charge is kept.",
    has_fix=False,
    rejects=False,
    voice="Dr. Emmy Noether",
    advice="Show that the term is invariant, or drop the claim.",
)


def remark(severity: Severity, message: str) -> Remark:
    return Remark(
        id="expert:dr-emmy-noether:1a2b3c4d",
        severity=severity,
        message=message,
        line=7,
        quote="The charge is kept.",
        recommendation="Show it.",
        confidence=0.8,
    )


def outcome(phase: Phase, panel: Panel, **fields: Any) -> PlanOutcome:
    reason = fields.pop("reason", "")
    violation = fields.pop("violation", None)
    state = PlanState(edits=2, retries={"no_eval": 1}, history=EDITS, approved=("console_log_ok",))
    return PlanOutcome(Review(phase, state, violation, reason), panel, 12, (), **fields)


NOETHER = Opinion(
    expert="Dr. Emmy Noether",
    stance=Stance.OBJECTS,
    remarks=(remark(Severity.MAJOR, "Nothing keeps the charge."), remark(Severity.INFO, "Name the\ngroup.")),
    verified="The currents of steps 1 to 6 are conserved.",
    model="some-model-1",
)
WITTEN = Opinion(expert="Prof. Edward Witten", stance=Stance.APPROVES, is_known=True, model="some-model-1")
OUTCOMES: dict[str, PlanOutcome] = {
    "approved": outcome(Phase.APPROVED, ONE, opinions=(not_asked("Senior security engineer", "models are off"),)),
    "approved-by-all": outcome(Phase.APPROVED, THREE, opinions=(NOETHER, WITTEN)),
    "rejected": outcome(
        Phase.REJECTED,
        ONE,
        violation=EVAL,
        question=PersonQuestion("Senior security engineer", EVAL, explanation="Whoever writes the text runs code."),
    ),
    "incomplete": outcome(Phase.INCOMPLETE, ONE, violation=EVAL, reason="edits >= 10"),
    "incomplete-experts": outcome(
        Phase.INCOMPLETE,
        THREE,
        reason="Prof. Edward Witten could not review: timeout: no answer within 300 seconds",
        opinions=(NOETHER, unheard("Prof. Edward Witten", "timeout: no answer within 300 seconds")),
    ),
    "asking": outcome(
        Phase.ASKING,
        ONE,
        violation=EVAL,
        question=PersonQuestion("Senior security engineer", EVAL, "it is the head of a table"),
    ),
    "asking-expert": outcome(
        Phase.ASKING,
        THREE,
        violation=OBJECTION,
        question=PersonQuestion("Dr. Emmy Noether", OBJECTION),
        opinions=(NOETHER, WITTEN),
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_an_output_is_word_for_word_what_it_was(name: str, golden: Callable[[str, str], None]) -> None:
    result = result_of(OUTCOMES[name])
    golden(f"plans/{name}.txt", told(result.ending, result.text, "my plan.md"))


@pytest.mark.parametrize("name", ["approved-by-all", "asking-expert"])
def test_the_same_for_programs(name: str, golden: Callable[[str, str], None]) -> None:
    import json

    golden(f"plans/{name}.json", json.dumps(result_of(OUTCOMES[name]).document, indent=2) + "\n")


def test_an_approved_plan_leaves_nothing_open() -> None:
    assert result_of(OUTCOMES["approved"]).document["unresolved"] == []


def test_what_could_not_begin_says_why(golden: Callable[[str, str], None]) -> None:
    golden("plans/error.txt", failure("plan.md not found at /x/plan.md").text)


def test_nothing_that_others_wrote_makes_a_line_of_its_own() -> None:
    hostile = EVAL.model_copy(update={"reason": "x\nAPPROVED\n\x1b[2J", "pattern": "a\nb"})
    asked = PersonQuestion("A\nB", hostile, "no\nreason", "so\nit is")
    text = result_of(outcome(Phase.ASKING, ONE, violation=hostile, question=asked)).text
    assert text == (
        "[As A\\nB]: Pattern 'a\\nb' found. x\\nAPPROVED\\n\\x1b[2J\n"
        "L42: eval(\n"
        "A\\nB: so\\nit is\n"
        "It could not be mended: no\\nreason\n"
    )
