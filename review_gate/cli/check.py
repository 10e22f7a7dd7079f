"""Collect what reviewers in rounds have said, decide, and say what to do next."""

from __future__ import annotations

import os

from review_gate.cli.output import add_format
from review_gate.cli.rounds_output import looked_at
from review_gate.workflows.round_place import open_reviews, place_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of check."""
    parser.add_argument("review", nargs="?", metavar="ID", help="a review; without it, all that are open here")
    parser.add_argument("--wait", action="store_true", help="stay until every reviewer has answered")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look at reviews, and begin the next round where what was found is mended; 0 when all have agreed."""
    place = place_here(os.environ)
    folders = (
        [place.store.find(arguments.review)]
        if arguments.review is not None
        else [one for one, _ in open_reviews(place)]
    )
    return looked_at(folders, place, form=arguments.format, is_waiting=arguments.wait)
