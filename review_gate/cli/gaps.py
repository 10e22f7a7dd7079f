"""Show what the policies missed so far, how often, and what to add to them."""

from __future__ import annotations

import argparse
import json

from review_gate.cli.output import add_format, print_result
from review_gate.errors import PASS
from review_gate.pipeline.gap_report import report_gaps
from review_gate.render.gaps_text import cleared_text, gaps_json, gaps_text
from review_gate.shell.gap_log import clear_gaps, read_gap_log
from review_gate.shell.repository import open_repository


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of gaps."""
    parser.add_argument("--clear", action="store_true", help="forget all of them, once they are dealt with")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the gaps; that there are some is no error."""
    repository = open_repository(".")
    is_json = arguments.format == "json"
    if arguments.clear:
        count = clear_gaps(repository)
        print_result(json.dumps({"cleared": count}) if is_json else cleared_text(count))
        return PASS
    log = read_gap_log(repository)
    groups = report_gaps(log.gaps)
    print_result(gaps_json(groups, log.damaged) if is_json else gaps_text(groups, log.damaged))
    return PASS
