"""Ask several models at once for drafts of an analysis; they come without names, to be put together into one."""

from __future__ import annotations

import argparse
import os

from review_gate.cli.output import add_format, print_result
from review_gate.errors import PASS
from review_gate.standard_error import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of generate."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--type", metavar="TYPE", help="what the drafts are about; --list names the types")
    what.add_argument(
        "--list", action="store_true", help="name all types; a repository's own are .claude/generator-prompts/TYPE.md"
    )
    parser.add_argument("--prompt", metavar="TEXT", default="", help="what the drafts should look at besides")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the drafts, or the types of them."""
    from review_gate.render import drafts
    from review_gate.shell.interrupts import Interrupts
    from review_gate.workflows.generate import INTERRUPTED, DraftRequest, generate, list_templates

    is_json = arguments.format == "json"
    if arguments.list:
        types = list_templates()
        print_result(drafts.types_json(types) if is_json else drafts.types_text(types))
        return PASS
    # Or programs that were asked would go on by themselves, and take what they take.
    Interrupts().obey(INTERRUPTED)
    generated = generate(DraftRequest(kind=arguments.type, prompt=arguments.prompt), os.environ)
    say(f"{drafts.took(generated)}\n")
    print_result(drafts.drafts_json(generated) if is_json else drafts.drafts_text(generated))
    return PASS
