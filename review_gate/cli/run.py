"""Review HEAD (or what is staged) in four loops and record the result."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from review_gate.cli.findings_file import given_findings
from review_gate.cli.output import add_format, print_result
from review_gate.cli.report_forms import REPORT_FORMATS, formatted
from review_gate.errors import BLOCKED, PASS, MisuseError, ReviewGateError
from review_gate.gate.decision import Decision
from review_gate.loops.report import LOOPS, RunReport
from review_gate.render import run_text
from review_gate.render.decision import error_text
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.repository import Repository, open_repository
from review_gate.shell.terminal import ask, can_ask, watcher
from review_gate.standard_error import say
from review_gate.workflows.prepare import Prepared, RunOptions, prepare, refuse_dirty_tree
from review_gate.workflows.record import record
from review_gate.workflows.run import execute

if TYPE_CHECKING:
    from review_gate.render.report_view import ReportView

RECORDED = "the review itself was recorded; review-gate status shows it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of run."""
    parser.add_argument("--loops", metavar="1,2", help="run only these loops; the others keep their result if it fits")
    parser.add_argument("--base", metavar="REV", help="review what changed since the merge base with REV")
    parser.add_argument(
        "--staged", action="store_true", help="review the index; the commit made from it inherits the result"
    )
    parser.add_argument(
        "--scope", choices=("changed", "all"), default="changed", help="all: the whole tree, not only changes"
    )
    parser.add_argument("--plan-only", action="store_true", help="show the preview and stop")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--isolate", action="store_true", help="run commands in a temporary checkout of HEAD")
    parser.add_argument("--tests", action="store_true", help="accept the test command that was found")
    parser.add_argument("--allow-empty", action="store_true", help="record a review of an empty change")
    parser.add_argument("--manifest", metavar="FILE", help="add the reviewers that this file asks for")
    parser.add_argument("--findings", metavar="FILE", help="take the answers of a session's subagents (- for stdin)")
    parser.add_argument(
        "--questions", nargs="?", const="", metavar="REVIEWER", help="print what subagents are to be asked, and stop"
    )
    parser.add_argument("--no-cache", action="store_true", help="ask models again about what they have seen")
    add_format(parser, *REPORT_FORMATS)


def run(arguments: argparse.Namespace) -> int:
    """Preview, ask, run, record, report."""
    options = _options(arguments)
    interrupts = Interrupts()
    interrupts.obey()
    repository = open_repository(".")
    prepared = prepare(repository, options)
    if arguments.questions is not None:
        return _show_questions(prepared, arguments)
    if arguments.plan_only:
        as_json = arguments.format == "json"
        print_result(run_text.plan_json(prepared.plan) if as_json else run_text.plan_text(prepared.plan))
        return PASS
    refuse_dirty_tree(prepared)
    prepared = _confirmed(repository, prepared, is_yes=arguments.yes)
    return _run_and_report(prepared, arguments.format, interrupts)


def _show_questions(prepared: Prepared, arguments: argparse.Namespace) -> int:
    """What the subagents of a session are asked."""
    from review_gate.render.questions import questions_json, questions_text
    from review_gate.workflows.session import questions_of

    questions = questions_of(prepared, arguments.questions)
    if arguments.format == "json":
        print_result(questions_json(questions, prepared.subject, prepared.policy.policy))
    else:
        print_result(questions_text(questions))
    return PASS


def _options(arguments: argparse.Namespace) -> RunOptions:
    is_preview = arguments.plan_only or arguments.questions is not None
    if arguments.questions is not None and arguments.findings is not None:
        raise MisuseError(
            "--questions and --findings do not go together",
            why="the one asks the session, the other takes what it answered",
            next_step="review-gate run --questions first, then run --findings FILE",
        )
    if is_preview and arguments.format in REPORT_FORMATS:
        raise MisuseError(
            f"{'--plan-only' if arguments.plan_only else '--questions'} has no form for --format {arguments.format}",
            why="a plan has no findings yet, and an empty report would look like a passed review",
            next_step="review-gate run --plan-only --format json",
        )
    if arguments.staged and (arguments.base or arguments.scope == "all"):
        raise MisuseError(
            "--staged reviews the index against HEAD, so --base and --scope all do not go with it",
            why="the result is bound to one tree and one base",
            next_step="review-gate run --staged",
        )
    return RunOptions(
        loops=_loop_numbers(arguments.loops),
        base=arguments.base,
        is_staged=arguments.staged,
        scope=arguments.scope,
        is_isolated=arguments.isolate,
        takes_found_tests=arguments.tests,
        allows_empty=arguments.allow_empty,
        is_preview=is_preview,
        uses_cache=not arguments.no_cache,
        manifest=arguments.manifest,
        findings=None if arguments.findings is None else given_findings(arguments.findings),
    )


def _loop_numbers(text: str | None) -> tuple[int, ...]:
    if text is None:
        return LOOPS
    try:
        numbers = sorted({int(part) for part in text.split(",")})
    except ValueError:
        numbers = []
    if not numbers or any(number not in LOOPS for number in numbers):
        raise MisuseError(
            f"--loops {text!r} is not a list of loops",
            why="there are four of them, 1 to 4",
            next_step="review-gate run --loops 1,2",
        )
    return tuple(numbers)


def _confirmed(repository: Repository, prepared: Prepared, *, is_yes: bool) -> Prepared:
    """The run the user agreed to; without a terminal nobody can, so --yes is needed."""
    say(run_text.plan_text(prepared.plan))
    if not is_yes and not can_ask():
        raise MisuseError(
            "the review was not confirmed",
            why="there is no terminal to ask on, and --yes was not given",
            next_step="review-gate run --yes, or --plan-only to see what it would do",
        )
    if is_yes:
        return prepared
    offer = "/tests" if prepared.plan.offered_tests else ""
    answer = ask(f"Proceed with review? (yes/no{offer}) ")
    if answer == "tests" and offer:
        accepted = prepare(repository, prepared.options.model_copy(update={"takes_found_tests": True}))
        refuse_dirty_tree(accepted)
        say(run_text.plan_text(accepted.plan))
        return accepted
    if answer not in ("y", "yes"):
        raise ReviewGateError("the review was not started", why="the answer was not yes", next_step="review-gate run")
    return prepared


def _run_and_report(prepared: Prepared, form: str, interrupts: Interrupts) -> int:
    with watcher() as progress:
        executed = execute(prepared, progress)
    # The work is done, and half a record would help nobody.
    interrupts.ignore()
    report, decision, problems = record(prepared, executed)
    interrupts.obey(RECORDED)
    shown = prepared.loaded.config.limits.max_findings
    print_result(formatted(form, report, decision, shown=shown, view=lambda: view_of_run(prepared, report, decision)))
    for problem in problems:
        say(error_text(problem.what, problem.why, problem.next_step, label="warning"))
    return PASS if report.has_passed_requested else BLOCKED


def view_of_run(prepared: Prepared, report: RunReport, decision: Decision | None) -> ReportView:
    """What the page about a run shows."""
    from review_gate.workflows.report_view import view_of

    config = prepared.loaded.config
    shown = config.limits.max_findings
    return view_of(prepared.repository, config, prepared.checks, report, decision, shown=shown)
