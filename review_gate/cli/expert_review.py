"""Review a plan: check it, mend it, ask about what is left, and approve exactly the text that passed."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from functools import partial

from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, MISUSE, PASS, ConfigError, MisuseError
from review_gate.plans import verdict
from review_gate.plans.panel import Panel
from review_gate.plans.schema import Answer, Phase, Violation
from review_gate.render.decision import error_text
from review_gate.shell.terminal import can_ask, read_line
from review_gate.standard_error import say
from review_gate.workflows.expert_review import PlanOutcome, answer_from, review_plan, standing, unresolved
from review_gate.workflows.plan_setup import PlanSetup, named, set_up

APPROVES = "Mark this check as approved for this plan"
ABORTS = "Stop review with INCOMPLETE status"
ANSWER_WITH = "next:  review-gate expert-review {} --answer approve (or abort, or replace=TEXT)\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of expert-review."""
    parser.add_argument("plan", metavar="PLAN", help="a plan, its folder, session://ID, or 'Review: ...' with one")
    parser.add_argument("--answer", metavar="ANSWER", help="the answer to its question: approve, abort or replace=TEXT")
    parser.add_argument("--status", action="store_true", help="only say whether the plan as it stands is approved")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Review, or say how the plan stands; 0 is an approved plan."""
    answers = _answers(arguments.answer)
    try:
        folder = named(arguments.plan, os.environ)
        if arguments.status:
            return _say_status(arguments.format, set_up(folder, is_to_begin=False))
        outcome = review_plan(folder, partial(_ask, answers))
    except (ConfigError, MisuseError) as error:
        say(error_text(error.what, error.why, error.next_step, label="error"))
        _print(arguments.format, verdict.failed(error.what), {"verdict": "error", "reason": error.what})
        return MISUSE
    for warning in outcome.warnings:
        say(f"warning: {warning}\n")
    return _say_outcome(arguments.format, outcome, arguments.plan)


def _answers(text: str | None) -> list[Answer]:
    try:
        return [] if text is None else [answer_from(text)]
    except ValueError:
        raise MisuseError(
            f"--answer {text!r} is no answer",
            why="a question is answered with approve, abort or replace=TEXT",
            next_step="review-gate expert-review PLAN --answer approve",
        ) from None


def _ask(answers: list[Answer], panel: Panel, violation: Violation, why: str, is_same: bool) -> Answer | None:
    """The answer that was given with the call, or that of the person at the terminal; None where nobody is there."""
    if answers and is_same:
        return answers.pop()
    if answers:
        answers.clear()
        say("warning: the answer was not used: it is to another question than the one that is asked now\n")
        return None
    if not can_ask():
        return None
    say(verdict.question(panel.names, violation, why))
    said = read_line(f"1 {verdict.INSTANCE}, 2 {verdict.ABORT}, or the text to put in its place: ")
    if said in ("1", "2"):
        return Answer(kind="approve" if said == "1" else "abort")
    return Answer(kind="replace", text=said) if said else None


def _say_status(form: str, setup: PlanSetup) -> int:
    found = standing(setup)
    _print(form, f"{found.status}: {found.reason}\n", {"status": found.status, "reason": found.reason})
    return PASS if found.status == "approved" else BLOCKED


def _say_outcome(form: str, outcome: PlanOutcome, plan: str) -> int:
    review, reviewer = outcome.review, outcome.panel.names
    document: dict[str, object] = {
        "verdict": review.phase.value,
        "reviewers": [persona.name for persona in outcome.panel.personas],
        "not_asked": list(outcome.not_asked),
        "checks": outcome.checks,
        "edits": [edit.model_dump() for edit in review.state.history],
        "approved": list(review.state.approved),
        "reason": review.reason,
        "unresolved": list(unresolved(outcome)),
    }
    if review.phase is Phase.ASKING and review.violation is not None:
        document["question"] = _question(review.violation, outcome.why_asked)
        asked = verdict.question(reviewer, review.violation, outcome.why_asked)
        _print(form, asked + ANSWER_WITH.format(shlex.quote(plan)), document)
    else:
        _print(form, _verdict_text(outcome), document)
    return PASS if review.phase is Phase.APPROVED else BLOCKED


def _question(violation: Violation, why: str) -> dict[str, object]:
    return {
        "check": violation.check,
        "pattern": violation.pattern,
        "reason": violation.reason,
        "line": violation.line,
        "matched": violation.matched,
        "not_mended_because": why,
        "options": [
            {"answer": "approve", "label": verdict.INSTANCE, "description": APPROVES},
            {"answer": "abort", "label": verdict.ABORT, "description": ABORTS},
            {"answer": "replace=TEXT", "label": "Other", "description": "Put a text in the place of the match"},
        ],
    }


def _verdict_text(outcome: PlanOutcome) -> str:
    review, reviewer, state = outcome.review, outcome.panel.names, outcome.review.state
    if review.phase is Phase.APPROVED:
        left = f"Not asked: {', '.join(outcome.not_asked)}; the checks alone approved." if outcome.not_asked else ""
        return verdict.approved(reviewer, outcome.checks, state, left)
    if review.phase is Phase.REJECTED and review.violation is not None:
        return verdict.rejected(reviewer, review.violation, state)
    return verdict.incomplete(reviewer, review.reason, state, unresolved(outcome))


def _print(form: str, text: str, document: dict[str, object]) -> None:
    print_result(json.dumps(document, indent=2) if form == "json" else text)
