"""What the verbs share: the --format option, and printing a result."""

from __future__ import annotations

import argparse
import sys


def add_format(parser: argparse.ArgumentParser, *choices: str) -> None:
    """The --format option with the formats a verb can write."""
    parser.add_argument("--format", choices=("text", "json", *choices), default="text", help="form of the result")


def print_result(text: str) -> None:
    """The result goes to standard output, whole, even where a name in it cannot be encoded."""
    data = (text if text.endswith("\n") else text + "\n").encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
