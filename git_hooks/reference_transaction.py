"""The watcher: after a push it notes what reached a remote without passing the gate; it never blocks."""

from __future__ import annotations

import os

from git_hooks.boundary import read_standard_input
from review_gate.errors import PASS
from review_gate.shell.repository import repository_of_hook
from review_gate.standard_error import say
from review_gate.workflows.watch import note_unseen_pushes


def main(arguments: list[str]) -> int:
    """Look at the ref updates that git has just committed."""
    if arguments != ["committed"]:
        return PASS
    try:
        unseen = note_unseen_pushes(repository_of_hook(os.environ), read_standard_input() or b"")
    except Exception as error:
        say(f"review-gate: the push watcher failed: {type(error).__name__}: {error}\n")
        return PASS
    for ref in unseen:
        say(f"review-gate: {ref} received a push that the gate never saw; review-gate status shows it\n")
    return PASS
