"""What the verbs of rounds print, and how they wait."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence

from review_gate.cli.output import print_result
from review_gate.consensus.engine import Agreed, AskAgain, Wait
from review_gate.consensus.schema import Decision
from review_gate.consensus.scope import Scope
from review_gate.errors import BLOCKED, PASS, ReviewGateError
from review_gate.render.decision import error_text
from review_gate.render.rounds_text import Shown, Untold, check_document, check_text, feedback_text
from review_gate.safe_text import safe_line, written_out
from review_gate.shell.counter import counter
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.rounds_store import ReviewFolder
from review_gate.standard_error import say
from review_gate.workflows.round_begin import Spawned, spawn
from review_gate.workflows.round_check import Look, look
from review_gate.workflows.round_place import Place

LOOK_SECONDS = 0.1
# A look may have begun the next round.
LOOK_AGAIN = "review-gate check again tells how the reviews stand"
PROGRESS = "{} of {} reviewers have answered"
FEEDBACK = "feedback-{:02}.md"


def add_round_options(parser: argparse.ArgumentParser) -> None:
    """The options of whoever begins a review."""
    parser.add_argument(
        "--prompt", default="", type=written_out, metavar="TEXT", help="what to look at besides the usual"
    )
    parser.add_argument("--wait", action="store_true", help="stay until the round is decided")


def spawned(place: Place, scope: Scope, arguments: argparse.Namespace) -> int:
    """Begin a review, and say how to go on; with --wait, how it was decided."""
    Interrupts().obey("review-gate check tells whether the review began")
    found = spawn(place, scope, arguments.prompt)
    for name, problem in found.pool.missing:
        say(f"warning: {name} is not asked: {safe_line(problem.why)}\n")
    few = found.pool.too_few(found.state.settings)
    say(f"warning: {few}\n" if few else "")
    if arguments.wait:
        return looked_at([found.folder], place, form=arguments.format, is_waiting=True)
    document, text = _begun(found)
    print_result(json.dumps(document, indent=2) if arguments.format == "json" else text)
    return PASS


def _begun(found: Spawned) -> tuple[dict[str, object], str]:
    names = [name for name, one in found.state.reviewers.items() if one.status != "could_not_run"]
    next_step = f"review-gate check {found.folder.id} --wait"
    suggestion = found.material.suggestion if found.material else ""
    document: dict[str, object] = {
        "id": found.folder.id,
        "is_new": found.is_new,
        "reviewers": names,
        "not_asked": found.pool.problems,
        "suggestion": suggestion,
        "next": next_step,
    }
    verb = "began" if found.is_new else "is under way already"
    told = f"{found.folder.id}: the review {verb}, by {', '.join(names)}\n"
    return document, told + (f"  {suggestion}\n" if suggestion else "") + f"next:  {next_step}\n"


def looked_at(folders: Sequence[ReviewFolder], place: Place, *, form: str, is_waiting: bool) -> int:
    """Say how some reviews stand; 0 when all have agreed."""
    Interrupts().obey("the reviewers go on; review-gate check shows what they say" if is_waiting else LOOK_AGAIN)
    seen = [_seen(folder, place, is_waiting=is_waiting) for folder in folders]
    problems = [one for one in seen if isinstance(one, ReviewGateError)]
    if len(problems) == len(seen) == 1:
        raise problems[0]
    looks = [one for one in seen if isinstance(one, Look)]
    shown = [_shown(one) for one in looks]
    for problem in problems:
        say(error_text(problem.what, problem.why, problem.next_step, label="blocked"))
    if form == "json":
        more = {"problems": [_problem(one) for one in problems]} if problems else {}
        print_result(json.dumps({"reviews": [check_document(one) for one in shown], **more}, indent=2))
    else:
        print_result("".join(map(check_text, shown)) or ("" if problems else "no review is open\n"))
    return PASS if not problems and all(isinstance(one.step, Agreed) for one in looks) else BLOCKED


def _seen(folder: ReviewFolder, place: Place, *, is_waiting: bool) -> Look | ReviewGateError:
    """How a review stands, or why nobody can say: that of one keeps no other from being told."""
    try:
        return _settled(folder, place) if is_waiting else _looked(folder, place)
    except ReviewGateError as error:
        return error


def _problem(error: ReviewGateError) -> dict[str, str]:
    return {"what": error.what, "why": error.why, "next": error.next_step}


def _looked(folder: ReviewFolder, place: Place) -> Look:
    """A look at a review; what asked the reviewers is told when it broke down."""
    found = look(folder, place)
    if found.said:
        say(f"warning: the process that asked for {folder.id} ended early: {safe_line(found.said)}\n")
    return found


def _settled(folder: ReviewFolder, place: Place) -> Look:
    """A review once nobody is waited for."""
    with counter(PROGRESS) as count:
        while True:
            found = _looked(folder, place)
            if not isinstance(found.step, Wait | AskAgain):
                return found
            count(len(found.answers), len(found.request.members))
            time.sleep(LOOK_SECONDS)


def _shown(found: Look) -> Shown:
    """A review as it is told; all that was found is kept in a file."""
    untold = tuple(_untold(found))
    path = _feedback(found, found.decision) if found.decision is not None else ""
    return Shown(found.state, found.decision, found.step, path, found.request, untold)


def _untold(found: Look) -> Iterator[Untold]:
    """Earlier rounds of which nobody was told: the content changed meanwhile, and the next one began at once."""
    for number in range(1, found.state.round):
        decision = found.folder.decision(number) if not found.folder.has_text(FEEDBACK.format(number)) else None
        if decision is not None and decision.issues:
            yield Untold(number, len(decision.issues), _feedback(found, decision))


def _feedback(found: Look, decision: Decision) -> str:
    return found.folder.write_text(FEEDBACK.format(decision.round), feedback_text(found.state, decision))
