"""The entry point: find the verb, load only its module, turn every error into a message and an exit code."""

from __future__ import annotations

import gc
import os
import sys

from review_gate import __version__
from review_gate.errors import BLOCKED, INTERRUPTED, MISUSE, PASS, ReviewGateError, explained
from review_gate.standard_error import say, say_where

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import ModuleType

VERBS = {
    "run": "review HEAD (or what is staged) in four loops and record the result",
    "verify": "ask the gate: may this commit be pushed",
    "report": "show the report of an earlier run again, in any form",
    "status": "where this commit stands, in one screen",
    "install": "put the gate into git's hooks, or into those of coding agents",
    "uninstall": "take it out again, exactly",
    "doctor": "check that nothing can slip past the gate",
    "expert-review": "review a plan: check it, mend it, ask about what is left, approve what passed",
    "spawn-code-review": "let several reviewers vote in rounds on a change, until they agree",
    "spawn-plan-review": "the same for a plan, or for an artifact",
    "check": "how the rounds stand, and what to do next",
    "rounds": "list, show and replay reviews in rounds; refute a finding, go on, or end one",
    "generate": "independent drafts of an analysis of this repository, to be put together into one",
    "prompt-review": "review a prompt before an agent works by it, and decide on what is proposed",
    "stats": "the history of reviews: findings, approval, cost and time, as text, page or JSON",
    "checks": "list checks, explain one, try them on their examples",
    "scan": "look for the checks in force in files, staged changes or commits",
    "gaps": "what the review policies missed so far, and what to add to them",
    "providers": "which models can be asked from here, and which one a run would ask",
    "config": "show the configuration and where each value comes from",
    "cache": "how many answers of reviewers are kept, or forget them all",
    "statusline": "one line for the status line of Claude Code",
    "hook": "what git, pre-commit or an agent calls",
}
# pydantic makes an error of its own, with these words, of an interrupt while it builds a model or writes one.
OF_PYDANTIC = ("SchemaError", "PydanticSerializationError")
INTERRUPT = "KeyboardInterrupt: "
USUAL_COLUMNS = 80
OBJECTS_BETWEEN_COLLECTIONS = 100_000


def main() -> None:
    """Run the program and exit."""
    # A run keeps most of what it makes to its end: looking through all of it for garbage, time and again, finds none.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        code = run(sys.argv[1:])
    except SystemExit as end:
        # The parser's, after its help or its complaint.
        code = end.code if isinstance(end.code, int) else MISUSE
    code = _flushed(code)
    say("")
    # Taking everything down in order costs some milliseconds and serves nobody.
    os._exit(code)


def _flushed(code: int) -> int:
    """The exit code, once everything is written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        return code
    except OSError as error:
        say(f"error: the result could not be written: {error.strerror}\n")
        return code or BLOCKED
    return code


def run(arguments: list[str]) -> int:
    """The exit code for a command line."""
    try:
        return _dispatch(arguments)
    except ReviewGateError as error:
        return _say_error(error)
    except KeyboardInterrupt as interrupt:
        return _say_interrupted(*interrupt.args)
    except BrokenPipeError:
        # The reader of our output went away; that is its choice and not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BLOCKED
    except SystemExit:
        raise
    # Not Exception: a panic of pydantic's core, as an interrupt makes it too, is none.
    except BaseException as error:
        # What breaks while a class is made comes out as an error of Python's own, too.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _say_interrupted(*error.__cause__.args)
        if INTERRUPT in str(error) and type(error).__name__ in OF_PYDANTIC:
            return _say_interrupted(*filter(None, [str(error).rpartition(INTERRUPT)[2].strip()]))
        say_where()
        return _say_error(explained(error))


def _dispatch(arguments: list[str]) -> int:
    verb = arguments[0] if arguments else "--help"
    if verb in ("-h", "--help", "help"):
        sys.stdout.write(usage() + "\n")
        return PASS if arguments else MISUSE
    if verb in ("-V", "--version"):
        sys.stdout.write(f"review-gate {__version__}\n")
        return PASS
    if verb == "hook":
        from review_gate.cli.hook import call_hook

        return call_hook(arguments[1:])
    if verb not in VERBS:
        return _unknown_verb(verb)
    return _run_verb(verb, arguments[1:])


def _run_verb(verb: str, arguments: list[str]) -> int:
    name = verb.replace("-", "_")
    # Without `importlib`, which takes a millisecond to be imported itself.
    module = getattr(__import__("review_gate.cli", fromlist=(name,)), name)
    arguments = module.exact_arguments(arguments) if hasattr(module, "exact_arguments") else arguments
    usual = module.usual_arguments(arguments) if hasattr(module, "usual_arguments") else None
    parsed = usual or _parser(verb, module).parse_args(arguments)
    if not hasattr(module, "SEES_FOLDER"):
        from review_gate.shell.current_folder import see_current_folder

        see_current_folder()
    result: int = module.run(parsed)
    return result


def _parser(verb: str, module: ModuleType) -> argparse.ArgumentParser:
    import argparse

    parser = argparse.ArgumentParser(
        prog=f"review-gate {verb}",
        description=module.__doc__,
        allow_abbrev=False,
        # Told the width, it does not import `shutil` with all its archive formats to find out.
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=_columns() - 2),
    )
    module.add_arguments(parser)
    return parser


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or USUAL_COLUMNS
    except ValueError:
        pass
    try:
        return os.get_terminal_size(1).columns or USUAL_COLUMNS
    except OSError:
        return USUAL_COLUMNS


def usage() -> str:
    """The help text."""
    width = max(map(len, VERBS)) + 2
    verbs = "\n".join(f"  {verb:<{width}}{about}" for verb, about in VERBS.items())
    return (
        "usage: review-gate VERB [OPTIONS]\n\n"
        "Nothing unreviewed leaves your machine.\n\n"
        f"{verbs}\n\n"
        "review-gate VERB --help shows the options of a verb.\n"
        "Exit codes: 0 pass, 1 blocked or findings, 2 misuse, 3 our bug, 130 interrupted."
    )


def _unknown_verb(verb: str) -> int:
    from difflib import get_close_matches

    near = get_close_matches(verb, VERBS, n=1)
    hint = f"did you mean {near[0]}?" if near else "review-gate --help lists the verbs"
    say(f"error: there is no verb {verb!r}; {hint}\n")
    return MISUSE


def _say_interrupted(words: object = "nothing was recorded") -> int:
    say(f"\ninterrupted: {words}\n")
    return INTERRUPTED


def _say_error(error: ReviewGateError) -> int:
    from review_gate.render.decision import error_text

    label = "blocked" if error.exit_code == BLOCKED else "error"
    say(error_text(error.what, error.why, error.next_step, label=label))
    return error.exit_code
