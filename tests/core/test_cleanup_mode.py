"""The clean-up that git does after the commit-msg hook, told from what the hook can see."""

from __future__ import annotations

import pytest

from review_gate.reviewers.cleanup_mode import Circumstances, cleanup_mode

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
    "option cut very short": (":", "commit --c=strip -m a", None, "strip"),
    "option taken back": (":", "commit --cleanup=strip --no-cleanup -m a", "strip", "whitespace"),
    "other options": (":", "commit --branch --column=strip -m a", None, "whitespace"),
    "a message like the option": (":", "commit -m a -m --cleanup=strip", None, "whitespace"),
    "a message like it in a cluster": (":", "commit -am --cleanup=strip", None, "whitespace"),
    "a value like it of a long option": (":", "commit --mess --cleanup=strip", None, "whitespace"),
    "option after values": (":", "commit -ma -Skey -uno --author=x --date y --cleanup=strip", None, "strip"),
    "options of git itself": (":", "-c commit.x=y -C commit --no-pager commit --cleanup=strip -m a", None, "strip"),
    "a merge": (":", "merge -s ours --cleanup=strip other", None, "strip"),
    "a strategy like the option": (":", "merge -X --cleanup=strip other", None, "whitespace"),
    "another command": (":", "pull --cleanup=strip", None, "whitespace"),
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
    assert cleanup_mode(configured, circumstances(editor, command)) == mode


DOES_NOTHING = {
    "nothing said": ("commit", True),
    "options that say nothing": ("commit -av --amend --no-verify -t file", True),
    "told to edit": ("commit -F file -e", True),
    "told to edit, cut short": ("commit -m a --ed", True),
    "told to edit at last": ("commit --no-edit --edit", True),
    "an amending fixup": ("commit --fixup=amend:HEAD", True),
    "a merge told to edit": ("merge --edit other", True),
    "a merge that goes on": ("merge --cont", True),
    "a message": ("commit -m a", False),
    "a message in a cluster": ("commit -am a", False),
    "a message cut short": ("commit --m a", False),
    "a file": ("commit --file=b", False),
    "a message like -e": ("commit -m -e", False),
    "a file like -e": ("commit -F -e", False),
    "a path like -e": ("commit -F file -- -e", False),
    "another's message": ("commit -C HEAD", False),
    "a fixup": ("commit --fixup HEAD", False),
    "a fixup of a text": ("commit --fixup=:/amend:", False),
    "told not to": ("commit --no-edit", False),
    "told not to at last": ("commit -e --no-ed", False),
    "a merge": ("merge other", False),
    "another command": ("stash", False),
    "no command": (None, False),
}


@pytest.mark.parametrize(("command", "opens"), DOES_NOTHING.values(), ids=DOES_NOTHING)
def test_an_editor_that_does_nothing_is_told_from_none_by_the_options(command: str | None, opens: bool) -> None:
    assert circumstances(":", command, ":").has_editor is opens
    assert circumstances("vi", command, "vi").has_editor
    assert not circumstances(":", command, "vi").has_editor


@pytest.mark.parametrize(("command", "is_seen"), [("commit", True), ("merge x", True), ("stash", False), (None, False)])
def test_mode_is_a_guess_where_no_options_are_seen(command: str | None, is_seen: bool) -> None:
    assert circumstances("vi", command).is_seen is is_seen


@pytest.mark.parametrize(
    ("editor", "picking", "mode"),
    [(":", True, "strip"), (":", False, "whitespace"), ("vi", True, "verbatim")],
    ids=["a pick goes on, perhaps", "no pick", "an editor"],
)
def test_without_a_command_to_see_nothing_is_held_against_a_pick(editor: str, picking: bool, mode: str) -> None:
    where = circumstances(editor, None, picking=picking)
    assert cleanup_mode("verbatim" if mode == "verbatim" else None, where) == mode
