"""What git will do to a commit message after the commit-msg hook, as far as a hook can know."""

from __future__ import annotations

from review_gate.reviewers.commit_message import BOILERPLATE

MODES = ("strip", "whitespace", "verbatim", "scissors")
OPTION = "--cleanup"
# What git sets GIT_EDITOR to for its hooks when it opens none; to a user it is an editor that changes nothing.
NO_EDITOR = ":"


class Circumstances:
    """Where the hook runs: its GIT_EDITOR, the git command above it and its GIT_EDITOR, None where that is unseen."""

    __slots__ = ("command", "editor", "is_picking", "outer_editor")

    def __init__(
        self, *, editor: str | None, command: list[str] | None, outer_editor: str | None, is_picking: bool
    ) -> None:
        self.editor = editor
        self.command = command
        self.outer_editor = outer_editor
        self.is_picking = is_picking


def cleanup_mode(message: str, configured: str | None, where: Circumstances) -> str:
    """The mode that git uses: comments go with an editor, and stay without one unless it was told otherwise."""
    has_editor = where.editor != NO_EDITOR or (where.outer_editor == NO_EDITOR and BOILERPLATE in message)
    if where.command is None and where.is_picking and not has_editor:
        # It may be `git cherry-pick --continue`, which starts `git commit --no-edit --cleanup=strip` (git 2.39).
        return "strip"
    mode = _asked_for(where.command or []) or configured
    if mode in MODES and (has_editor or mode != "scissors"):
        return str(mode)
    return "strip" if has_editor else "whitespace"


def _asked_for(command: list[str]) -> str | None:
    """The value of the last --cleanup, whose name may be cut short."""
    asked = None
    for at, word in enumerate(command):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if len(name) > len("--c") and OPTION.startswith(name):
            asked = value if equals else "".join(command[at + 1 : at + 2])
    return asked
