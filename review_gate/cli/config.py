"""Show the configuration and where each value comes from."""

from __future__ import annotations

import argparse

from review_gate.cli.output import add_format, print_result
from review_gate.errors import PASS
from review_gate.render.config_text import show_json, show_text
from review_gate.shell.repository import open_repository
from review_gate.workflows.configure import load_configuration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of config."""
    parser.add_argument(
        "what", nargs="?", default="show", choices=("show",), help="the merged result and the origin of each value"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the merged configuration."""
    loaded = load_configuration(open_repository("."))
    print_result(show_json(loaded) if arguments.format == "json" else show_text(loaded))
    return PASS
