"""The clean-up that git does after the commit-msg hook, foreseen from the setting and the editor."""

from __future__ import annotations

import pytest

from review_gate.workflows.message_file import cleanup_mode

CASES = {
    "an editor": (None, True, "strip"),
    "no editor": (None, False, "whitespace"),
    "scissors with an editor": ("scissors", True, "scissors"),
    "scissors without an editor": ("scissors", False, "whitespace"),
    "a mode without an editor": ("strip", False, "strip"),
    "a mode with an editor": ("verbatim", True, "verbatim"),
    "default": ("default", False, "whitespace"),
}


@pytest.mark.parametrize(("wanted", "has_editor", "mode"), CASES.values(), ids=CASES)
def test_cleanup_mode_follows_the_setting_then_the_editor(wanted: str | None, has_editor: bool, mode: str) -> None:
    assert cleanup_mode(wanted, has_editor=has_editor) == mode
