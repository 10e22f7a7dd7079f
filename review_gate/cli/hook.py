"""review-gate hook NAME: the same hooks for pre-commit and other managers, which start programs and not shims."""

from __future__ import annotations

import sys

from review_gate.errors import PASS, MisuseError

PROMPT = "prompt"
NAMES = ("pre-commit", "commit-msg", "pre-push", "reference-transaction", PROMPT)


def call_hook(arguments: list[str]) -> int:
    """The exit code of the named hook; its arguments are git's."""
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(f"usage: review-gate hook NAME [ARGUMENTS OF GIT]\n\nNAME is one of {', '.join(NAMES)}.\n")
        return PASS
    if not arguments or arguments[0] not in NAMES:
        raise MisuseError(
            f"there is no hook {' '.join(arguments[:1]) or 'without a name'}",
            why=f"review-gate has {', '.join(NAMES)}",
            next_step="review-gate hook pre-push",
        )
    if arguments[0] == PROMPT:
        # Told apart before anything is imported for git's sake: an agent calls it with every prompt.
        from review_gate.agents.prompt_hook import main

        return main()
    from importlib import import_module

    result: int = import_module(f"git_hooks.{arguments[0].replace('-', '_')}").main(arguments[1:])
    return result
