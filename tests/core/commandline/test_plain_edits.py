"""Scripts of sed that start nothing, and those that may."""

from __future__ import annotations

import pytest

from review_gate.commandline.plain_edits import is_plain_edit

PLAIN = ("s/git push/git push origin/", "s|git push|x|g", "s/a\\/b/git push/2gI", "/git push/d", " s,push,git,p ")
OTHER = ("s/x/git push/e", "s/x/git push/ge", "1e git push", "s/a/b/;e git push", "/x/e git push", "s/a/b/w git push")


@pytest.mark.parametrize("script", PLAIN)
def test_a_script_that_changes_text_is_plain(script: str) -> None:
    assert is_plain_edit(script)


@pytest.mark.parametrize("script", [*OTHER, "", "s", "/", "s/a/b", "sea", "y/a/b/"])
def test_no_other_script_is(script: str) -> None:
    assert not is_plain_edit(script)
