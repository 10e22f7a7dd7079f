"""prompt-review --file: a gate for prompts that a repository keeps."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from review_gate.cli.output import print_pieces, print_result
from review_gate.cli.prompt_review import NEVER
from review_gate.errors import BLOCKED, PASS, MisuseError
from review_gate.prompts.outcome import CheckedPrompt, PromptChecks, PromptRequest, PromptReview
from review_gate.prompts.schema import Role, Weight
from review_gate.render import prompt_report
from review_gate.safe_text import safe
from review_gate.shell.counter import counter
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.process import Commands
from review_gate.standard_error import say
from review_gate.workflows import prompt_finish
from review_gate.workflows.prompt_review import NO_SECURITY, Prepared, answered, not_reviewed, prepare

PROGRESS = "reviewed {} of {} prompts"
# Each of them asks up to six reviewers at once.
AT_ONCE = 4
MOST_BYTES = 8_000_000


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
    checks = PromptChecks(files=tuple(_checked(list(dict.fromkeys(paths)), arguments.preset)), fail_on=fail_on)
    unguarded = {why for one in checks.files for role, why in one.review.passed_over if role is Role.SECURITY}
    for why in sorted(unguarded):
        say(f"warning: {NO_SECURITY.format(safe(why))}\n")
    problems = dict.fromkeys(prompt_finish.log_checked(one.review, os.environ) for one in checks.files)
    for problem in filter(None, problems):
        say(f"warning: {problem}\n")
    _print(checks, arguments.format)
    return PASS if checks.has_passed else BLOCKED


def _checked(names: Sequence[str], preset: str) -> Iterator[CheckedPrompt]:
    """Review each file once, in the order in which they were named."""
    commands = Commands()
    Interrupts().obey("not all prompts were checked")
    try:
        prepared = [_prepared(name, preset, os.environ, commands) for name in names]
        with counter(PROGRESS) as count, ThreadPoolExecutor(AT_ONCE, thread_name_prefix="prompt") as pool:
            count(0, len(names))
            asked = pool.map(lambda one: answered(one, os.environ, commands), prepared)
            for done, review in enumerate(asked, start=1):
                count(done, len(names))
                # Nothing is handed out to a session.
                if isinstance(review, PromptReview):
                    yield CheckedPrompt(path=names[done - 1], review=review)
    finally:
        commands.end_all()


def _prepared(name: str, preset: str, environ: Mapping[str, str], commands: Commands) -> Prepared | PromptReview:
    request = PromptRequest(prompt="", trigger="ci", preset=preset)
    try:
        data = read_plain_file(os.path.realpath(name), MOST_BYTES)
    except UnsafeFileError as error:
        return not_reviewed(request, "unreadable", str(error))
    if data is None:
        return not_reviewed(request, "unreadable", "there is no such file")
    prompt = data.decode("utf-8", "surrogateescape")
    return prepare(request.model_copy(update={"prompt": prompt}), environ, commands)


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
