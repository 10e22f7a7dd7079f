"""Reviews of prompts, by name, of which every form of a result has a golden file."""

from __future__ import annotations

from typing import Any

from critiquing import critique, finding, op_finding

from review_gate.prompts.editor.edit import edit
from review_gate.prompts.history.audit import Cost
from review_gate.prompts.outcome import PromptReview, Reviewed
from review_gate.prompts.schema import Critique, Op, Role, Target, Weight

PROMPT = "optimize the settings page"
SECURITY = critique(
    Role.SECURITY,
    op_finding(Op.ADD_GUARDRAIL, "Never commit .env or expose ANTHROPIC_API_KEY in generated code.", id="SEC-001"),
)
CLARITY = critique(
    Role.CLARITY,
    op_finding(
        Op.REPLACE_VAGUE,
        "Reduce settings.ts render time by extracting the browser config section of",
        evidence="optimize",
        target=Target.STRUCTURE,
        severity=Weight.MINOR,
        id="CLR-001",
    ),
)
TESTING = critique(
    Role.TESTING,
    op_finding(
        Op.ADD_ACCEPTANCE_CRITERIA,
        "Run npm run test after changes. All existing tests must pass.",
        target=Target.OUTPUT,
        id="TST-001",
    ),
)
DOMAIN = critique(
    Role.DOMAIN_SME,
    op_finding(
        Op.ADD_CONSTRAINT,
        "Follow existing functional style in src/ -- pure functions, named exports, no classes.",
        severity=Weight.MINOR,
        id="DOM-001",
    ),
)
ALL = (DOMAIN, SECURITY, CLARITY, TESTING)
CONTRADICTIONS = (
    critique(Role.SECURITY, op_finding(Op.ADD_GUARDRAIL, "Do not log tokens.", id="SEC-001")),
    critique(
        Role.CLARITY,
        op_finding(Op.ADD_CONSTRAINT, "Log tokens at debug level.", id="CLR-001"),
        op_finding(Op.REPLACE_VAGUE, "halve the time of", evidence="speed up", id="CLR-002"),
        op_finding(Op.REFACTOR_STRUCTURE, "Split it into sections.\nOne for each wish.", id="CLR-003"),
    ),
    critique(
        Role.TESTING,
        op_finding(Op.ADD_CONSTRAINT, "Add snapshot tests.", id="TST-001"),
        op_finding(Op.ADD_CONSTRAINT, "Never add snapshot tests.", id="TST-002"),
    ),
)


def review(*critiques: Critique, prompt: str = PROMPT, **changes: Any) -> PromptReview:
    """A review by some critiques, four seconds long."""
    edited = edit(prompt, critiques)
    usual: dict[str, Any] = {
        "id": "prompt-0123456789ab",
        "created": "2026-02-24T14:32:01Z",
        "status": "proposed" if edited.text != prompt else "unchanged",
        "trigger": "cli",
        "mode": "subscription",
        "project": "shop",
        "prompt": prompt,
        "edited": edited,
        "reviewers": [Reviewed(role=one.role, critique=one) for one in critiques],
        "cost": Cost(input_tokens=2_000, output_tokens=800),
        "duration_ms": 4_000,
    }
    return PromptReview.model_validate({**usual, **changes})


FAILED = Reviewed(role=Role.TESTING, problem="it gave no answer within 8 seconds")
NONE = tuple(critique(one.role) for one in ALL)

REVIEWS: dict[str, PromptReview] = {
    "four-changes": review(*ALL),
    "no-findings": review(*NONE, cost=Cost(input_tokens=900, output_tokens=90)),
    "conflicts": review(*CONTRADICTIONS),
    "one-unavailable": review(
        DOMAIN,
        SECURITY,
        reviewers=[*(Reviewed(role=one.role, critique=one) for one in (DOMAIN, SECURITY)), FAILED],
    ),
    "api": review(*ALL, mode="api", cost=Cost(input_tokens=8_240, output_tokens=2_100, usd=0.0417)),
    "api-cheap": review(*NONE, mode="api", cost=Cost(input_tokens=100, output_tokens=10, usd=0.0012)),
    "price-unknown": review(*NONE, mode="api", cost=Cost(input_tokens=100, output_tokens=10, usd=None)),
    "known": review(*ALL, cost=Cost(), reviewers=[Reviewed(role=one.role, critique=one, is_known=True) for one in ALL]),
    "dropped-and-notes": review(
        critique(Role.CLARITY, *CLARITY.findings, dropped=2),
        notes=["the prompt holds 1 character that cannot be seen (<U+202E>)", "CLAUDE.md: it is a symbolic link"],
    ),
    "hostile": review(
        critique(
            Role.CLARITY,
            op_finding(Op.ADD_CONSTRAINT, "Be kind. | +--- | \u001b[31m".replace("\u001b", ""), id="CLR-001"),
        ),
        prompt="Do it.\u001b[2J\u202e",
        notes=["a\u001b[31mb"],
    ),
    "editor-failed": review(
        *ALL,
        edited=None,
        status="editor_failed",
        why="the editor could not merge the critiques: no end",
        reason="editor",
    ),
    "restructured": review(
        critique(
            Role.CLARITY,
            op_finding(Op.REFACTOR_STRUCTURE, "# Task\n\nWrite it.\n\n# Rules\n\nBe fast.", id="CLR-001"),
        ),
        prompt="Be fast. Write it.",
    ),
    "several-say-it": review(
        critique(Role.TESTING, op_finding(Op.ADD_CONSTRAINT, "Run the tests.", id="TST-001")),
        critique(Role.CLARITY, op_finding(Op.ADD_CONSTRAINT, "run the tests", severity=Weight.NIT, id="CLR-001")),
    ),
    "removed": review(
        critique(Role.SECURITY, op_finding(Op.REMOVE_CONSTRAINT, "Skip the checks.", id="SEC-001")),
        prompt="Do it. Skip the checks.",
    ),
    "without-an-edit": review(
        critique(Role.CLARITY, finding(severity=Weight.NIT, issue="Two wishes in one prompt."), *CLARITY.findings),
        critique(Role.TESTING, op_finding(Op.ADD_CONSTRAINT, "Optimize the settings page!", id="TST-001")),
    ),
    "not-reviewed": review(
        edited=None, status="not_reviewed", reviewers=[], why="the prompt is empty", reason="empty", prompt=" "
    ),
}
