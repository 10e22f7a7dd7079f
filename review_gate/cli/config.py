"""Show the configuration and where each value comes from."""

from __future__ import annotations

import argparse

from review_gate.cli.output import add_format, print_result
from review_gate.config.load import Loaded
from review_gate.errors import PASS, ReviewGateError
from review_gate.render.config_text import show_json, show_text
from review_gate.shell.repository import Repository, open_repository
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of config."""
    parser.add_argument(
        "what", nargs="?", default="show", choices=("show",), help="the merged result and the origin of each value"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the merged configuration."""
    repository = open_repository(".")
    loaded = load_configuration(repository)
    policy = _policy(repository, loaded)
    print_result(show_json(loaded, policy) if arguments.format == "json" else show_text(loaded, policy))
    return PASS


def _policy(repository: Repository, loaded: Loaded) -> str | None:
    """What reviews have to be made under; who mends a file with checks still wants to see the settings."""
    try:
        return policy_of(repository, loaded)[0].policy
    except ReviewGateError:
        return None
