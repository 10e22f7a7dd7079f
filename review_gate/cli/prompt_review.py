"""Review a prompt before an agent works by it: specialists propose edits, code merges them, you decide."""

from __future__ import annotations

import argparse
import json
import os
import sys
from shlex import quote
from typing import Any, get_args

from review_gate.cli.output import add_format, is_terminal, print_pieces, print_result
from review_gate.errors import PASS, MisuseError
from review_gate.prompts.history.audit import Trigger
from review_gate.prompts.outcome import PromptRequest, PromptReview
from review_gate.render import prompt_block, prompt_json
from review_gate.safe_text import safe, safe_line
from review_gate.shell.current_folder import see_current_folder
from review_gate.shell.editor import edited_by_person
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.process import Commands
from review_gate.shell.terminal import ask, can_ask
from review_gate.standard_error import say
from review_gate.workflows import prompt_finish
from review_gate.workflows.prompt_finish import Word

# A folder that is gone keeps no prompt back: it is told with the prompt.
SEES_FOLDER = True
NEVER = "never"
ID_BEGINS = "prompt-"
MOST_REPEATED = 120
MOST_BYTES = 64_000_000
ANSWERS: dict[str, Word] = {"y": "yes", "yes": "yes", "n": "no", "no": "no", "e": "edit", "edit": "edit"}
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
    words = arguments.words
    if arguments.settings:
        see_current_folder()
        return _show_settings(arguments)
    if arguments.file is not None:
        from review_gate.cli.prompt_files import check_files

        see_current_folder()
        return check_files(arguments)
    given = [f"--fail-on {arguments.fail_on}"] if arguments.fail_on != NEVER else []
    given += [f"--format {arguments.format}"] if arguments.format not in ("text", "json") else []
    if given:
        # A gate without files would never fail, and nobody would see why.
        raise MisuseError(
            f"{' and '.join(given)} is for --file",
            why="it is about prompts that are kept in files",
            next_step=f"review-gate prompt-review --file FILE {' '.join(given)}",
        )
    step = STEPS.get(words[0] if len(words) > 1 else "")
    if step is None:
        return _reviewed(PromptRequest(prompt=_prompt(words), trigger=arguments.trigger), arguments)
    if not words[1].startswith(ID_BEGINS):
        # Who types a prompt without quotes may begin it with the name of a step.
        prompt = safe_line(" ".join(words))
        raise MisuseError(
            f"{safe_line(words[1][:60])} is no id of a review, which {words[0]} takes",
            why=f"an id begins with {ID_BEGINS}; a prompt that begins with {words[0]} stands in quotes",
            next_step=f"review-gate prompt-review {quote(prompt) if len(prompt) <= MOST_REPEATED else 'TEXT'}",
        )
    if step is not _requested:
        see_current_folder()
    return step(arguments)


def _show_settings(arguments: argparse.Namespace) -> int:
    """The settings in force here."""
    from review_gate.workflows.prompt_ground import settings_here

    print_result(json.dumps(settings_here(os.environ, arguments.preset).model_dump(mode="json"), indent=2))
    return PASS


def _reviewed(request: PromptRequest, arguments: argparse.Namespace) -> int:
    """Review a prompt and ask about what is proposed, or say how to decide it later."""
    from review_gate.workflows.prompt_review import review_prompt

    commands = Commands()
    Interrupts().obey("no prompt goes on")
    options = {"preset": arguments.preset, "polishes": arguments.polish, "may_hand_out": not can_ask()}
    try:
        found = review_prompt(request.model_copy(update=options), os.environ, commands)
    finally:
        # Who is late is not waited for, and not left behind.
        commands.end_all()
    result = found if isinstance(found, PromptReview) else prompt_finish.hand_out(found, os.environ)
    if result is not None:
        return _told(result, arguments)
    if not isinstance(found, PromptReview):
        print_result(prompt_json.questions_json(found))
    return PASS


def _requested(arguments: argparse.Namespace) -> int:
    """Review a prompt that an agent's hook has kept."""
    return _reviewed(prompt_finish.taken_request(_name(arguments), os.environ), arguments)


def _show(arguments: argparse.Namespace) -> int:
    """Show a proposal that waits for its decision once more."""
    found = prompt_finish.proposal(_name(arguments), os.environ)
    is_json = arguments.format == "json"
    print_result(prompt_json.review_json(found) if is_json else _shown(found, waits=True))
    return PASS


def _name(arguments: argparse.Namespace, *, takes: int = 0) -> str:
    """The id of a review, behind which stand so many words."""
    verb, name, *rest = arguments.words
    if len(rest) == takes:
        return str(name)
    again = f"review-gate prompt-review {verb} {safe_line(name[:60])}"
    raise MisuseError(
        f"{verb} takes an id and {'one file' if takes else 'nothing else'}",
        why="the file holds the answers of the reviewers by role" if takes else "each review has an id of its own",
        next_step=f"{again} FILE (- is standard input)" if takes else again,
    )


def _merge(arguments: argparse.Namespace) -> int:
    """Make one prompt of what subagents have answered."""
    from review_gate.workflows.prompt_review import merge_answers

    name = _name(arguments, takes=1)
    return _told(merge_answers(name, _data(arguments.words[2], "the answers"), os.environ), arguments)


