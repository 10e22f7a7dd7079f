"""The door of `git push`: may these refs leave the machine."""

from __future__ import annotations

import os

from git_hooks.boundary import guarded, read_standard_input
from review_gate.errors import BLOCKED, PASS, ReviewGateError
from review_gate.shell.repository import repository_of_hook
from review_gate.standard_error import say
from review_gate.workflows.push import judge_push

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.decision import Decision


def main(arguments: list[str]) -> int:
    """Judge every ref of the push that git describes on standard input."""
    return guarded(_run, arguments)


def _run(arguments: list[str]) -> int:
    if not arguments and os.environ.get("PRE_COMMIT") == "1":
        return _run_in_framework()
    echoes = arguments[:1] == ["--echo"]
    lines = read_standard_input()
    if lines is None or len(arguments) < 2 + echoes:
        raise ReviewGateError(
            "git's list of pushed refs is missing",
            why="the pre-push hook reads it from standard input and never guesses",
            next_step="git push, or review-gate verify",
        )
    code = _judge(lines, *arguments[-2:]) if lines.strip() else PASS
    if code == PASS and echoes:
        # For a hook that stood here before ours and wants the same list.
        os.write(1, lines)
    return code


def _judge(lines: bytes, remote: str, url: str) -> int:
    decision = judge_push(repository_of_hook(os.environ), lines, remote, url)
    if decision is None or decision.allowed:
        _show_unreviewed(decision)
        return PASS
    _show(decision)
    return BLOCKED


def _show_unreviewed(decision: Decision | None) -> None:
    if decision is None or not decision.unreviewed:
        return
    from review_gate.render.decision import unreviewed_text

    say(unreviewed_text(decision))


def _show(decision: Decision) -> None:
    from review_gate.render.decision import decision_text

    say(decision_text(decision))


def _run_in_framework() -> int:
    """Behind pre-commit or prek: judge the one ref they show, and say what they hide."""
    from review_gate.shell.parents import pushing_command
    from review_gate.workflows.framework_push import (
        NOTICE,
        is_gated_natively,
        judge_framework_push,
        refuse_hidden_refs,
    )

    repository = repository_of_hook(os.environ)
    if not is_gated_natively(repository):
        say(NOTICE)
        refuse_hidden_refs(repository, pushing_command())
    decision = judge_framework_push(repository, os.environ)
    _show(decision)
    if decision.allowed:
        _show_unreviewed(decision)
    return PASS if decision.allowed else BLOCKED
