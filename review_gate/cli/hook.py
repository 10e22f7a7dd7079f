"""review-gate hook NAME: what hook managers call for git, and what coding agents call for each of their events."""

from __future__ import annotations

import sys

from review_gate.errors import PASS, MisuseError

AGENTS = ("claude", "codex", "gemini", "cursor", "copilot")
GIT = ("pre-commit", "commit-msg", "pre-push", "reference-transaction")


def call_hook(arguments: list[str]) -> int:
    """The exit code of the named hook; behind the name of a git hook are git's arguments."""
    name = arguments[0] if arguments else ""
    if name in AGENTS:
        # Told apart before anything is imported for git's sake: an agent calls it with every tool that it uses.
        from review_gate.agents.door import main

        return main(name, *arguments[1:2])
    if name in GIT:
        from importlib import import_module

        result: int = import_module(f"git_hooks.{name.replace('-', '_')}").main(arguments[1:])
        return result
    if name in ("-h", "--help"):
        sys.stdout.write(
            f"usage: review-gate hook NAME [ARGUMENTS OF GIT]\n\nNAME is one of {', '.join((*GIT, *AGENTS))}.\n"
        )
        return PASS
    raise MisuseError(
        f"there is no hook {name or 'without a name'}",
        why=f"review-gate has {', '.join((*GIT, *AGENTS))}",
        next_step="review-gate hook pre-push",
    )