def _decide(arguments: argparse.Namespace) -> int:
    """Decide a review that waits, and print the prompt that goes on."""
    _, name, *rest = arguments.words
    word: Any = rest[0] if len(rest) == 1 else ""
    if word not in prompt_finish.DECISIONS or (arguments.text is not None and word != "edit"):
        is_word = word in prompt_finish.DECISIONS
        raise MisuseError(
            f"--text is for edit, and the decision is {word}" if is_word else "a decision is yes, no or edit",
            why="yes takes the refined prompt, no the original one, edit one of your own",
            next_step=f"review-gate prompt-review decide {safe_line(name[:60])} "
            f"{'edit --text FILE' if is_word else 'yes'}",
        )
    own = None
    if arguments.text is not None:
        try:
            own = _data(arguments.text, "the edited prompt").decode("utf-8")
        except UnicodeDecodeError:
            raise _unreadable(arguments.text, "the edited prompt", "it is not UTF-8") from None
    found = prompt_finish.proposal(name, os.environ)
    decided = prompt_finish.decided_as(found, word, own)
    if arguments.format == "json":
        print_result(prompt_json.decided_json(decided))
    else:
        _print_prompt(decided.prompt)
    _warn(prompt_finish.settle(found, word, os.environ))
    return PASS


STEPS = {"decide": _decide, "merge": _merge, "request": _requested, "show": _show}


def _told(found: PromptReview, arguments: argparse.Namespace) -> int:
    """Show what came of a review, and log or keep it."""
    is_json = arguments.format == "json"
    is_for_person = not is_json and can_ask()
    if found.status == "proposed" and is_for_person:
        return _asked(found)
    problem = (prompt_finish.offer if found.status == "proposed" else prompt_finish.over)(found, os.environ)
    _warn(problem)
    waits = found.status == "proposed" and not problem
    if is_json:
        print_result(prompt_json.review_json(found, waits=waits))
    elif found.status == "not_reviewed":
        say(f"{prompt_block.AS_IT_IS.format(safe(found.why))}\n")
        _print_prompt(found.prompt)
    elif is_for_person:
        # Who sends the result into a file gets a prompt there, whatever came of the review.
        say(f"{_shown(found, waits=False)}\n\n")
        _print_prompt(found.refined)
    else:
        print_result(_shown(found, waits=waits))
    return PASS


def _shown(found: PromptReview, *, waits: bool) -> str:
    """The block, and what to type next or why the prompt goes on as it is."""
    ending = prompt_block.NEXT.format(found.id) if waits else ""
    if found.status == "editor_failed":
        ending = prompt_block.AS_IT_IS.format(safe(found.why))
    return "\n".join(filter(None, [prompt_block.block(found), ending]))


def _print_prompt(prompt: str) -> None:
    """The prompt that goes on: byte for byte for a program, and harmless for a person's terminal."""
    if is_terminal():
        print_pieces([safe(prompt.replace("\r\n", "\n")), "" if prompt.endswith("\n") else "\n"])
    else:
        print_pieces([prompt], errors="surrogateescape")


def _asked(found: PromptReview) -> int:
    """Ask the person at the terminal, and print the prompt that goes on."""
    is_colored = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    say(prompt_block.block(found, is_colored=is_colored, shows_diff=True) + "\n\n")
    try:
        word, own = _answer(found)
    except KeyboardInterrupt:
        _warn(prompt_finish.log(found, "rejected", os.environ))
        raise
    decided = prompt_finish.decided_as(found, word, own)
    _warn(prompt_finish.log(found, prompt_finish.DECISIONS[word], os.environ))
    if is_terminal():
        say("\n")
    _print_prompt(decided.prompt)
    return PASS


def _answer(found: PromptReview) -> tuple[Word, str | None]:
    """What the person says; an ended input is a no."""
    while True:
        said = ask(prompt_block.QUESTION)
        word = ANSWERS.get(said, None if said else "no")
        own = edited_by_person(found.refined, os.environ) if word == "edit" else None
        if word == "edit" and own is None:
            say("warning: the editor gave nothing back, so nothing is decided yet\n")
        elif word is not None:
            return word, own


def _prompt(words: list[str]) -> str:
    if words not in ([], ["-"]):
        return " ".join(words)
    if not words and sys.stdin is not None and sys.stdin.isatty():
        next_step = "review-gate prompt-review TEXT"
        raise MisuseError("there is no prompt", why="nothing was said to review", next_step=next_step)
    return _data("-", "the prompt").decode("utf-8", "surrogateescape")


def _data(path: str, what: str) -> bytes:
    """A file, or all of standard input."""
    if path == "-":
        return sys.stdin.buffer.read() if sys.stdin is not None else b""
    try:
        found = read_plain_file(os.path.realpath(path), MOST_BYTES)
    except UnsafeFileError as error:
        raise _unreadable(path, what, str(error)) from None
    if found is None:
        raise _unreadable(path, what, "there is no such file")
    return found


def _unreadable(path: str, what: str, why: str) -> MisuseError:
    return MisuseError(
        f"{safe_line(path[:200])} cannot be read: {why}",
        why=f"{what} should be there",
        next_step="name a file that can be read, or - for standard input",
    )


def _warn(problem: str) -> None:
    if problem:
        say(f"warning: {safe(problem)}\n")
