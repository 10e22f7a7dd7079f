"""Review a plan: check it, mend it, ask about what is left, and approve exactly the text that passed."""

from __future__ import annotations

import argparse
import json
import os
from functools import partial
from typing import Literal

from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, PASS, MisuseError, explained
from review_gate.plans.outcome import PersonQuestion
from review_gate.plans.schema import Answer
from review_gate.render import plan_result
from review_gate.render.plan_result import PlanResult
from review_gate.safe_text import safe
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.plan_folder import PlanFolder
from review_gate.shell.terminal import can_ask, read_line
from review_gate.standard_error import say
from review_gate.workflows.plan_record import KEPT, begin_review, reviewed_on_record, standing_now
from review_gate.workflows.plan_run import answer_from
from review_gate.workflows.plan_setup import named

# Nobody who types the name of a choice wants it in the plan.
CHOICES: dict[str, Literal["approve", "abort"]] = {
    "1": "approve",
    "approve": "approve",
    plan_result.INSTANCE.lower(): "approve",
    "2": "abort",
    "abort": "abort",
    plan_result.ABORT.lower(): "abort",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of expert-review."""
    parser.add_argument("plan", metavar="PLAN", help="a plan, its folder, session://ID, or 'Review: ...' with one")
    parser.add_argument("--answer", metavar="ANSWER", help="the answer to its question: approve, abort or replace=TEXT")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--status", action="store_true", help="only say whether the plan as it stands is approved")
    mode.add_argument("--background", action="store_true", help="return at once; the review goes on by itself")
    # Of the process in the background, by which its caller knows it.
    parser.add_argument("--call", default="", help=argparse.SUPPRESS)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Review, or say how the plan stands; 0 is an approved plan."""
    try:
        return _run(arguments)
    except Exception as error:
        # The fourth verdict, for programs; why, and what to do next, is told where every verb's errors are.
        _say_result(arguments, plan_result.failure(explained(error).what))
        raise


def _run(arguments: argparse.Namespace) -> int:
    answers = _answers(arguments.answer)
    folder = named(arguments.plan, os.environ)
    if arguments.status:
        if answers:
            raise MisuseError(
                "--status takes no answer",
                why="it only looks, and an answer that is not used would be lost",
                next_step="review-gate expert-review PLAN --answer ANSWER, then --status",
            )
        return _say_status(arguments, folder)
    if arguments.background:
        return _begin(arguments, folder)
    # Or what was asked would go on by itself, and take what it takes.
    Interrupts().obey(KEPT)
    reviewed = reviewed_on_record(folder, partial(_ask, answers), os.environ, arguments.call)
    if answers:
        say("warning: the answer was not used: nothing was asked\n")
    for warning in reviewed.warnings:
        say(f"warning: {safe(warning)}\n")
    if reviewed.took:
        say(f"{safe(reviewed.took)}\n")
    return _say_result(arguments, reviewed.result)


def _answers(text: str | None) -> list[Answer]:
    try:
        return [] if text is None else [answer_from(text)]
    except ValueError:
        raise MisuseError(
            f"--answer {text!r} is no answer",
            why="a question is answered with approve, abort or replace=TEXT",
            next_step="review-gate expert-review PLAN --answer approve",
        ) from None


def _ask(answers: list[Answer], asked: PersonQuestion) -> Answer | None:
    """The answer that was given with the call, or that of the person at the terminal; None where nobody is there."""
    if answers and asked.is_same:
        return answers.pop()
    if answers:
        answers.clear()
        say("warning: the answer was not used: it is to another question than the one that is asked now\n")
        return None
    if not can_ask():
        return None
    say(plan_result.question_text(asked))
    said = read_line(f"1 {plan_result.INSTANCE}, 2 {plan_result.ABORT}, or the text to put in its place: ")
    if said.lower() in CHOICES:
        return Answer(kind=CHOICES[said.lower()])
    return Answer(kind="replace", text=said) if said else None


def _begin(arguments: argparse.Namespace, folder: PlanFolder) -> int:
    """Start the same review without a terminal, and say how to look after it."""
    begin_review(folder, arguments.answer, arguments.plan, os.environ)
    _print(arguments.format, *plan_result.begun(folder.plan, arguments.plan))
    return PASS


def _say_status(arguments: argparse.Namespace, folder: PlanFolder) -> int:
    now = standing_now(folder)
    # What a review in the background had to say, nobody has read.
    say(safe(now.said))
    text = plan_result.status_text(now.standing, now.ended, arguments.plan)
    _print(arguments.format, text, plan_result.status_document(now.standing, now.last, now.plan))
    return PASS if now.standing.status == "approved" else BLOCKED


def _say_result(arguments: argparse.Namespace, result: PlanResult) -> int:
    _print(arguments.format, plan_result.told(result.ending, result.text, arguments.plan), result.document)
    return PASS if result.ending == "approved" else BLOCKED


def _print(form: str, text: str, document: dict[str, object]) -> None:
    print_result(json.dumps(document, indent=2) if form == "json" else text)
