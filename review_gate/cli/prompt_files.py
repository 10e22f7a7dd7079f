"""prompt-review --file: a gate for prompts that a repository keeps."""

from __future__ import annotations

import argparse
import os

from review_gate.cli.output import print_pieces, print_result
from review_gate.cli.prompt_review import NEVER
from review_gate.errors import BLOCKED, PASS, MisuseError
from review_gate.prompts.checked import PromptChecks
from review_gate.prompts.schema import Role, Weight
from review_gate.render import prompt_report
from review_gate.safe_text import safe
from review_gate.shell.counter import counter
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.process import Commands
from review_gate.standard_error import say
from review_gate.workflows import prompt_finish
from review_gate.workflows.prompt_files import CheckRequest, check_prompts
from review_gate.workflows.prompt_review import NO_SECURITY

PROGRESS = "reviewed {} of {} prompts"


def check_files(arguments: argparse.Namespace) -> int:
    """Review each file; 1 when one of them is not good enough, or could not be reviewed."""
    # A file may be called like an option: those behind -- are files too.
    paths = (*arguments.file, *arguments.words)
    if not paths:
        raise MisuseError(
            "--file names no file",
            why="there is nothing to check",
            next_step="review-gate prompt-review --file FILE",
        )
    fail_on = None if arguments.fail_on == NEVER else Weight(arguments.fail_on)
    wanted = CheckRequest(paths=paths, fail_on=fail_on, preset=arguments.preset)
    commands = Commands()
    Interrupts().obey("not all prompts were checked")
    try:
        with counter(PROGRESS) as count:
            checks = check_prompts(wanted, os.environ, commands, count)
    finally:
        commands.end_all()
    unguarded = {why for one in checks.files for role, why in one.review.passed_over if role is Role.SECURITY}
    for why in sorted(unguarded):
        say(f"warning: {NO_SECURITY.format(safe(why))}\n")
    problems = dict.fromkeys(prompt_finish.log_checked(one.review, os.environ) for one in checks.files)
    for problem in filter(None, problems):
        say(f"warning: {problem}\n")
    _print(checks, arguments.format)
    return PASS if checks.has_passed else BLOCKED


def _print(checks: PromptChecks, form: str) -> None:
    if form == "sarif":
        print_pieces(prompt_report.checks_sarif(checks))
        return
    forms = {
        "json": prompt_report.checks_json,
        "github": prompt_report.checks_github,
        "junit": prompt_report.checks_junit,
    }
    print_result(forms.get(form, prompt_report.checks_text)(checks))
