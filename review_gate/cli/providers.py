"""Show which models can be asked from here, and which one a run would ask; nobody is asked."""

from __future__ import annotations

import argparse
import os

from review_gate.cli.output import add_format, print_result
from review_gate.errors import PASS
from review_gate.render.providers_text import providers_json, providers_text
from review_gate.workflows.providers import providers_here


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of providers."""
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show them; that none is usable is no error, since reviews work without models."""
    found = providers_here(os.environ)
    print_result(providers_json(found) if arguments.format == "json" else providers_text(found))
    return PASS
