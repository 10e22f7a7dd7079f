"""The clean-up that git does after the commit-msg hook, told from what the hook can see."""

from __future__ import annotations

import pytest

from review_gate.reviewers.cleanup_mode import Circumstances, cleanup_mode

MESSAGE = "a\n\n# b\n"
INSTRUCTED = "a\n\n# Please enter the commit message for your changes.\n"
CASES = {
    "an editor": ("vi", "commit", None, "strip"),
    "no editor": (":", "commit -m a", None, "whitespace"),
    "scissors with an editor": ("vi", "commit", "scissors", "scissors"),
    "scissors without an editor": (":", "commit -m a", "scissors", "whitespace"),
    "configured, without an editor": (":", "commit -m a", "strip", "strip"),
    "configured, with an editor": ("vi", "commit", "verbatim", "verbatim"),
    "default": (":", "commit -m a", "default", "whitespace"),
    "option": (":", "commit --no-edit --cleanup=strip", None, "strip"),
    "option with its value apart": (":", "commit --cleanup strip -m a", None, "strip"),
    "option cut short": (":", "commit --clean=strip -m a", None, "strip"),
    "option before the setting": ("vi", "commit --cleanup=whitespace", "strip", "whitespace"),
    "the last option counts": ("vi", "commit --cleanup=whitespace --cleanup=verbatim", None, "verbatim"),
    "option back to the default": (":", "commit --cleanup=default -m a", "strip", "whitespace"),
    "a path like the option": (":", "commit -m a -- --cleanup=strip", None, "whitespace"),
    "option without a value": (":", "commit --cleanup", None, "whitespace"),
    "other options": (":", "commit --cached --c=strip -m a", None, "whitespace"),
}


def circumstances(
    editor: str, command: str | None, outer: str | None = None, *, picking: bool = False
) -> Circumstances:
    words = None if command is None else ["git", *command.split()]
    return Circumstances(editor=editor, command=words, outer_editor=outer, is_picking=picking)


@pytest.mark.parametrize(("editor", "command", "configured", "mode"), CASES.values(), ids=CASES)
def test_mode_follows_the_option_then_the_setting_then_the_editor(
    editor: str, command: str, configured: str | None, mode: str
) -> None:
    assert cleanup_mode(MESSAGE, configured, circumstances(editor, command)) == mode


@pytest.mark.parametrize(
    ("message", "outer", "mode"),
    [(INSTRUCTED, ":", "strip"), (INSTRUCTED, None, "whitespace"), (MESSAGE, ":", "whitespace")],
    ids=["an editor that does nothing", "a file with old instructions", "no editor"],
)
def test_an_editor_that_does_nothing_is_told_from_none(message: str, outer: str | None, mode: str) -> None:
    assert cleanup_mode(message, None, circumstances(":", "commit", outer)) == mode


@pytest.mark.parametrize(
    ("editor", "picking", "mode"),
    [(":", True, "strip"), (":", False, "whitespace"), ("vi", True, "verbatim")],
    ids=["a pick goes on, perhaps", "no pick", "an editor"],
)
def test_without_a_command_to_see_nothing_is_held_against_a_pick(editor: str, picking: bool, mode: str) -> None:
    where = circumstances(editor, None, picking=picking)
    assert cleanup_mode(MESSAGE, "verbatim" if mode == "verbatim" else None, where) == mode
