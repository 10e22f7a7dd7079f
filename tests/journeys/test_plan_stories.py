"""Stories of plans: checked, fixed, asked about, read by experts, approved or not."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from journey import Journey
from modelling import Asked
from plan_models import approves, chosen, expert_of, objects, plan_model
from ruamel.yaml import YAML
from story_model import asking

CHECKS = """\
checks:
  - id: no_any_type
    pattern: ": any"
    match_rule: regex
    fix: {action: replace, with: ": unknown"}
    reason: Use a type that says something
  - id: no_console_log
    pattern: console.log
    fix: {action: remove_sentence}
    reason: Use the logger of the project
  - id: no_eval
    pattern: eval(
    reason: it runs every text that it gets
"""
PANEL = """\
reviewer_personas:
  - {name: Gray, domain: databases, focus: [transactions, recovery]}
  - {name: Liskov, domain: types, focus: [substitution]}
"""
REVIEWERS = """\
code_technical:
  - {name: Gray, domain: databases, focus: [transactions]}
  - {name: Liskov, domain: types}
technical_domains: [Noether]
"""
GOOD = "# Move\n\n1. Copy the rows to the new table.\n2. Drop the old table.\n"
REVIEW = "review-gate expert-review plans/move"
PATIENCE_SECONDS = 100


@pytest.fixture
def planning(fresh_journey: Journey) -> Journey:
    """A story about a plan in plans/move, which a senior engineer has to approve."""
    fresh_journey.use_own_cache()
    for name, text in {
        ".review-gate.yaml": "checks: {packs: []}\n",
        "plans/move/context.yaml": "reviewer_persona: Senior security engineer\n",
        "plans/move/checks.yaml": CHECKS,
        "plans/move/plan.md": GOOD,
    }.items():
        fresh_journey.repo.write(name, text)
    return fresh_journey


def look_at(story: Journey) -> None:
    """Record the plan, what was kept about its review, and its status."""
    for name in ("plan.md", "state.yaml", "plan.approved"):
        story.file(f"plans/move/{name}")
    story.fact("state", YAML(typ="safe").load(story.repo.path / "plans/move/state.yaml"))
    story.type(f"{REVIEW} --status")
    story.json(f"{REVIEW} --status --format json")


def test_a_plan_without_a_fault_is_approved_by_checks_alone(planning: Journey) -> None:
    planning.type(f"{REVIEW} --status")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    look_at(planning)
    planning.note("Another line makes the approval stale, and so does another check")
    planning.repo.write("plans/move/plan.md", f"{GOOD}3. Sleep.\n")
    planning.type(f"{REVIEW} --status")
    planning.json(f"{REVIEW} --status --format json")
    planning.type(REVIEW)
    planning.repo.write("plans/move/checks.yaml", CHECKS.replace("console.log", "print("))
    planning.json(f"{REVIEW} --status --format json")


def test_a_fix_changes_a_plan_and_the_checks_look_again(planning: Journey) -> None:
    planning.repo.write("plans/move/plan.md", "# Types\n\n- Type it as `x: any`. Then console.log it.\n- Stop.\n")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    look_at(planning)


def test_a_plan_needs_an_answer_of_its_user(planning: Journey) -> None:
    planning.repo.write("plans/move/plan.md", "# Load\n\n1. Load it with eval(text).\n2. Keep x: any.\n")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    planning.type(f"{REVIEW} --status")
    planning.type(f"{REVIEW} --answer maybe")
    planning.type(f"{REVIEW} --answer 'replace=parse('")
    look_at(planning)


def test_a_user_approves_one_match_and_the_plan_with_it(planning: Journey) -> None:
    planning.repo.write("plans/move/plan.md", "# Load\n\n1. Load it with eval(text).\n")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --answer approve --format json")
    look_at(planning)


def test_a_user_aborts_the_review_of_a_plan(planning: Journey) -> None:
    planning.repo.write("plans/move/plan.md", "# Load\n\n1. Load it with eval(text).\n")
    planning.type(REVIEW)
    planning.type(f"{REVIEW} --answer abort")
    planning.json(f"{REVIEW} --status --format json")


def test_a_fault_that_comes_back_rejects_the_plan(planning: Journey) -> None:
    fix = "fix: {action: replace, with: a foo}, reason: no foo, reject_if_persists: true"
    planning.repo.write("plans/move/checks.yaml", f"checks: [{{id: again, pattern: foo, {fix}}}]\n")
    planning.repo.write("plans/move/plan.md", "# Plan\n\nUse foo.\n")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    look_at(planning)


def test_a_review_of_a_plan_cannot_begin(planning: Journey) -> None:
    planning.type("review-gate expert-review plans/gone")
    planning.json("review-gate expert-review plans/gone --format json")
    planning.note("The checks are broken")
    planning.repo.write("plans/move/checks.yaml", "checks: [{id: no_eval, patern: eval(}]\n")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    planning.note("The plan is a picture")
    planning.repo.write("plans/move/checks.yaml", CHECKS)
    planning.repo.write("plans/move/plan.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\xf4")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    planning.note("The plan is empty")
    planning.repo.write("plans/move/plan.md", "\n")
    planning.type(REVIEW)


def test_experts_approve_a_plan(planning: Journey) -> None:
    planning.repo.write("plans/move/context.yaml", PANEL)
    with asking(planning, plan_model()) as server:
        planning.type(REVIEW)
        planning.json(f"{REVIEW} --format json")
        planning.fact("asked", sorted(map(expert_of, server.asked)))
    look_at(planning)


def test_an_expert_objects_and_other_words_settle_it(planning: Journey) -> None:
    planning.repo.write("plans/move/context.yaml", PANEL)

    def gray_objects(asked: Asked) -> Any:
        is_his = expert_of(asked) == "Gray" and "Drop the old table." in asked.shared
        return objects(asked) if is_his else approves(asked)

    with asking(planning, plan_model(gray_objects)) as server:
        planning.type(REVIEW)
        planning.json(f"{REVIEW} --format json")
        planning.type(f"{REVIEW} --answer 'replace=Rename the old table.'")
        planning.fact("asked", sorted(map(expert_of, server.asked)))
    look_at(planning)


def test_no_expert_can_be_asked_although_models_are_required(planning: Journey) -> None:
    planning.repo.write("plans/move/context.yaml", PANEL)
    planning.repo.write(".review-gate.yaml", "checks: {packs: []}\nmodels: required\n")
    planning.type(REVIEW)
    planning.json(f"{REVIEW} --format json")
    look_at(planning)


def test_an_expert_answers_in_prose_and_is_asked_again(planning: Journey) -> None:
    planning.repo.write("plans/move/context.yaml", PANEL)
    with asking(
        planning, plan_model(lambda asked: "I like it." if expert_of(asked) == "Gray" else approves(asked))
    ) as server:
        planning.type(REVIEW)
        planning.json(f"{REVIEW} --format json")
        server.says = plan_model()
        before = len(server.asked)
        planning.type(REVIEW)
        planning.fact("asked again", sorted(map(expert_of, server.asked[before:])))
    planning.type(f"{REVIEW} --status")


def test_a_model_chooses_who_reviews_a_plan(planning: Journey) -> None:
    home = Path(planning.repo.environ["HOME"])
    (home / ".claude").mkdir()
    (home / ".claude/reviewers.yaml").write_text(REVIEWERS)
    planning.repo.write("plans/move/context.yaml", "# This plan is of a shop.\n")
    with asking(planning, plan_model(panel=lambda _: chosen("Gray", "Noether"))) as server:
        planning.type(REVIEW)
        planning.fact("asked", sorted(map(expert_of, server.asked)))
    planning.file("plans/move/context.yaml")
    planning.json(f"{REVIEW} --status --format json")


def test_a_plan_of_a_session_is_reviewed_in_the_background(planning: Journey) -> None:
    folder = Path(planning.repo.environ["HOME"]) / ".claude/sessions/discounts"
    folder.mkdir(parents=True)
    for name, text in {
        "context.yaml": "reviewer_persona: Anybody\n",
        "checks.yaml": CHECKS,
        "plan.md": "# Load\n\nLoad it with eval(text).\n",
    }.items():
        (folder / name).write_text(text)
    review = "review-gate expert-review session://discounts"
    for options in ("", " --answer 'replace=parse('"):
        planning.type(f"{review}{options} --background")
        wait_until_reviewed(planning, "session://discounts")
        planning.type(f"{review} --status")
        planning.json(f"{review} --status --format json")
    planning.file("plan.md", at=folder)


def wait_until_reviewed(story: Journey, plan: str) -> None:
    """Wait until no review of a plan goes on any more."""
    until = time.monotonic() + PATIENCE_SECONDS
    while "is going on" in (said := story.repo.gate("expert-review", plan, "--status").stdout):
        assert time.monotonic() < until, said
        time.sleep(0.05)
