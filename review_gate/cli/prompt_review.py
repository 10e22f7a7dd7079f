"""Review a prompt before an agent works by it: specialists propose edits, code merges them, you decide."""

from __future__ import annotations

import argparse
from typing import get_args

from review_gate.cli.output import add_format
from review_gate.errors import MisuseError
from review_gate.prompts.history.audit import Trigger
from review_gate.shell.current_folder import see_current_folder

# A folder that is gone keeps no prompt back: it is told with the prompt.
SEES_FOLDER = True
NEVER = "never"
ID_BEGINS = "prompt-"
MOST_REPEATED = 120
USAGE = """review-gate prompt-review [OPTIONS] TEXT | -
       review-gate prompt-review decide ID yes|no|edit [--text FILE]
       review-gate prompt-review request ID
       review-gate prompt-review merge ID FILE
       review-gate prompt-review show ID
       review-gate prompt-review --file FILE [FILE ...] [--fail-on SEVERITY]"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of prompt-review."""
    parser.usage = USAGE
    parser.add_argument("words", nargs="*", metavar="TEXT", help="the prompt; - reads it from standard input")
    parser.add_argument("--trigger", choices=get_args(Trigger), default="cli", help="what asked for the review")
    parser.add_argument("--preset", metavar="NAME", default="", help="a named set of settings")
    parser.add_argument("--polish", action="store_true", help="let a model find better words for what is put in")
    parser.add_argument("--settings", action="store_true", help="only show the settings in force")
    parser.add_argument("--text", metavar="FILE", help="with decide ID edit: the edited prompt; - is standard input")
    parser.add_argument("--file", nargs="*", metavar="FILE", help="check prompts that are kept in files")
    parser.add_argument(
        "--fail-on",
        choices=("blocker", "major", "minor", "nit", NEVER),
        default=NEVER,
        help="with --file: when to fail",
    )
    add_format(parser, "sarif", "junit", "github")


def run(arguments: argparse.Namespace) -> int:
    """Review, merge or decide; the prompt goes on whatever happens."""
    from review_gate.cli import prompt_steps

    words = arguments.words
    if arguments.settings:
        see_current_folder()
        return prompt_steps.show_settings(arguments)
    if arguments.file is not None:
        from review_gate.cli.prompt_files import check_files

        see_current_folder()
        return check_files(arguments)
    _refuse_options_of_files(arguments)
    step = {
        "decide": prompt_steps.decide,
        "merge": prompt_steps.merge,
        "request": prompt_steps.requested,
        "show": prompt_steps.show,
    }.get(words[0] if len(words) > 1 else "", prompt_steps.review)
    if step is not prompt_steps.review and not words[1].startswith(ID_BEGINS):
        raise _no_id(words)
    if step not in (prompt_steps.review, prompt_steps.requested):
        see_current_folder()
    return step(arguments)


def _no_id(words: list[str]) -> MisuseError:
    """Whoever types a prompt without quotes may begin it with the name of a step."""
    from shlex import quote

    from review_gate.safe_text import safe_line

    prompt = safe_line(" ".join(words))
    return MisuseError(
        f"{safe_line(words[1][:60])} is no id of a review, which {words[0]} takes",
        why=f"an id begins with {ID_BEGINS}; a prompt that begins with {words[0]} stands in quotes",
        next_step=f"review-gate prompt-review {quote(prompt) if len(prompt) <= MOST_REPEATED else 'TEXT'}",
    )


def _refuse_options_of_files(arguments: argparse.Namespace) -> None:
    """A gate without files would never fail, and nobody would see why."""
    given = []
    if arguments.fail_on != NEVER:
        given.append(f"--fail-on {arguments.fail_on}")
    if arguments.format not in ("text", "json"):
        given.append(f"--format {arguments.format}")
    if given:
        raise MisuseError(
            f"{' and '.join(given)} is for --file",
            why="it is about prompts that are kept in files",
            next_step=f"review-gate prompt-review --file FILE {' '.join(given)}",
        )
